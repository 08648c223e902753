import { Agent } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import oauth2, { type OAuth2Namespace, type OAuth2Token } from '@fastify/oauth2';
import type { FastifyInstance } from 'fastify';
import { decodeJwt } from 'jose';
import { LOGIN_CLIENT } from './login-client.ts';
import { API_SCOPES } from '../resources.ts';
import type { PagesOptions } from './context.ts';
import { sendPage } from '../../platform/pages/layout.ts';
import { tokenPage } from './token.view.ts';
import { messagePage } from './views.ts';

declare module 'fastify' {
  interface FastifyInstance {
    quartetLogin: OAuth2Namespace;
  }
}

/** Connects to the server itself, whatever PUBLIC_URL is and whoever stands in front of it. */
function agentToSelf(app: FastifyInstance): Agent {
  const agent = new Agent();
  agent.createConnection = () => {
    const { address, port } = app.server.address() as AddressInfo;
    const host = address === '::' || address === '0.0.0.0' ? 'localhost' : address;
    return connect({ host, port });
  };
  return agent;
}

const again: [string, string] = ['Sign in again', '/login'];

/**
 * `/login`: a client of our own authorization server. Signs a developer in, and ends on a page with
 * an access token.
 */
export async function loginRoutes(app: FastifyInstance, options: PagesOptions): Promise<void> {
  const { publicUrl, csrf, trainUrl } = options;
  const isSecure = publicUrl.startsWith('https:');
  await app.register(oauth2, {
    name: 'quartetLogin',
    credentials: {
      client: { id: LOGIN_CLIENT.client_id, secret: '' },
      auth: {
        authorizeHost: publicUrl,
        authorizePath: '/oauth/authorize',
        tokenHost: 'http://quartet.invalid',
        tokenPath: '/oauth/token',
      },
      options: { authorizationMethod: 'body' },
      http: { agent: agentToSelf(app), timeout: 10_000, maxBytes: 65_536 },
    },
    scope: ['openid', ...API_SCOPES],
    startRedirectPath: '/login',
    callbackUri: `${publicUrl}/login/callback`,
    pkce: 'S256',
    cookie: { path: '/login', secure: isSecure, sameSite: 'lax' },
    hostPrefixedCookies: isSecure,
  });

  app.get('/login/callback', async (request, reply) => {
    const { iss, error } = request.query as Record<string, unknown>;
    const failed = (message: string) =>
      sendPage(reply, messagePage('You are not signed in', message, again), { status: 400 });
    // An answer of another server, mixed up with ours (RFC 9207).
    if (iss !== publicUrl) return failed('The answer does not come from this server.');
    if (error !== undefined)
      return failed(
        error === 'access_denied'
          ? 'You cancelled, so there is no token.'
          : 'The authorization server refused the sign-in.',
      );
    let answer: OAuth2Token;
    try {
      answer = await app.quartetLogin.getAccessTokenFromAuthorizationCodeFlow(request, reply);
    } catch (cause) {
      request.log.warn({ err: cause }, 'login without a token');
      return failed('This link was used before, is too old, or was begun in another browser.');
    }
    const token = answer.token as OAuth2Token['token'] & { scope?: string };
    const accessToken = token.access_token;
    const view = {
      csrf: csrf.field(request, reply),
      accessToken,
      refreshToken: token.refresh_token,
      scopes: (token.scope ?? '').split(' ').filter((scope) => API_SCOPES.includes(scope)),
      expiresAt: new Date((decodeJwt(accessToken).exp ?? 0) * 1000),
      trainUrl,
      tokenUrl: `${publicUrl}/oauth/token`,
    };
    return sendPage(reply, tokenPage(view));
  });
}
