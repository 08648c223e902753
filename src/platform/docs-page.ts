import type { FastifyInstance } from 'fastify';
import type { Documents } from './documents/documents.ts';
import { type Html, html } from './pages/html.ts';
import { type Page, sendPage } from './pages/layout.ts';

interface Operation {
  summary?: string;
  operationId?: string;
  tags?: string[];
}

/** The parts of an OpenAPI document that the page shows. */
interface Document {
  info: { title: string; version: string; description?: string };
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
}

const operationsOf = ({ paths }: Document, tag: string): Html[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { tags = [] }]) => tags.includes(tag))
      .map(
        ([method, { summary, operationId }]) =>
          html`<li id="${operationId}"><span>${summary}</span> <code>${method.toUpperCase()} ${path}</code></li>`,
      ),
  );

const section = (name: string, document: Document): Html => html`
<h2 id="${name}">${document.info.title} ${document.info.version}</h2>
<p class="soft">${document.info.description?.split('\n\n', 1)[0]}</p>
<p><code>${document.servers[0]?.url}</code></p>
<p>OpenAPI: <a href="/openapi/${name}.json">JSON<span class="unseen"> of ${document.info.title}</span></a> · <a href="/openapi/${name}.yaml">YAML<span class="unseen"> of ${document.info.title}</span></a></p>
${document.tags.map(
  (tag) =>
    html`<h3>${tag.name}</h3><p class="soft">${tag.description}</p><ul class="scopes">${operationsOf(document, tag.name)}</ul>`,
)}`;

/** /docs: what every service offers, of the documents; `?api=` names one of them. */
export function serveDocsPage(app: FastifyInstance, documents: Documents): void {
  const pages = new Map<string, Page>();
  app.get<{ Querystring: { api?: string } }>('/docs', async ({ query }, reply) => {
    const api = documents.has(`${query.api}`) ? `${query.api}` : '';
    let page = pages.get(api);
    if (!page) {
      const shown = [...documents].filter(([name]) => api === '' || name === api);
      const sections = shown.map(([name, service]) =>
        section(name, service.swagger() as unknown as Document),
      );
      page = { title: 'Operations', wide: true, body: html`${sections}` };
      pages.set(api, page);
    }
    return sendPage(reply, page, { cache: 'public, max-age=300' });
  });
}
