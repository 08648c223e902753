import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { FastifyReply, onSendAsyncHookHandler } from 'fastify';
import { type Html, html, Html as Raw } from '../../platform/pages/html.ts';

const STYLE = readFileSync(new URL('style.css', import.meta.url), 'utf8');
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Four strings, one a service. */
const LOGO = html`<svg viewBox="0 0 16 16" aria-hidden="true"><rect x="1" y="6" width="2.5" height="9" rx="1.25" fill="#4f6bed"/><rect x="4.8" y="1" width="2.5" height="14" rx="1.25" fill="#e0812b"/><rect x="8.7" y="4" width="2.5" height="11" rx="1.25" fill="#b04fc4"/><rect x="12.5" y="8" width="2.5" height="7" rx="1.25" fill="#1f9d74"/></svg>`;

const ICON = `data:image/svg+xml,${encodeURIComponent(
  LOGO.text.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" '),
)}`;

/**
 * Headers of every page: nothing is loaded, framed or run, forms go to `formTargets` only (where
 * sending one ends at an application, that is one of them); the page's address goes to nobody.
 */
export const securityHeaders = (
  styleHash: string,
  formTargets: string,
): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; form-action ${formTargets}; frame-ancestors 'none'; base-uri 'none'`,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
});

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

export const renderPage = ({ title, body, wide, isFault }: Page): string =>
  `<!doctype html>${
    html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${isFault ? 'Error: ' : ''}${title} · Quartet</title><link rel="icon" href="${ICON}"><style>${new Raw(STYLE)}</style></head><body><header>${LOGO}<span>Quartet</span></header><main${wide ? new Raw(' class="wide"') : undefined}><h1>${title}</h1>${body}</main></body></html>`
      .text
  }`;

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

/** Sends a page of ours to the browser. */
export function sendPage(
  reply: FastifyReply,
  page: Page,
  { status = 200, formTarget, cache = 'no-store' }: SendOptions = {},
): FastifyReply {
  const headers = { ...pageHeaders(formTarget), 'cache-control': cache };
  return reply.code(status).headers(headers).send(renderPage(page));
}

/** The same for the library, which writes to the bare response. */
export function setPageHeaders(response: ServerResponse, formTarget?: string): void {
  for (const [name, value] of Object.entries(pageHeaders(formTarget)))
    response.setHeader(name, value);
}
