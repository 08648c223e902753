import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { headersNamed } from '../platform/documents/headers.ts';
import { type Page, paginate } from '../platform/http/pagination.ts';

/** The answer of a list: an array, with the pages beside it in `Link`. */
export const listOf = (schema: string, description: string) =>
  Type.Unsafe<unknown[]>({
    type: 'array',
    items: { $ref: schema },
    description,
    headers: headersNamed('Link'),
  });

/** Says in `Link` where the pages beside are; answers the items of this one. `rows` are of `pageWindow`. */
export function onePage<Row>(
  rows: Row[],
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): Row[] {
  const { data, links } = paginate(rows, request.query as Page, publicUrl + request.url);
  const beside = (['next', 'prev'] as const)
    .filter((rel) => links[rel] !== undefined)
    .map((rel) => `<${links[rel]}>; rel="${rel}"`);
  if (beside.length > 0) reply.header('link', beside.join(', '));
  return data;
}
