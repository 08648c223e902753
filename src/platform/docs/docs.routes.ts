import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { type CompressedText, compressedText, sendCompressed } from '../http/compression.ts';
import type { Documents } from '../documents/documents.ts';
import { Html, html } from '../pages/html.ts';
import { guarded, ICON, LOGO, noscriptPage } from '../pages/layout.ts';
import { toPublicHost } from '../pages/public-host.ts';
import { notFound } from '../problems/problems.ts';
import { type Bundle, bundle } from './bundle.ts';

const THEME = readFileSync(new URL('theme.css', import.meta.url), 'utf8');

/** What the page fills in for whoever tries an operation: Scalar's `authentication`. */
export interface Credentials {
  preferredSecurityScheme?: string;
  securitySchemes: Record<string, object>;
}

export interface DocsOptions {
  publicUrl: string;
  /** By the name of the document. */
  credentials: Record<string, Credentials>;
}

/**
 * Looser than other pages where Scalar cannot do without: it is a script and its parts, which are
 * ours to serve; it puts style elements into the page, and style attributes that no hash can name;
 * it fetches documents and sends what is tried, to this server only; and it shows pictures that
 * were answered. Nothing else of the page's, and nothing from elsewhere, is run or loaded.
 */
const policy = (publicUrl: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `connect-src 'self' ${publicUrl}`,
    "img-src 'self' data: blob:",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

/** Nothing of it leaves this server: no fonts, proxy, assistant, registry or telemetry of others. */
const QUIET = {
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  proxyUrl: '',
};

/** Text of a script element that is data: nothing in it ends the element. */
const data = (value: unknown): Html => new Html(JSON.stringify(value).replaceAll('<', '\\u003c'));

/** Above the reference: where it belongs. */
const BAR = html`<nav class="bar" aria-label="Quartet"><a class="brand" href="/" aria-label="Quartet">${LOGO}<span>Quartet</span></a><a href="/problems">Problem types</a><a href="/login">Get a token</a></nav>`;

/** The page that opens with the document `first`. */
function render(
  documents: Documents,
  { credentials }: DocsOptions,
  { version, eager }: Bundle,
  first: string,
): string {
  const services = [...documents].map(([name, document]) => ({ name, ...document }));
  const configuration = {
    ...QUIET,
    theme: 'none',
    sources: services.map(({ name, title, service }) => ({
      title,
      slug: name,
      // Nearly everybody reads the first one, so it comes along.
      ...(name === first
        ? { default: true, content: service.swagger() }
        : { url: `/openapi/${name}.json` }),
      authentication: credentials[name],
    })),
  };
  const links = services.map(
    ({ name, title }) =>
      html`<li><span>${title}</span> <span><a href="/openapi/${name}.json">JSON<span class="unseen"> of ${title}</span></a> · <a href="/openapi/${name}.yaml">YAML<span class="unseen"> of ${title}</span></a></span></li>`,
  );
  const without = noscriptPage(
    {
      title: 'Documentation',
      body: html`<p class="soft">The reference needs JavaScript. These are the OpenAPI documents that it shows:</p><ul class="scopes">${links}</ul>`,
    },
    '.bar',
  );
  return `<!doctype html>${
    html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Documentation · Quartet</title><link rel="icon" href="${ICON}">${eager.map((name) => html`<link rel="modulepreload" href="/docs/${version}/${name}">`)}<link rel="stylesheet" href="/docs/${version}/style.css"><style>${new Html(THEME)}</style><script type="application/json" id="configuration">${data(configuration)}</script><script type="module" src="/docs/${version}/reference.js"></script></head><body>${BAR}<div id="reference"></div>${without}</body></html>`
      .text
  }`;
}

/** /docs: all documents in one page, to read and to try; `?api=` names the one that it opens with. */
export function serveDocs(app: FastifyInstance, documents: Documents, options: DocsOptions): void {
  const { publicUrl } = options;
  const headers = {
    ...guarded(policy(publicUrl)),
    // It names the files of one version: a browser asks whether it is still the same.
    'cache-control': 'public, no-cache',
  };
  const pages = new Map<string, CompressedText>();
  app.get<{ Querystring: { api?: string } }>(
    '/docs',
    { onRequest: toPublicHost(publicUrl) },
    async (request, reply) => {
      const [firstOfAll = ''] = documents.keys();
      const asked = `${request.query.api}`;
      const first = documents.has(asked) ? asked : firstOfAll;
      const page =
        pages.get(first) ??
        compressedText('text/html; charset=utf-8', render(documents, options, bundle(), first));
      pages.set(first, page);
      return sendCompressed(request, reply.headers(headers), page);
    },
  );

  for (const folder of ['', 'chunks/'])
    app.get<{ Params: { version: string; file: string } }>(
      `/docs/:version/${folder}:file`,
      async (request, reply) => {
        const { version, file } = request.params;
        const found = version === bundle().version ? bundle().open(folder + file) : undefined;
        if (!found) throw notFound(`There is no file ${folder}${file} of this version.`);
        reply.header('cache-control', 'public, max-age=31536000, immutable');
        return sendCompressed(request, reply, await found);
      },
    );
}
