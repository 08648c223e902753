import type { FastifyReply } from 'fastify';
import { type Page, PageQuery, paginate } from '../platform/http/pagination.ts';

const LONGEST_PAGE = 30;

/** Query parameters of the museum's lists: those of all services, with shorter pages. */
export const MuseumPage = {
  page: PageQuery.page,
  limit: { ...PageQuery.limit, maximum: LONGEST_PAGE },
};

/**
 * The rows of one page; the pages beside it are in the header Link (RFC 8288), since the museum's
 * lists are bare arrays. `rows` come from `pageWindow`, `url` is the absolute address asked for.
 */
export function sendList<T>(reply: FastifyReply, rows: T[], page: Page, url: string): T[] {
  const { data, links } = paginate(rows, page, url);
  const { next, prev } = links;
  const beside = Object.entries({ next, prev }).filter(([, href]) => href !== undefined);
  if (beside.length > 0)
    reply.header('link', beside.map(([rel, href]) => `<${href}>; rel="${rel}"`).join(', '));
  return data;
}
