import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { FastifyReply, onRequestAsyncHookHandler, onSendAsyncHookHandler } from 'fastify';
import { sendTaggedText } from '../http/etag.ts';
import { type Html, html, Html as Raw } from './html.ts';

const STYLE = readFileSync(new URL('style.css', import.meta.url), 'utf8');
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Four strings, one a service. */
export const LOGO = html`<svg viewBox="0 0 16 16" aria-hidden="true"><rect x="1" y="6" width="2.5" height="9" rx="1.25" fill="#4f6bed"/><rect x="4.8" y="1" width="2.5" height="14" rx="1.25" fill="#e0812b"/><rect x="8.7" y="4" width="2.5" height="11" rx="1.25" fill="#b04fc4"/><rect x="12.5" y="8" width="2.5" height="7" rx="1.25" fill="#1f9d74"/></svg>`;

export const ICON = `data:image/svg+xml,${encodeURIComponent(
  LOGO.text.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" '),
)}`;

const OURS_ALONE = { 'cross-origin-opener-policy': 'same-origin' };

/**
 * For redirects between pages: browsers look at each answer on the way, and one without this would
 * part a window from the one of ours that opened it (/docs waits for such a window).
 */
export const keepOpener: onRequestAsyncHookHandler = async (_request, reply) => {
  reply.headers(OURS_ALONE);
};

/** Headers of every page; `policy` is its Content-Security-Policy. The address goes to nobody. */
export const guarded = (policy: string): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  ...OURS_ALONE,
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
});

/**
 * Those of a page on which nothing is loaded, framed or run; forms go to `formTargets` only (where
 * sending one ends at an application, that is one of them).
 */
export const securityHeaders = (styleHash: string, formTargets: string): Record<string, string> =>
  guarded(
    `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; form-action ${formTargets}; frame-ancestors 'none'; base-uri 'none'`,
  );

function pageHeaders(formTarget?: string): Record<string, string> {
  const targets = ["'self'", ...(formTarget === undefined ? [] : [formTarget])].join(' ');
  return securityHeaders(STYLE_HASH, targets);
}

export interface Page {
  title: string;
  body: Html;
  /** A page that shows more than a form. */
  wide?: boolean;
  /** A form came back with faults: the title says so, which is what a screen reader reads first. */
  isFault?: boolean;
}

const content = ({ title, body, wide }: Page): Html =>
  html`<header>${LOGO}<span>Quartet</span></header><main${wide ? new Raw(' class="wide"') : undefined}><h1>${title}</h1>${body}</main>`;

export const renderPage = (page: Page): string =>
  `<!doctype html>${
    html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${page.isFault ? 'Error: ' : ''}${page.title} · Quartet</title><link rel="icon" href="${ICON}"><style>${new Raw(STYLE)}</style></head><body>${content(page)}</body></html>`
      .text
  }`;

/** What a page that is made by a script shows where none runs; `hide` is what else it has. */
export const noscriptPage = (page: Page, hide: string): Html =>
  html`<noscript><style>${new Raw(STYLE)} ${hide} { display: none; } body { background: none; } noscript { display: contents; }</style>${content(page)}</noscript>`;

/** Takes back what lets scripts of other origins read the services. */
export const forOurOriginOnly: onSendAsyncHookHandler = async (_request, reply, payload) => {
  for (const name of ['access-control-allow-origin', 'access-control-expose-headers', 'vary'])
    reply.removeHeader(name);
  return payload;
};

interface SendOptions {
  status?: number;
  formTarget?: string | undefined;
  /** Cache-Control; a page that holds nothing of its reader may be kept. */
  cache?: string;
}

/** Sends a page of ours to the browser; one that may be kept under its entity tag, or 304. */
export function sendPage(
  reply: FastifyReply,
  page: Page,
  { status = 200, formTarget, cache = 'no-store' }: SendOptions = {},
): FastifyReply {
  const text = renderPage(page);
  reply.code(status).headers({ ...pageHeaders(formTarget), 'cache-control': cache });
  // What may be kept can be asked for again.
  return cache === 'no-store' ? reply.send(text) : sendTaggedText(reply.request, reply, text);
}

/** The same for the library, which writes to the bare response. */
export function setPageHeaders(response: ServerResponse, formTarget?: string): void {
  for (const [name, value] of Object.entries(pageHeaders(formTarget)))
    response.setHeader(name, value);
}
