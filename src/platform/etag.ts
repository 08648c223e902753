import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from './problems.ts';

/** Strong entity tag of the bytes that are sent. */
export const entityTag = (body: string | Buffer): string => `"${hash('sha1', body, 'base64url')}"`;

/** Whether If-None-Match lists this tag; it compares weakly. */
export const listsTag = (header: string, tag: string): boolean =>
  header.trim() === '*' ||
  header.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);

/**
 * Serialises `resource` by the route's schema and sends it under its entity tag, or 304 without a
 * body where the client has it already (If-None-Match).
 */
export const sendTagged = (request: FastifyRequest, reply: FastifyReply, resource: unknown) =>
  sendTaggedText(request, reply, reply.serialize(resource) as string);

/** The same for JSON that is serialised already: for routes that have other formats besides it. */
export function sendTaggedText(request: FastifyRequest, reply: FastifyReply, body: string) {
  const tag = entityTag(body);
  reply.header('etag', tag);
  const known = request.headers['if-none-match'];
  if (known !== undefined && listsTag(known, tag)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(body);
}

/** Throws 412 where If-Match was sent and does not name the resource's present tag. */
export function requireMatch(ifMatch: string | undefined, tag: string): void {
  if (ifMatch === undefined) return;
  // Strong comparison: a weak tag never matches.
  const matches = ifMatch.trim() === '*' || ifMatch.split(',').some((each) => each.trim() === tag);
  if (!matches)
    throw new Problem(
      'precondition-failed',
      `The entity tag is now ${tag}; If-Match names another.`,
    );
}
