import type { FastifyReply, FastifyRequest } from 'fastify';
import { listsTag } from './etag.ts';

export interface SentFile {
  /** Media type. */
  type: string;
  /** What a browser saves it as; ASCII, without quotes. */
  name: string;
  /** Shown in the browser where it can be; else saved. */
  isInline?: boolean;
  /** Strong, with its quotes. */
  etag: string;
  lastModified: Date;
  /** Not called where the client has the file already. */
  bytes: () => Buffer | Promise<Buffer>;
}

/** Sends a file under its entity tag and time, or 304 (If-None-Match, else If-Modified-Since). */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, name, isInline = false, etag, lastModified, bytes }: SentFile,
): Promise<FastifyReply> {
  // HTTP dates have no fractions: a change within the second is told by the tag only.
  const seconds = Math.floor(lastModified.getTime() / 1000);
  reply.headers({ etag, 'last-modified': new Date(seconds * 1000).toUTCString() });
  const { 'if-none-match': known, 'if-modified-since': since } = request.headers;
  const isKnown =
    known === undefined
      ? since !== undefined && seconds * 1000 <= Date.parse(since)
      : listsTag(known, etag);
  if (isKnown) return reply.code(304).send();
  const file = await bytes();
  return reply
    .header('content-disposition', `${isInline ? 'inline' : 'attachment'}; filename="${name}"`)
    .type(type)
    .send(file);
}
