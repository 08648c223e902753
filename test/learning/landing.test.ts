import { describe, expect, it } from 'vitest';
import { sharedApp, startApp } from '../harness.ts';
import { KEY } from './client.ts';

const t = await sharedApp();
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const get = (accept: string | undefined, url = '/') =>
  t.inject({ url, headers: accept === undefined ? {} : { accept } });

describe('GET / for programs', () => {
  it.each([undefined, '*/*', 'application/json', 'application/*', 'text/html;q=0.5, */*'])(
    'answers Accept: %s with JSON',
    async (accept) => {
      const answer = await get(accept);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.headers['vary']).toMatch(/\bAccept\b/);
      const root = answer.json();
      expect(root).toMatchObject({
        name: 'Quartet',
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        description: expect.stringContaining('Museum'),
      });
      expect(root.services).toEqual(
        [
          ['Train Travel', 'train', ''],
          ['Petstore', 'petstore', '/v3'],
          ['Museum', 'museum', ''],
          ['Learning', 'learning', ''],
        ].map(([name, slug, base]) => ({
          name,
          description: expect.stringMatching(/\w/),
          base: `http://127.0.0.1:3000${base}`,
          document: `http://127.0.0.1:3000/openapi/${slug}.json`,
          docs: `http://127.0.0.1:3000/docs?api=${slug}`,
        })),
      );
    },
  );

  it('has an ETag, needs no key, and refuses a wrong one', async () => {
    const { etag } = (await get(undefined)).headers;
    const again = await t.inject({ url: '/', headers: { 'if-none-match': String(etag) } });
    expect(again.statusCode).toBe(304);
    expect((await t.inject({ url: '/', headers: KEY })).statusCode).toBe(200);
    expect((await t.inject({ url: '/', headers: { 'imf-key': 'x' } })).statusCode).toBe(401);
    expect((await t.inject({ method: 'HEAD', url: '/' })).statusCode).toBe(200);
  });

  it('is 406 where neither is wanted', async () => {
    const answer = await get('image/png');
    expect(answer.statusCode).toBe(406);
    expect(answer.headers['vary']).toMatch(/\bAccept\b/);
  });
});

describe('GET / for browsers', () => {
  it.each([BROWSER, 'text/html', 'text/*', 'application/json;q=0.1, text/html;q=0.2'])(
    'answers Accept: %s with the page',
    async (accept) => {
      const answer = await get(accept);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers).toMatchObject({
        'cache-control': 'public, max-age=300',
        vary: expect.stringMatching(/\bAccept\b/),
        'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-/),
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      });
      for (const name of ['Train Travel', 'Petstore', 'Museum', 'Learning'])
        expect(answer.body).toContain(name);
      expect(answer.body).toContain('IMF-KEY: demo-imf-key');
      expect(answer.body).not.toMatch(/<script|<link[^>]+href="http|<img/);
    },
  );

  it('has an ETag of its own', async () => {
    const { etag } = (await get(BROWSER)).headers;
    expect(etag).not.toBe((await get(undefined)).headers['etag']);
    const headers = { accept: BROWSER, 'if-none-match': String(etag) };
    const again = await t.inject({ url: '/', headers });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect(again.headers['content-type']).toBeUndefined();
  });

  it('shows lines that work as they stand', async () => {
    const { body } = await get(BROWSER);
    const lines = [...body.matchAll(/<pre[^>]*>(.*?)<\/pre>/g)].map(([, line = '']) =>
      line.replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
    );
    expect(lines).toHaveLength(3);
    const [station = '', user = '', token = ''] = lines;
    const pathOf = (line: string) => new URL(/https?:[^' ]+/.exec(line)?.[0] ?? '');
    const found = await t.inject({ url: pathOf(station).pathname + pathOf(station).search });
    expect(found.json().data[0].name).toMatch(/^Berlin/);
    const [, key = ''] = /-H 'IMF-KEY: (.*?)'/.exec(user) ?? [];
    const report = await t.inject({ url: pathOf(user).pathname, headers: { 'imf-key': key } });
    expect(report.json().id).toBe('usr_abc123');
    const [, credentials = ''] = /-u (\S+)/.exec(token) ?? [];
    expect(token).toContain("-d grant_type=client_credentials -d 'scope=read write' http");
    const issued = await t.inject({
      method: 'POST',
      url: pathOf(token).pathname,
      headers: {
        authorization: `Basic ${btoa(credentials)}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: 'grant_type=client_credentials&scope=read+write',
    });
    expect(issued.json().scope).toBe('read write');
  });

  it('shows no token line where another provider has the tokens', async () => {
    const env = { OAUTH_ISSUER: 'https://login.example.com' };
    await using external = await startApp({ env });
    const { body } = await external.inject({ url: '/', headers: { accept: BROWSER } });
    expect(body).toContain('demo-imf-key');
    expect(body).not.toContain('demo-secret');
  });
});

describe('with LEARNING_BASE_PATH', () => {
  it('both the origin and the service have it, and the document names its path', async () => {
    await using moved = await startApp({ env: { LEARNING_BASE_PATH: '/learning/v1' } });
    for (const url of ['/', '/learning/v1', '/learning/v1/']) {
      const root = await moved.inject({ url });
      expect(root.statusCode, url).toBe(200);
      expect(root.json().services[3].base).toBe('http://127.0.0.1:3000/learning/v1');
      const page = await moved.inject({ url, headers: { accept: BROWSER } });
      expect(page.body).toContain('http://127.0.0.1:3000/learning/v1/users/abc123');
    }
    expect((await moved.inject({ method: 'POST', url: '/' })).statusCode).toBe(405);
    expect((await moved.inject({ url: '/quizzes', headers: KEY })).statusCode).toBe(404);
    const made = await moved.inject({
      method: 'POST',
      url: '/learning/v1/quizzes',
      headers: KEY,
      payload: { name: 'Moved' },
    });
    expect(made.headers['location']).toBe(
      `http://127.0.0.1:3000/learning/v1/quizzes/${made.json().id}`,
    );
    const document = (await moved.inject({ url: '/openapi/learning.json' })).json();
    expect(document.servers[0].url).toBe('http://127.0.0.1:3000/learning/v1');
    expect(Object.keys(document.paths)).toContain('/');
    expect(Object.keys(document.paths)).toContain('/quizzes/{id}');
  });
});
