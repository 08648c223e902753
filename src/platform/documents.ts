import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { documentBodies, documentRoute } from './formats/document.ts';
import { notFound } from './problems.ts';

/** The OpenAPI documents of all services, by file name; filled while the services are registered. */
export type Documents = Map<string, FastifyInstance>;

export const ProblemSchema = Type.Object(
  {
    type: Type.String({
      format: 'uri',
      description: 'The kind of problem; leads to a page that explains it.',
    }),
    title: Type.String({ description: 'The kind of problem in a few words.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What is wrong with this request, and what to change.' }),
    instance: Type.Optional(Type.String({ description: 'The path that was asked for.' })),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            pointer: Type.Optional(Type.String({ description: 'Where in the body (RFC 6901).' })),
            parameter: Type.Optional(Type.String({ description: 'Which parameter.' })),
            detail: Type.String({ description: 'What is wrong with it.' }),
          },
          { xml: { name: 'i' } },
        ),
        { description: 'Every fault of the request.', xml: { wrapped: true } },
      ),
    ),
  },
  {
    $id: 'Problem',
    description: 'What went wrong, as RFC 9457 has it.',
    xml: { name: 'problem', namespace: 'urn:ietf:rfc:7807' },
  },
);

const DESCRIPTIONS: Record<number, string> = {
  400: 'The request is not valid.',
  401: 'Credentials are missing or not valid.',
  403: 'The credentials do not allow this.',
  404: 'It does not exist, or is not yours.',
  406: 'No acceptable format.',
  408: 'The request did not arrive in time.',
  409: 'The state forbids it.',
  412: 'The resource has changed.',
  413: 'The body is too large.',
  415: 'The body has an unsupported format.',
  416: 'No such part.',
  422: 'The Idempotency-Key was used for another request.',
  429: 'Too many requests.',
  503: 'Not available now.',
};

/** Responses with a problem, for these statuses and those that every operation can have. */
export const problemResponses = (...statuses: (keyof typeof DESCRIPTIONS)[]) =>
  Object.fromEntries(
    [...statuses, 406, 429, 503].map((status) => [
      status,
      {
        description: DESCRIPTIONS[status],
        content: {
          'application/problem+json': { schema: Type.Ref('Problem') },
          'application/problem+xml': { schema: Type.Ref('Problem') },
        },
      },
    ]),
  );

/** Collects the routes of `app`, and nobody else's, for the document `name`. */
export async function describeService(
  app: FastifyInstance,
  documents: Documents,
  name: string,
  openapi: NonNullable<FastifyDynamicSwaggerOptions['openapi']>,
): Promise<void> {
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', ...openapi },
    transform: documentRoute,
    transformObject: documentBodies,
    refResolver: { buildLocalReference: (json) => json['$id'] as string },
  });
  documents.set(name, app);
}

/** Serves each document as /openapi/{name}.json and .yaml; made once, when first asked for. */
export function serveDocuments(app: FastifyInstance, documents: Documents): void {
  const made = new Map<string, string>();
  app.get<{ Params: { file: string } }>('/openapi/:file', async (request, reply) => {
    const [, name = '', format] = /^(\w+)\.(json|yaml)$/.exec(request.params.file) ?? [];
    const service = documents.get(name);
    if (!service) throw notFound(`There is no document ${request.params.file}.`);
    const key = `${name}.${format}`;
    const text = made.get(key) ?? documentText(service, format === 'yaml');
    made.set(key, text);
    return reply
      .header('cache-control', 'public, max-age=300')
      .type(format === 'yaml' ? 'application/yaml' : 'application/json; charset=utf-8')
      .send(text);
  });
}

export const documentText = (service: FastifyInstance, yaml: boolean): string =>
  yaml ? service.swagger({ yaml: true }) : `${JSON.stringify(service.swagger(), null, 2)}\n`;
