import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problems/problems.ts';
import type { RateLimit } from '../http/rate-limit.ts';

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

/** The token that an Authorization header holds; undefined where it holds something else. */
export const bearerToken = (header: string): string | undefined => BEARER.exec(header)?.[1];

/** What the services that take access tokens have in common. */
export interface BearerScheme {
  /** 401 with the challenge; `error` where a token was sent and is wrong. */
  unauthorized: (detail: string, error?: InvalidTokenError) => Problem;
  /** The caller that a token belongs to, or the problem to refuse it with. */
  authenticate: (token: string) => Promise<Caller | Problem>;
  /** 403 that names the scope which the token lacks. */
  insufficientScope: (scope: string) => Problem;
}

export function bearerScheme(options: Omit<BearerOptions, 'rateLimit'>): BearerScheme {
  const { verify, realm, metadataUrl } = options;
  const challenge = `Bearer realm="${realm}", resource_metadata="${metadataUrl}"`;

  const unauthorized: BearerScheme['unauthorized'] = (detail, error) =>
    new Problem('unauthorized', detail, {
      headers: {
        'www-authenticate': error
          ? `${challenge}, error="invalid_token", error_description="${error.message}"`
          : challenge,
      },
    });

  return {
    unauthorized,
    async authenticate(token) {
      try {
        return await verify(token);
      } catch (error) {
        if (error instanceof InvalidTokenError)
          return unauthorized(`The access token is not valid: ${error.message}.`, error);
        if (error instanceof Problem) return error;
        throw error;
      }
    },
    insufficientScope: (scope) =>
      new Problem('forbidden', `The access token lacks the scope "${scope}".`, {
        headers: {
          'www-authenticate': `${challenge}, error="insufficient_scope", scope="${scope}"`,
        },
      }),
  };
}

/** What counts a caller's requests together. */
export const callerKey = ({ clientId, subject }: Caller): string => `${clientId} ${subject}`;

/**
 * Guards every route of `app`: a token that is sent must be valid, also where none is needed, and
 * must have the route's scope. Every request counts against its caller's quota, or its address's.
 */
export function bearerAuth(app: FastifyInstance, { rateLimit, ...options }: BearerOptions): void {
  const { authenticate, unauthorized, insufficientScope } = bearerScheme(options);

  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const header = request.headers.authorization;
    const token = header === undefined ? undefined : bearerToken(header);
    const sent = token === undefined ? undefined : await authenticate(token);
    const caller = sent instanceof Problem ? undefined : sent;
    request.caller = caller ?? null;
    rateLimit(request, reply, caller && callerKey(caller));
    if (sent instanceof Problem) throw sent;
    if (header !== undefined && token === undefined)
      throw unauthorized('Send credentials as "Authorization: Bearer <access token>".');
    const { scope } = request.routeOptions.config;
    if (scope === undefined) return;
    if (!caller) throw unauthorized('This operation needs an access token.');
    if (!caller.scopes.has(scope)) throw insufficientScope(scope);
  });
}

/** The caller of a route that has a scope. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error(`${request.routeOptions.url} has no scope`);
  return request.caller;
}
