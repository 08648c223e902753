import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { Problem } from './problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What this route can answer with; without it, JSON. */
    mediaTypes?: readonly string[];
  }
}

const JSON_TYPES = ['application/json', 'application/problem+json'];

const preferred = (accept: string | undefined, types: readonly string[]): string | undefined =>
  accept === undefined
    ? types[0]
    : new Negotiator({ headers: { accept } }).mediaTypes([...types])[0];

const notAcceptable = (types: readonly string[]) =>
  new Problem('not-acceptable', `This operation answers in ${types.join(' or ')} only.`);

/** Throws 406 where Accept rules out all that the route can answer with. */
export function requireAccepted({ headers: { accept }, routeOptions }: FastifyRequest): void {
  const types = routeOptions.config.mediaTypes;
  if (types) {
    if (preferred(accept, types) === undefined) throw notAcceptable(types);
    return;
  }
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return;
  if (preferred(accept, JSON_TYPES) === undefined) throw notAcceptable(['application/json']);
}

/** The one of `types` that Accept likes best, the first where it does not matter; else throws 406. */
export function negotiate<T extends string>(
  request: FastifyRequest,
  reply: FastifyReply,
  types: readonly T[],
): T {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'Accept' : `${vary}, Accept`);
  const type = preferred(request.headers.accept, types);
  if (type === undefined) throw notAcceptable(types);
  return type as T;
}
