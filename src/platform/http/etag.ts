import { hash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problems/problems.ts';

/** The answer to If-None-Match with the present tag, for the `response` of a route. */
export const notModified = {
  304: Type.Null({ description: 'You have it already: If-None-Match names its ETag.' }),
};

/** Strong entity tag of the bytes that are sent. */
export const entityTag = (body: string | Buffer): string => `"${hash('sha1', body, 'base64url')}"`;

/** Whether If-None-Match lists this tag; it compares weakly. */
export const listsTag = (header: string, tag: string): boolean =>
  header.trim() === '*' ||
  header.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);

/** Whether the client has what this tag stands for (If-None-Match). */
export const isKnown = ({ headers: { 'if-none-match': known } }: FastifyRequest, tag: string) =>
  known !== undefined && listsTag(known, tag);

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
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && isKnown(request, tag)) return reply.code(304).removeHeader('content-type').send();
  return sendSerialized(reply, body);
}

/** Sends text that `reply.serialize` made, in the format that was chosen for the answer. */
export function sendSerialized(reply: FastifyReply, body: string): FastifyReply {
  if (!reply.hasHeader('content-type')) reply.type('application/json; charset=utf-8');
  return reply.serializer(String).send(body);
}

/** Throws 412 where If-Match was sent and names none of the resource's present tags. */
export function requireMatch(ifMatch: string | undefined, ...tags: string[]): void {
  if (ifMatch === undefined) return;
  // Strong comparison: a weak tag never matches.
  const matches =
    ifMatch.trim() === '*' || ifMatch.split(',').some((each) => tags.includes(each.trim()));
  if (!matches)
    throw new Problem(
      'precondition-failed',
      `The entity tag is now ${tags.join(' or ')}; If-Match names another.`,
    );
}
