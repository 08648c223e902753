import type { FastifyReply, FastifyRequest } from 'fastify';
import { either, JSON_TYPE, preferred, varyByAccept } from '../formats/media-types.ts';
import { Problem } from '../problems/problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What this route can answer with; without it, JSON. */
    mediaTypes?: readonly string[];
  }
}

const JSON_TYPES = [JSON_TYPE, 'application/problem+json'];

const notAcceptable = (types: readonly string[]) =>
  new Problem('not-acceptable', `This operation answers in ${either(types)} only.`);

/** Throws 406 where Accept rules out all that the route can answer with. */
export function requireAccepted({ headers: { accept }, routeOptions }: FastifyRequest): void {
  const types = routeOptions.config.mediaTypes;
  if (types) {
    if (preferred(accept, types) === undefined) throw notAcceptable(types);
    return;
  }
  if (preferred(accept, JSON_TYPES) === undefined) throw notAcceptable([JSON_TYPE]);
}

/** The one of `types` that Accept likes best, the first where it does not matter; else throws 406. */
export function negotiate<T extends string>(
  request: FastifyRequest,
  reply: FastifyReply,
  types: readonly T[],
): T {
  varyByAccept(reply);
  const type = preferred(request.headers.accept, types);
  if (type === undefined) throw notAcceptable(types);
  return type;
}
