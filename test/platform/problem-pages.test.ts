import { describe, expect, it } from 'vitest';
import { PROBLEM_TYPES } from '../../src/platform/problems/problem-types.ts';
import { sharedApp } from '../harness.ts';

const t = await sharedApp();
const ORIGIN = 'http://127.0.0.1:3000';
const SLUGS = Object.keys(PROBLEM_TYPES);
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const get = (url: string, accept?: string, more: Record<string, string> = {}) =>
  t.inject({ url, headers: { ...(accept !== undefined && { accept }), ...more } });

const ENTITIES = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
const unescaped = (text: string): string =>
  text.replace(/&(lt|gt|quot|#39|amp);/g, (each) => ENTITIES[each as keyof typeof ENTITIES]);

describe('a problem type', () => {
  it.for([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/problem+json', 'application/json'],
    ['application/json, text/html;q=0.9', 'application/json'],
    [BROWSER, 'text/html'],
    ['application/json;q=0.5, text/html', 'text/html'],
  ])('for Accept %s is %s', async ([accept, type]) => {
    for (const url of ['/problems', '/problems/not-found']) {
      const answer = await get(url, accept);
      expect([answer.statusCode, answer.headers['content-type']?.split(';')[0]]).toEqual([
        200,
        type,
      ]);
      expect(answer.headers).toMatchObject({
        vary: 'Origin, Accept',
        'cache-control': 'public, max-age=3600',
      });
      const etag = `${answer.headers['etag']}`;
      const again = await get(url, accept, { 'if-none-match': etag });
      expect([again.statusCode, again.body, again.headers['vary']]).toEqual([
        304,
        '',
        'Origin, Accept',
      ]);
      const head = await t.inject({
        method: 'HEAD',
        url,
        headers: accept === undefined ? {} : { accept },
      });
      expect([head.statusCode, head.body, head.headers['etag']]).toEqual([200, '', etag]);
    }
  });

  it('is no picture', async () => {
    for (const url of ['/problems', '/problems/not-found'])
      expect((await get(url, 'image/png')).statusCode).toBe(406);
  });

  it.for(SLUGS)('%s has a page with an example that is one', async (slug) => {
    const type = PROBLEM_TYPES[slug as keyof typeof PROBLEM_TYPES];
    const { body } = await get(`/problems/${slug}`, BROWSER);
    const text = unescaped(body.replace(/<[^>]+>/g, ''));
    expect(text).toContain(type.title);
    expect(text).toContain(type.explanation.replaceAll('`', ''));
    expect(body).toContain('href="/problems"');
    expect(body).toContain('href="/docs"');
    const [, example = ''] = /aria-labelledby="example">(.*?)<\/pre>/s.exec(body) ?? [];
    const [head = '', document = ''] = unescaped(example).split('\n\n');
    expect(head).toMatch(
      new RegExp(`^HTTP/1\\.1 ${type.status} .+\nContent-Type: application/problem\\+json`),
    );
    const { detail, instance, errors, ...rest } = JSON.parse(document);
    expect(rest).toEqual({
      type: `${ORIGIN}/problems/${slug}`,
      title: type.title,
      status: type.status,
    });
    expect(detail).not.toBe('');
    expect(instance === undefined || instance.startsWith('/')).toBe(true);
    expect(errors === undefined || slug === 'invalid-request').toBe(true);
  });

  it('that does not exist is a problem, which says where those are that do', async () => {
    for (const slug of ['nothing', '__proto__', 'constructor', '%3Cscript%3E']) {
      const answer = await get(`/problems/${slug}`, BROWSER);
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([
        404,
        'application/problem+json',
      ]);
      expect(answer.json().detail).toContain('/problems lists all there are');
    }
  });
});

describe('the list', () => {
  it('names every type, for programs and for people', async () => {
    const { data } = (await get('/problems')).json();
    expect(data).toEqual(
      SLUGS.map((slug) => ({
        type: `${ORIGIN}/problems/${slug}`,
        ...PROBLEM_TYPES[slug as keyof typeof PROBLEM_TYPES],
      })),
    );
    const { body } = await get('/problems', BROWSER);
    const links = [...body.matchAll(/href="\/problems\/([^"]+)"/g)].map(([, slug = '']) => slug);
    expect(links.toSorted()).toEqual(SLUGS.toSorted());
  });
});

/** The examples that a request can bring about without any state are what it brings about. */
it('an example says what the server says', async () => {
  const json = { 'content-type': 'application/json', ...(await t.as()) };
  const CASES: [string, Parameters<typeof t.inject>[0]][] = [
    ['invalid-request', { url: '/stations?page=0' }],
    [
      'malformed-body',
      { method: 'POST', url: '/bookings', headers: json, payload: '{"passenger_name": "John Doe"' },
    ],
    ['malformed-url', { url: '/stations?search=%ZZ' }],
    ['unauthorized', { url: '/bookings' }],
    [
      'forbidden',
      { method: 'POST', url: '/bookings', headers: await t.as('reader', 'read'), payload: {} },
    ],
    ['not-found', { url: '/bookings/1725ff48-ab45-4bb5-9d02-88745177dedb', headers: json }],
    ['method-not-allowed', { method: 'PUT', url: '/bookings' }],
    ['not-acceptable', { url: '/stations', headers: { accept: 'image/png' } }],
    ['uri-too-long', { url: `/stations/${'x'.repeat(101)}` }],
  ];
  for (const [slug, request] of CASES) {
    const { body } = await get(`/problems/${slug}`, BROWSER);
    const [, example = ''] = /aria-labelledby="example">(.*?)<\/pre>/s.exec(body) ?? [];
    const shown = JSON.parse(unescaped(example).split('\n\n')[1] ?? '');
    expect((await t.inject(request)).json(), slug).toEqual(shown);
  }
});
