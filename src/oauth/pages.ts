import type { ServerResponse } from 'node:http';

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (each) => ENTITIES[each] ?? '');

/** Nothing is loaded, framed or submitted elsewhere, and the address goes to nobody. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
};

export function setPageHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
}

const STYLE =
  ':root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:4rem auto;padding:0 1rem}button{font:inherit;padding:.5rem 1rem}';

/** A whole page; `title` is text, `body` is HTML. */
const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} · Quartet</title><style>${STYLE}</style></head><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`;

export const errorPage = (error: string, description: string | undefined): string =>
  page(
    'This request cannot be completed',
    `<p role="alert">${escapeHtml(description ?? 'The application sent a request that is not valid.')}</p><p><code>${escapeHtml(error)}</code></p>`,
  );

/** `form` is the library's: hidden fields under the id `op.logoutForm`. */
export const logoutPage = (form: string): string =>
  page(
    'Sign out?',
    `${form}<p><button type="submit" form="op.logoutForm" value="yes" name="logout">Sign out</button> <button type="submit" form="op.logoutForm">Stay signed in</button></p>`,
  );

export const signedOutPage = (): string =>
  page('You are signed out', '<p>You can close this page.</p>');
