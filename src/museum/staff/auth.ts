import basicAuth from '@fastify/basic-auth';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Problem } from '../../platform/problems/problems.ts';
import { addressKey, type RateLimit } from '../../platform/http/rate-limit.ts';
import type { VerifyStaff } from './credentials.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The member of the museum's staff whose valid credentials came; null where none came. */
    staff: string | null;
  }
  interface FastifyContextConfig {
    /** Only the museum's staff may call it; else it is public. */
    staffOnly?: true;
  }
}

const REALM = 'museum';
const CHALLENGE = { 'www-authenticate': `Basic realm="${REALM}", charset="UTF-8"` };

/** How an operation says in the document that it is for staff. */
export const SECURITY = [{ MuseumPlaceholderAuth: [] }];

const unauthorized = (detail: string) =>
  new Problem('unauthorized', detail, { headers: CHALLENGE });

/** The library's verdict on a header that it cannot read. */
const isMalformed = (error: unknown): boolean =>
  (error as { code?: string } | undefined)?.code ===
  'FST_BASIC_AUTH_MISSING_OR_BAD_AUTHORIZATION_HEADER';

/**
 * Guards every route of `app`: credentials that are sent must be right, also where none are needed.
 * Every request counts against the quota of its member of staff, or of its address.
 */
export async function staffAuth(
  app: FastifyInstance,
  { verify, rateLimit }: { verify: VerifyStaff; rateLimit: RateLimit },
): Promise<void> {
  await app.register(basicAuth, {
    authenticate: { realm: REALM },
    async validate(name, password, request) {
      const verified = await verify(name, password, addressKey(request.ip));
      if (verified === undefined) throw unauthorized('The name or the password is wrong.');
      if (typeof verified === 'object')
        throw new Problem(
          'too-many-requests',
          `Too many wrong credentials came; try again in ${verified.waitSeconds} s.`,
          { headers: { 'retry-after': String(verified.waitSeconds) } },
        );
      request.staff = verified;
    },
  });
  const check = app.basicAuth as onRequestHookHandler;

  app.decorateRequest('staff', null);
  app.addHook('onRequest', async (request, reply) => {
    let refused: unknown;
    if (request.headers.authorization !== undefined) {
      refused = await new Promise((resolve) =>
        check.call(app, request, reply, (error?: unknown) => resolve(error)),
      );
      // The library challenges on any fault, also where the database is away.
      reply.removeHeader('www-authenticate');
    }
    rateLimit(request, reply, request.staff === null ? undefined : `staff ${request.staff}`);
    if (isMalformed(refused))
      throw unauthorized('Send credentials as "Authorization: Basic <base64 of name:password>".');
    if (refused !== undefined) throw refused;
    if (request.routeOptions.config.staffOnly && request.staff === null)
      throw unauthorized('This operation is for the staff of the museum; send credentials.');
  });
}

/** Who calls a route that is for staff only. */
export function staffOf(request: FastifyRequest): string {
  if (request.staff === null) throw new Error(`${request.routeOptions.url} is not for staff only`);
  return request.staff;
}
