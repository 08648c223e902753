import type { FastifySchema } from 'fastify';
import { MULTIPART, OCTETS } from './media-types.ts';
import { isFile, type Schema } from './shape.ts';

/** The schema of a route as the document has it: a body of bytes alone is a file. */
export function bodyContent<T extends FastifySchema & { consumes?: readonly string[] }>(
  schema: T,
): T {
  const { consumes = [], body } = schema;
  if (!consumes.includes(OCTETS)) return schema;
  const { properties = {} } = body as Schema;
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [
      name,
      isFile(member) ? { type: 'string', format: 'binary', ...member } : member,
    ]),
  );
  const file = Object.values(members).find(isFile) ?? {};
  const media = (type: string) =>
    type === MULTIPART ? { ...(body as Schema), properties: members } : file;
  const content = Object.fromEntries(consumes.map((type) => [type, { schema: media(type) }]));
  return { ...schema, body: { content } };
}
