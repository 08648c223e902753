import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiKeyHolder, VerifyApiKey } from '../platform/access/api-keys.ts';
import { Problem } from '../platform/problems/problems.ts';
import type { RateLimit } from '../platform/http/rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose API key came with the request; null on the operation that needs none. */
    keyHolder: ApiKeyHolder | null;
  }
  interface FastifyContextConfig {
    /** The operation needs no API key. */
    isOpen?: boolean;
  }
}

/** There is no registered scheme for keys in a header of their own; the parameter says which. */
const CHALLENGE = { 'www-authenticate': 'ApiKey realm="learning", header="IMF-KEY"' };

/** Longer than any key is; a longer one is not worth a hash. */
const LONGEST = 200;

/**
 * Guards every route of `app` by the header IMF-KEY; one that is sent must be good, also where none
 * is needed. Every request counts against its key's quota, or its address's.
 */
export function apiKeyAuth(app: FastifyInstance, verify: VerifyApiKey, rateLimit: RateLimit): void {
  app.decorateRequest('keyHolder', null);
  app.addHook('onRequest', async (request, reply) => {
    const key = request.headers['imf-key'];
    if (typeof key === 'string' && key !== '' && key.length <= LONGEST)
      request.keyHolder = (await verify(key)) ?? null;
    rateLimit(request, reply, request.keyHolder ? `key ${request.keyHolder.id}` : undefined);
    if (request.keyHolder || (key === undefined && request.routeOptions.config.isOpen)) return;
    const detail =
      key === undefined
        ? 'This operation needs an API key; send it in the header IMF-KEY.'
        : 'The API key in the header IMF-KEY is not valid: mistyped, or revoked.';
    throw new Problem('unauthorized', detail, { headers: CHALLENGE });
  });
}

/** The id of the key that a request to a guarded route came with. */
export function keyIdOf({ keyHolder, routeOptions }: FastifyRequest): string {
  if (!keyHolder) throw new Error(`${routeOptions.url} needs no key`);
  return keyHolder.id;
}
