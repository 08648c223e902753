import type { FastifyReply } from 'fastify';
import Negotiator from 'negotiator';

export const JSON_TYPE = 'application/json';
export const XML = 'application/xml';
export const FORM = 'application/x-www-form-urlencoded';
export const OCTETS = 'application/octet-stream';
export const MULTIPART = 'multipart/form-data';

/** That of `offered` which the header Accept likes best, by its q-values; undefined: none of them. */
export function preferred<T extends string>(
  accept: string | undefined,
  offered: readonly T[],
): T | undefined {
  if (accept === undefined || accept === '*/*') return offered[0];
  const exact = offered.find((type) => type === accept);
  if (exact !== undefined) return exact;
  // Every answer is UTF-8: who asks for it says nothing.
  const bare = accept.replace(/;\s*charset\s*=\s*"?utf-?8"?/gi, '');
  return new Negotiator({ headers: { accept: bare } }).mediaTypes([...offered])[0] as T | undefined;
}

const PROBLEM_TYPES = [
  'application/problem+json',
  JSON_TYPE,
  'application/problem+xml',
  XML,
  'text/xml',
  // Browsers list XML behind HTML. They did not come for XML.
  'text/html',
] as const;

/** The media type of a problem for this Accept: JSON, unless the client likes XML better. */
export const problemType = (
  accept: string | undefined,
): 'application/problem+json' | 'application/problem+xml' =>
  accept?.includes('xml') && preferred(accept, PROBLEM_TYPES)?.includes('xml')
    ? 'application/problem+xml'
    : 'application/problem+json';

/** Says to caches that the answer would be another if this header of the request were. */
export function varyBy(reply: FastifyReply, name: string): void {
  const names = `${reply.getHeader('vary') ?? ''}`.split(/, */).filter(Boolean);
  if (names.some((each) => each.toLowerCase() === name.toLowerCase())) return;
  reply.header('vary', [...names, name].join(', '));
}
export const varyByAccept = (reply: FastifyReply): void => varyBy(reply, 'Accept');

/** "a, b or c". */
export const either = (names: readonly string[]): string =>
  names.join(', ').replace(/, ([^,]*)$/, ' or $1');
