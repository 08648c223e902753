import type { FastifyInstance } from 'fastify';

/** Values of `Authorization: Basic`, as RFC 6749 has it. */
export const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;

export const DEMO = basic('quartet-demo', 'demo-secret');

/** POSTs a form as `credentials`, or as nobody where they are null. */
export function postForm(
  app: FastifyInstance,
  url: string,
  form: Record<string, string>,
  credentials: string | null = DEMO,
  headers: Record<string, string> = {},
) {
  return app.inject({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(credentials !== null && { authorization: credentials }),
      ...headers,
    },
    payload: new URLSearchParams(form).toString(),
  });
}

/** An access token of the demo client's own. */
export async function clientToken(app: FastifyInstance, scope = 'read write'): Promise<string> {
  const answer = await postForm(app, '/oauth/token', { grant_type: 'client_credentials', scope });
  return answer.json<{ access_token: string }>().access_token;
}
