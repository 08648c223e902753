import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from './problems.ts';
import type { RateLimit } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose valid bearer token came with the request; null where none came. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** The scope that a token must have here; without it the operation is public. */
    scope?: string;
  }
}

/** The holder of a verified access token. */
export interface Caller {
  /** `sub`: whose resources these are. */
  subject: string;
  clientId: string;
  scopes: ReadonlySet<string>;
}

/** The token is not one of ours, or no longer; the message says why, for `error_description`. */
export class InvalidTokenError extends Error {}

/**
 * Verifies an access token. Answers at once where it is known already; throws InvalidTokenError,
 * or a Problem where the keys to check it with cannot be had.
 */
export type VerifyToken = (token: string) => Caller | Promise<Caller>;

export interface BearerOptions {
  verify: VerifyToken;
  rateLimit: RateLimit;
  realm: string;
  /** Where RFC 9728 metadata of the protected service is. */
  metadataUrl: string;
}

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/**
 * Guards every route of `app`: a token that is sent must be valid, also where none is needed, and
 * must have the route's scope. Every request counts against its caller's quota, or its address's.
 */
export function bearerAuth(app: FastifyInstance, options: BearerOptions): void {
  const { verify, rateLimit, realm, metadataUrl } = options;
  const challenge = `Bearer realm="${realm}", resource_metadata="${metadataUrl}"`;

  const unauthorized = (detail: string, error?: InvalidTokenError) =>
    new Problem('unauthorized', detail, {
      headers: {
        'www-authenticate': error
          ? `${challenge}, error="invalid_token", error_description="${error.message}"`
          : challenge,
      },
    });

  async function authenticate(request: FastifyRequest): Promise<Problem | undefined> {
    const header = request.headers.authorization;
    if (header === undefined) return undefined;
    const token = BEARER.exec(header)?.[1];
    if (token === undefined)
      return unauthorized('Send credentials as "Authorization: Bearer <access token>".');
    try {
      request.caller = await verify(token);
      return undefined;
    } catch (error) {
      if (error instanceof InvalidTokenError) {
        return unauthorized(`The access token is not valid: ${error.message}.`, error);
      }
      if (error instanceof Problem) return error;
      throw error;
    }
  }

  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const refused = await authenticate(request);
    const { caller } = request;
    rateLimit(request, reply, caller ? `${caller.clientId} ${caller.subject}` : undefined);
    if (refused) throw refused;
    const { scope } = request.routeOptions.config;
    if (scope === undefined) return;
    if (!caller) throw unauthorized('This operation needs an access token.');
    if (!caller.scopes.has(scope))
      throw new Problem('forbidden', `The access token lacks the scope "${scope}".`, {
        headers: {
          'www-authenticate': `${challenge}, error="insufficient_scope", scope="${scope}"`,
        },
      });
  });
}

/** The caller of a route that has a scope. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error(`${request.routeOptions.url} has no scope`);
  return request.caller;
}
