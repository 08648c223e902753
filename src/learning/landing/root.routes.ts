import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { FastifyPluginAsync, RouteHandlerMethod } from 'fastify';
import Negotiator from 'negotiator';
import { ProblemSchema, problemResponses } from '../../platform/documents/problem-responses.ts';
import { notModified, sendTagged } from '../../platform/http/etag.ts';
import { sendPage } from '../../platform/pages/layout.ts';
import { Problem } from '../../platform/problems/problems.ts';
import type { RateLimit } from '../../platform/http/rate-limit.ts';
import { landingPage } from './landing.view.ts';
import { Root } from './root.schemas.ts';
import { describeServer, type LandingConfig } from './services.ts';

/** The first is what a client gets that does not say. */
const TYPES = ['application/json', 'text/html', 'application/problem+json'];

const PUBLIC = 'public, max-age=300';
const OPEN = { isOpen: true };

/** A schema for two media types is no serializer. */
const toJson = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** GET /: for programs what is here, for browsers a page that says the same. */
export const rootRoutes: FastifyPluginAsyncTypebox<{ config: LandingConfig }> = async (
  app,
  { config },
) => {
  const root = describeServer(config);
  const page = landingPage(config, root.services);

  const schema = {
    operationId: 'GetRoot',
    summary: 'Get API information',
    description:
      'Says what this server is, and where each of its services has its base, its OpenAPI document and its documentation. A browser, or whoever else prefers `text/html`, gets a page that says the same. It needs no key; one that is sent must be good.',
    tags: ['Other'],
    security: [],
    response: {
      200: {
        description: 'What this server is, and where its services are.',
        content: {
          'application/json': { schema: Type.Ref('Root') },
          'text/html': { schema: Type.String({ description: 'The page.' }) },
        },
      },
      ...notModified,
      ...problemResponses('malformed-url', 401),
    },
  };
  const answer: RouteHandlerMethod = async (request, reply) => {
    // CORS has its own entry there.
    const vary = [reply.getHeader('vary'), 'Accept'].filter(Boolean).join(', ');
    reply.headers({ vary, 'cache-control': PUBLIC });
    const { accept } = request.headers;
    const [preferred] = new Negotiator({ headers: accept ? { accept } : {} }).mediaTypes(TYPES);
    if (preferred === undefined)
      throw new Problem(
        'not-acceptable',
        'This operation answers in application/json and text/html only.',
        { headers: { vary } },
      );
    if (preferred === 'text/html') return sendPage(reply, page, { cache: PUBLIC });
    return sendTagged(request, reply.serializer(toJson), root);
  };

  app.get('/', { config: OPEN, prefixTrailingSlash: 'slash', schema }, answer);
  // Where the service has a path of its own, also without the slash at its end.
  if (app.prefix !== '') app.get('', { config: OPEN, schema: { ...schema, hide: true } }, answer);
};

/** The same at the root of the origin, where the service itself is mounted elsewhere. */
export const landing: FastifyPluginAsync<{ config: LandingConfig; rateLimit: RateLimit }> = async (
  app,
  { config, rateLimit },
) => {
  app.addHook('onRequest', async (request, reply) => rateLimit(request, reply));
  app.addSchema(ProblemSchema);
  app.addSchema(Root);
  await app.register(rootRoutes, { config });
};
