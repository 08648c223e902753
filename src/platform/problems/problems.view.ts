import { STATUS_CODES } from 'node:http';
import { type Html, html } from '../pages/html.ts';
import type { Page } from '../pages/layout.ts';
import { PROBLEM_EXAMPLES } from './problem-examples.ts';
import { Problem, problemDocument } from './problems.ts';
import { PROBLEM_TYPES, type ProblemSlug } from './problem-types.ts';

const SLUGS = Object.keys(PROBLEM_TYPES) as ProblemSlug[];

/** "A `name`" with the name as code. */
const prose = (text: string): Html[] =>
  text.split('`').map((part, index) => (index % 2 ? html`<code>${part}</code>` : html`${part}`));

const statusLine = (status: number): string => `${status} ${STATUS_CODES[status]}`;

/** A whole answer of this kind, as it is sent. */
function exampleOf(slug: ProblemSlug, publicUrl: string): string {
  const { instance, detail, errors, headers = {} } = PROBLEM_EXAMPLES[slug];
  const problem = new Problem(slug, detail, errors && { errors });
  const lines = Object.entries({ 'Content-Type': 'application/problem+json', ...headers });
  return [
    `HTTP/1.1 ${statusLine(problem.status)}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    '',
    JSON.stringify(problemDocument(problem, publicUrl, instance), null, 2),
  ].join('\n');
}

/** One kind of problem: what it means, and what to do. */
export function problemPage(slug: ProblemSlug, publicUrl: string): Page {
  const { title, status, explanation } = PROBLEM_TYPES[slug];
  return {
    title,
    wide: true,
    body: html`<p class="soft"><code>${statusLine(status)}</code> · <code>${slug}</code></p>
<p>${prose(explanation)}</p>
<h2 id="type">Type</h2><pre tabindex="0" role="group" aria-labelledby="type">${publicUrl}/problems/${slug}</pre>
<h2 id="example">Example</h2><pre class="words" tabindex="0" role="group" aria-labelledby="example">${exampleOf(slug, publicUrl)}</pre>
<p class="aside"><a href="/problems">All problem types</a> · <a href="/docs">Docs</a></p>`,
  };
}

/** All kinds, by status. */
export function problemsPage(): Page {
  const byStatus = Map.groupBy(SLUGS, (slug) => PROBLEM_TYPES[slug].status);
  const sections = [...byStatus]
    .toSorted(([one], [other]) => one - other)
    .map(
      ([status, slugs]) =>
        html`<h2>${statusLine(status)}</h2><ul class="scopes">${slugs.map(
          (slug) =>
            html`<li><a href="/problems/${slug}">${PROBLEM_TYPES[slug].title}</a> <code>${slug}</code></li>`,
        )}</ul>`,
    );
  return {
    title: 'Problem types',
    wide: true,
    body: html`<p class="soft">Every answer that is not a success is a problem document (RFC 9457). Its <code>type</code> leads to one of these pages; programs tell problems apart by it, since <code>detail</code> is for people.</p>${sections}
<p class="aside"><a href="/docs">Docs</a></p>`,
  };
}
