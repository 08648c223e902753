import { Type } from '@sinclair/typebox';

const FIRST_PAGE = 1;
const PAGE_SIZE = 10;

/** Query parameters of a list: `page` from 1, `limit` items a page. */
export const PageQuery = {
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      default: FIRST_PAGE,
      examples: [1],
      description: 'The page, from 1. Beyond the last page the list is empty.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: PAGE_SIZE,
      examples: [10],
      description: 'Items a page.',
    }),
  ),
};

export interface Page {
  page?: number;
  limit?: number;
}

interface PageLinks {
  self: string;
  next?: string;
  prev?: string;
}

export const PageLinksSchema = Type.Object(
  {
    self: Type.String({ format: 'uri', description: 'This page.' }),
    next: Type.Optional(
      Type.String({ format: 'uri', description: 'The next page, if there is one.' }),
    ),
    prev: Type.Optional(Type.String({ format: 'uri', description: 'The page before, if any.' })),
  },
  {
    $id: 'Links-Pagination',
    description: 'Where this page is, and the pages beside it.',
    readOnly: true,
  },
);

/** What a query for one page asks for: one row more than shown tells whether a next page exists. */
export const pageWindow = ({ page = FIRST_PAGE, limit = PAGE_SIZE }: Page) => ({
  limit: limit + 1,
  offset: (page - 1) * limit,
});

/** The address with what no query of a URI holds (RFC 3986) encoded: a server is sent more than it should be. */
function toUri(url: string): string {
  const query = url.indexOf('?');
  if (query < 0) return url;
  const odd = /[^\w\-.~:/?@!$&'()*+,;=%]/gu;
  return (
    url.slice(0, query) +
    url.slice(query).replace(odd, (each) => encodeURIComponent(each.toWellFormed()))
  );
}

/**
 * The envelope of a list. `rows` come from `pageWindow`; `url` is the address that was asked for,
 * absolute, and every parameter in it but `page` stays as it was.
 */
export function paginate<T>(
  rows: T[],
  { page = FIRST_PAGE, limit = PAGE_SIZE }: Page,
  url: string,
) {
  const self = toUri(url);
  const at = (number: number) => {
    const link = new URL(self);
    link.searchParams.set('page', String(number));
    return link.href;
  };
  const links: PageLinks = { self };
  if (rows.length > limit) links.next = at(page + 1);
  if (page > 1) links.prev = at(page - 1);
  return { data: rows.length > limit ? rows.slice(0, limit) : rows, links };
}
