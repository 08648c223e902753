import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { authorizeUrl, createBrowser, DEMO_USER, newPkce, startPublicApp } from './browser.ts';

const t = await startPublicApp();
afterAll(() => t[Symbol.asyncDispose]());

async function openSignIn(changes: Record<string, string> = {}) {
  const browser = createBrowser(t.url);
  return { browser, page: await browser.go(authorizeUrl(newPkce(), changes)) };
}

describe('every page', () => {
  test.each(['/oauth/grants', '/logout', '/login/callback', '/oauth/logout', '/oauth/authorize'])(
    '%s is framed, read and cached by nobody, and runs nothing',
    async (url) => {
      const { headers } = await createBrowser(t.url).go(url, { origin: 'https://evil.example' });
      const policy = headers.get('content-security-policy');
      expect(policy).toMatch(/default-src 'none'.*frame-ancestors 'none'; base-uri 'none'/);
      expect(policy).not.toContain('script-src');
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      expect(headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  test('sends forms to us, and on to the application that asks', async () => {
    const { page } = await openSignIn();
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self' http://127.0.0.1:4711;",
    );
    expect(page.body).not.toMatch(/<script| on\w+=|https?:\/\/(?!127\.0\.0\.1|www\.w3\.org)/);
  });

  test('an answer by form_post is allowed its own script only', async () => {
    const { browser, page } = await openSignIn({
      response_mode: 'form_post',
      client_id: 'quartet-docs',
    });
    const answer = await browser.submit(page, '/login', DEMO_USER);
    expect(answer.headers.get('content-security-policy')).toMatch(
      /script-src 'sha256-[^;]*;frame-ancestors 'none'/,
    );
    expect(answer.forms[0]?.action).toBe('http://127.0.0.1:4711/callback');
  });
});

describe('sign-in', () => {
  test('says the same of an unknown address and a wrong password, for the same work', async () => {
    const { browser, page } = await openSignIn();
    const hashing = vi.spyOn(crypto, 'scrypt');
    syncBuiltinESMExports();
    onTestFinished(() => {
      hashing.mockRestore();
      syncBuiltinESMExports();
    });
    const guess = async (email: string) => {
      hashing.mockClear();
      const { status, text } = await browser.submit(page, '/login', { email, password: 'wrong' });
      const work = hashing.mock.calls.map(([, , bytes, options]) => ({ bytes, options }));
      return { status, text, work };
    };
    const known = await guess(DEMO_USER.email);
    expect(known).toMatchObject({ status: 400, work: [{ options: { N: 2 ** 15, r: 8, p: 3 } }] });
    expect(known.text).toContain('That email and password do not belong together.');
    expect(await guess('nobody@example.com')).toEqual(known);
  });

  test('keeps the address, announces the fault, and shows neither password nor markup', async () => {
    const { browser, page } = await openSignIn();
    const fields = { email: '"><script>alert(1)</script>@x', password: 'the-secret-word' };
    const { body } = await browser.submit(page, '/login', fields);
    expect(body).toContain('<title>Error: Sign in');
    expect(body).toContain('role="alert"');
    expect(body).toContain('value="&quot;&gt;&lt;script&gt;');
    expect(body).not.toContain('<script>');
    expect(body).not.toContain('the-secret-word');
  });

  test('is throttled, also for guesses at the same time, also for nobody', async () => {
    const { browser, page } = await openSignIn();
    const email = 'guessed@example.com';
    const guess = () => browser.submit(page, '/login', { email, password: 'wrong' });
    const answers = await Promise.all(Array.from({ length: 12 }, guess));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.text).toContain('Too many attempts. Try again in');
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    const signedIn = await browser.submit(page, '/login', DEMO_USER);
    expect(signedIn.text).toMatch(/^Allow access/);
  });
});

describe('a form that is not from our page', () => {
  test.each([
    ['another site', {}, { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour', {}, { 'sec-fetch-site': 'same-site' }],
    ['another origin', {}, { origin: 'https://evil.example' }],
    ['no token', { csrf: '' }, {}],
    ['another token', { csrf: 'A'.repeat(43) }, {}],
  ])('%s: 403, and nobody is signed in', async (_name, fields, headers) => {
    const { browser, page } = await openSignIn();
    const sent = { ...DEMO_USER, ...(fields as Record<string, string>) };
    const answer = await browser.submit(page, '/login', sent, headers as Record<string, string>);
    expect(answer.status).toBe(403);
    expect((await browser.go('/logout')).text).toMatch(/^You are signed out/);
  });

  test('the token of another browser, and no cookie at all', async () => {
    const { browser, page } = await openSignIn();
    const other = await openSignIn();
    const csrf = other.page.forms[0]?.fields['csrf'] ?? '';
    expect((await browser.submit(page, '/login', { ...DEMO_USER, csrf })).status).toBe(403);
    for (const [name, cookie] of browser.jar)
      if (cookie.value.startsWith('quartet-csrf')) browser.jar.delete(name);
    expect((await browser.submit(page, '/login', DEMO_USER)).status).toBe(403);
  });

  test('the interaction of another browser', async () => {
    const { page } = await openSignIn();
    const stranger = createBrowser(t.url);
    const answer = await stranger.go(page.url);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('another browser')]);
  });

  test('is over once it was answered', async () => {
    const { browser, page } = await openSignIn();
    await browser.submit(page, '/cancel');
    const answer = await browser.submit(page, '/login', DEMO_USER);
    expect(answer.status).toBe(400);
  });
});

describe('sign-up', () => {
  const email = 'ada@example.com';
  test('makes an account and goes on to where one was going', async () => {
    const { browser, page } = await openSignIn();
    expect(page.text).toContain('Create an account');
    const form = await browser.go(`${page.url}/signup`);
    const short = await browser.submit(form, '/signup', { email, password: 'short' });
    expect([short.status, short.text]).toEqual([400, expect.stringContaining('at least 8')]);
    const weak = await browser.submit(form, '/signup', { email, password: 'password1' });
    expect(weak.text).toContain('guessed first');
    const consent = await browser.submit(form, '/signup', { email, password: 'a long sentence' });
    expect(consent.text).toMatch(/^Allow access.*Signed in as ada@example.com/);

    const next = await openSignIn();
    const taken = await next.browser.go(`${next.page.url}/signup`);
    const again = { email: 'ADA@example.com', password: 'another sentence' };
    const refused = await next.browser.submit(taken, '/signup', again);
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('There is an account'),
    ]);
    const signedIn = await next.browser.submit(next.page, '/login', {
      email,
      password: 'a long sentence',
    });
    expect(signedIn.text).toMatch(/^Allow access/);
  });

  test('does not exist where ALLOW_SIGNUP is off, which it is in production', async () => {
    expect(loadConfig({ NODE_ENV: 'production' }).ALLOW_SIGNUP).toBe(false);
    await using closed = await startPublicApp({ env: { ALLOW_SIGNUP: 'false' } });
    const browser = createBrowser(closed.url);
    const page = await browser.go(authorizeUrl(newPkce()));
    expect(page.text).not.toContain('Create an account');
    expect((await browser.go(`${page.url}/signup`)).status).toBe(404);
  });
});

test('a page opened under localhost goes on under 127.0.0.1, where its cookies will be', async () => {
  const { port } = new URL(t.url);
  for (const path of ['/login', '/oauth/authorize?client_id=x', '/oauth/grants', '/logout']) {
    const answer = await t.app.inject({ url: path, headers: { host: `localhost:${port}` } });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, t.url + path]);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  }
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    'localhost:1',
    `localhost:${port}@x`,
  ]) {
    const answer = await t.app.inject({ url: '/logout', headers: { host } });
    expect([answer.statusCode, answer.headers.location]).toEqual([200, undefined]);
  }
});

test('requests to pages and endpoints count against the rate limit', async () => {
  await using limited = await startPublicApp({ env: { RATE_LIMIT_MAX: '3' } });
  const statuses: number[] = [];
  for (const url of ['/oauth/jwks', '/oauth/authorize', '/logout', '/oauth/jwks', '/logout'])
    statuses.push((await limited.app.inject(url)).statusCode);
  expect(statuses).toEqual([200, 400, 200, 429, 429]);
});
