import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sharedApp, startApp } from '../harness.ts';
import { authorizeUrl, newPkce } from '../oauth/browser.ts';

const t = await sharedApp();
const NAMES = ['train', 'museum', 'petstore', 'learning'];

interface Source {
  slug: string;
  title: string;
  /** Where it is to be had, of those that the page does not bring along. */
  url?: string;
  content?: object;
  default?: boolean;
  authentication: { securitySchemes: Record<string, object> };
}
const configurationIn = (page: string) => {
  const [, text = ''] = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(page) ?? [];
  return JSON.parse(text) as { sources: Source[] } & Record<string, unknown>;
};
const get = (url: string, headers: Record<string, string> = {}) => t.inject({ url, headers });

describe('/docs', () => {
  it('has every document, and opens with the one that is named', async () => {
    const { sources } = configurationIn((await get('/docs')).body);
    expect(sources.map(({ slug }) => slug).toSorted()).toEqual(NAMES.toSorted());
    for (const name of NAMES) {
      const answer = await get(`/docs?api=${name}`);
      const { sources: all } = configurationIn(answer.body);
      const document = (await get(`/openapi/${name}.json`)).json();
      const chosen = all.filter((source) => source.default);
      expect(chosen).toMatchObject([{ slug: name, title: document.info.title }]);
      expect(chosen[0]?.content).toEqual(document);
      const others = all.filter(({ slug }) => slug !== name);
      expect(others.map(({ url }) => url)).toEqual(
        others.map(({ slug }) => `/openapi/${slug}.json`),
      );
      // Every scheme that is filled in is one of the document.
      for (const scheme of Object.keys(chosen[0]?.authentication.securitySchemes ?? {}))
        expect(Object.keys(document.components.securitySchemes)).toContain(scheme);
    }
  });

  it('opens with the first where nothing has the name', async () => {
    const all = (await get('/docs')).body;
    for (const api of ['nothing', '__proto__', '<script>', 'a&api=b', 'train&api=museum'])
      expect((await get(`/docs?api=${encodeURIComponent(api)}`)).body).toBe(all);
    expect((await get('/docs?api=train&api=museum')).body).toBe(all);
  });

  it('runs and loads what is ours, and asks nobody else', async () => {
    const { headers, body } = await get('/docs');
    const policy = `${headers['content-security-policy']}`;
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "connect-src 'self' http://127.0.0.1:3000",
      "img-src 'self' data: blob:",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'public, no-cache',
    });
    expect(configurationIn(body)).toMatchObject({
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
    });
    expect([...body.matchAll(/(?:href|src)="(\w+:[^"]*)"/g)].map(([, url]) => url)).toEqual([
      expect.stringMatching(/^data:image\/svg/),
    ]);
  });

  it('says without JavaScript where the documents are', async () => {
    const [, without = ''] = /<noscript>(.*?)<\/noscript>/s.exec((await get('/docs')).body) ?? [];
    const links = [...without.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
    expect(links.toSorted()).toEqual(
      NAMES.flatMap((name) => [`/openapi/${name}.json`, `/openapi/${name}.yaml`]).toSorted(),
    );
    for (const url of links) expect((await get(url)).statusCode).toBe(200);
  });

  it('serves each file that it names, compressed, for ever', async () => {
    const { body } = await get('/docs');
    const urls = [...body.matchAll(/(?:href|src)="(\/docs\/[^"]+)"/g)].map(([, url = '']) => url);
    expect(urls.length).toBeGreaterThan(5);
    for (const url of urls) {
      const plain = await get(url);
      expect(plain.statusCode, url).toBe(200);
      const type = url.endsWith('.css') ? 'text/css' : 'text/javascript';
      expect(plain.headers).toMatchObject({
        'content-type': `${type}; charset=utf-8`,
        'cache-control': 'public, max-age=31536000, immutable',
      });
      const tags = new Set([plain.headers['etag']]);
      for (const [encoding, unpack] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const packed = await get(url, { 'accept-encoding': encoding });
        expect(packed.headers['content-encoding']).toBe(encoding);
        expect(unpack(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
        tags.add(packed.headers['etag']);
      }
      expect(tags.size).toBe(3);
      for (const [, part = ''] of plain.body.matchAll(/(?:from|import)"(\.[^"]+)"/g))
        expect(body, part).toContain(new URL(part, `http://a${url}`).pathname);
    }
  });

  it('serves no file beside them, and none of another version', async () => {
    const [, version = ''] =
      /src="\/docs\/(\w+)\/reference\.js"/.exec((await get('/docs')).body) ?? [];
    for (const path of [
      `${version}/theme.css`,
      `${version}/bundle.ts`,
      `${version}/scalar.js.br`,
      `${version}/build.mjs`,
      `${version}/..%2Findex.js`,
      `${version}/chunks/..%2Fscalar.js`,
      `${version}/chunks/..%2F..%2F..%2Fpackage.json`,
      'another/reference.js',
      `${version}/__proto__`,
    ])
      expect((await get(`/docs/${path}`)).statusCode, path).toBe(404);
  });

  it('fills in nothing where there are no demo accounts', async () => {
    const env = { NODE_ENV: 'production', PUBLIC_URL: 'https://api.example.com' };
    await using production = await startApp({ env });
    const { sources } = configurationIn((await production.inject({ url: '/docs' })).body);
    const filledIn = JSON.stringify(sources.map(({ authentication }) => authentication));
    for (const secret of ['quartet-d', 'demo-secret', 'special-key', 'curator', 'demo-imf-key'])
      expect(filledIn).not.toContain(secret);
    expect(filledIn).toContain('SHA-256');
  });

  it('takes a token of the provider that OAUTH_ISSUER names', async () => {
    await using external = await startApp({ env: { OAUTH_ISSUER: 'https://login.example.com/' } });
    const { sources } = configurationIn((await external.inject({ url: '/docs' })).body);
    const bearer = {
      type: 'http',
      scheme: 'bearer',
      description: 'An access token of https://login.example.com/.',
    };
    expect(sources.find(({ slug }) => slug === 'train')?.authentication.securitySchemes).toEqual({
      OAuth2: bearer,
    });
  });

  it('goes on under the name of PUBLIC_URL, where what is tried is sent', async () => {
    const answer = await get('/docs?api=museum', { host: 'localhost:3000' });
    expect([answer.statusCode, answer.headers['location']]).toEqual([
      303,
      'http://127.0.0.1:3000/docs?api=museum',
    ]);
  });
});

it('stays in reach of the window that it signs in with, on every answer on the way', async () => {
  const url = authorizeUrl(newPkce(), {
    client_id: 'quartet-docs',
    redirect_uri: 'http://127.0.0.1:3000/docs',
  });
  const asked = await get(url);
  expect([asked.statusCode, asked.headers['cross-origin-opener-policy']]).toEqual([
    303,
    'same-origin',
  ]);
  const answered = await get(`${url}&prompt=none`);
  expect(answered.headers['location']).toMatch(/^http:\/\/127\.0\.0\.1:3000\/docs\?error=/);
  expect(answered.headers['cross-origin-opener-policy']).toBe('same-origin');
});

it('is where the landing page leads, and so is all else that it names', async () => {
  const { body } = await get('/', { accept: 'text/html' });
  const links = [...body.matchAll(/href="(http[^"]+)"/g)].map(([, href = '']) => new URL(href));
  expect(links).toHaveLength(10);
  for (const { origin, pathname, search } of links) {
    expect(origin).toBe('http://127.0.0.1:3000');
    const { statusCode } = await get(pathname + search);
    expect([200, 302, 303], pathname + search).toContain(statusCode);
  }
});

describe('a document', () => {
  const url = '/openapi/train.json';
  it.for([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['identity', undefined],
    ['', undefined],
    ['zstd', undefined],
  ])('for Accept-Encoding "%s" comes as %s', async ([wish = '', encoding]) => {
    const plain = await get(url);
    const answer = await get(url, { 'accept-encoding': wish });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers['vary']).toBe('Origin, Accept-Encoding');
    const unpack =
      { br: brotliDecompressSync, gzip: gunzipSync }[`${encoding}`] ?? ((bytes: Buffer) => bytes);
    expect(unpack(answer.rawPayload).toString()).toBe(plain.body);
    if (encoding) expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);

    const etag = `${answer.headers['etag']}`;
    const again = await get(url, { 'accept-encoding': wish, 'if-none-match': etag });
    expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', etag]);
    expect(again.headers['cache-control']).toBe('public, max-age=300');
    const head = await t.inject({ method: 'HEAD', url, headers: { 'accept-encoding': wish } });
    expect([head.statusCode, head.body, head.headers['etag']]).toEqual([200, '', etag]);
  });

  it('has a tag for each encoding', async () => {
    const tags = ['br', 'gzip', 'identity'].map(
      async (wish) => (await get(url, { 'accept-encoding': wish })).headers['etag'],
    );
    expect(new Set(await Promise.all(tags)).size).toBe(3);
  });
});
