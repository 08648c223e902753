import { expect, it } from 'vitest';
import { sharedApp } from '../harness.ts';

const t = await sharedApp();

const operationsIn = (page: string) =>
  [...page.matchAll(/<li id="([^"]+)">/g)].map(([, id = '']) => id);

it('shows every operation of every document', async () => {
  const answer = await t.inject({ url: '/docs' });
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  const documented: string[] = [];
  for (const name of ['train', 'museum', 'petstore', 'learning']) {
    const { paths } = (await t.inject({ url: `/openapi/${name}.json` })).json();
    for (const operations of Object.values<Record<string, { operationId: string }>>(paths))
      for (const { operationId } of Object.values(operations)) documented.push(operationId);
  }
  expect(operationsIn(answer.body).toSorted()).toEqual(documented.toSorted());
});

it('shows one service where one is named, and all where nothing has the name', async () => {
  const museum = (await t.inject({ url: '/docs?api=museum' })).body;
  expect(operationsIn(museum)).toContain('buyMuseumTickets');
  expect(operationsIn(museum)).not.toContain('create-booking');
  const all = (await t.inject({ url: '/docs' })).body;
  for (const api of ['nothing', '__proto__', '<script>', 'a&api=b'])
    expect((await t.inject({ url: `/docs?api=${encodeURIComponent(api)}` })).body).toBe(all);
});

it('is where the landing page leads, and so is all else that it names', async () => {
  const { body } = await t.inject({ url: '/', headers: { accept: 'text/html' } });
  const links = [...body.matchAll(/href="(http[^"]+)"/g)].map(([, href = '']) => new URL(href));
  expect(links).toHaveLength(10);
  for (const { origin, pathname, search } of links) {
    expect(origin).toBe('http://127.0.0.1:3000');
    const { statusCode } = await t.inject({ url: pathname + search });
    expect([200, 302, 303], pathname + search).toContain(statusCode);
  }
});
