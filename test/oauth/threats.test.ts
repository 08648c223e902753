import { afterAll, describe, expect, test } from 'vitest';
import {
  authorize,
  authorizeUrl,
  CALLBACK,
  createBrowser,
  DEMO_USER,
  newPkce,
  startPublicApp,
} from './browser.ts';
import { clientToken, postForm } from './tokens.ts';

const t = await startPublicApp();
afterAll(() => t[Symbol.asyncDispose]());

/** Headers that a proxy would set, from somebody who is none. */
const SPOOFED = {
  forwarded: 'host=evil.example;proto=https',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'https',
  'x-forwarded-port': '1',
  'x-original-url': '/evil',
  'x-rewrite-url': '/evil',
};

describe('RFC 9700 2.1, 4.1: redirect URIs', () => {
  test.each([
    'http://127.0.0.1:4711/callback/',
    'http://127.0.0.1:4711/callback?x=1',
    'http://127.0.0.1:4711/callback#x',
    'http://127.0.0.1:4711/callback/../evil',
    'http://127.0.0.1:4711/CALLBACK',
    'http://127.0.0.1:4711@evil.example/callback',
    'http://evil.example/callback',
    'https://127.0.0.1:4711/callback',
    'http://127.0.0.1.evil.example/callback',
    'http://127.0.0.1:4711\\@evil.example/callback',
    '//evil.example/callback',
    'javascript:alert(1)',
    'data:text/html,x',
  ])('%s: an error on our page, no redirect', async (redirect_uri) => {
    const url = authorizeUrl(newPkce(), { redirect_uri });
    const answer = await t.inject({ url, headers: { accept: 'text/html' } });
    expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined]);
    expect(answer.headers['content-type']).toMatch(/^text\/html/);
  });

  test('nothing else redirects to where a request says', async () => {
    const evil = 'https://evil.example/';
    for (const path of [
      `/login?redirect_uri=${evil}&next=${evil}&returnTo=${evil}`,
      `/oauth/logout?post_logout_redirect_uri=${evil}`,
      `/oauth/logout?client_id=quartet-demo&post_logout_redirect_uri=${evil}`,
      `/oauth/logout/success?client_id=quartet-demo`,
      `/logout?post_logout_redirect_uri=${evil}`,
      `/oauth/grants?next=${evil}`,
    ]) {
      const answer = await t.inject({ url: path, headers: { accept: 'text/html' } });
      expect(String(answer.headers.location ?? '')).not.toContain('evil');
      expect(answer.body).not.toContain('evil');
    }
  });
});

describe('RFC 9700 4.4: mix-up', () => {
  test('every answer names its issuer, errors too', async () => {
    const browser = createBrowser(t.url);
    const page = await browser.go(authorizeUrl(newPkce()));
    const cancelled = await browser.submit(page, '/cancel');
    expect(new URL(cancelled.url).searchParams.get('iss')).toBe(t.url);
    const bad = await browser.go(authorizeUrl(newPkce(), { response_type: 'token' }));
    expect(bad.url).toContain(`iss=${encodeURIComponent(t.url)}`);
    expect((await authorize(browser, newPkce())).get('iss')).toBe(t.url);
  });
});

describe('RFC 9700 4.8: PKCE', () => {
  test.each([
    ['none', { code_challenge: '', code_challenge_method: '' }],
    ['plain', { code_challenge_method: 'plain' }],
    ['plain, by leaving the method out', { code_challenge_method: '' }],
    ['a challenge that is none', { code_challenge: 'short' }],
  ])('%s is refused, also for a confidential client', async (_name, changes) => {
    const browser = createBrowser(t.url);
    const answer = await browser.go(authorizeUrl(newPkce(), changes as Record<string, string>));
    expect(new URL(answer.url).searchParams.get('error')).toBe('invalid_request');
  });
});

describe('RFC 9700 4.12: after a password is sent', () => {
  test('the browser is redirected by 303, which does not send it on', async () => {
    const browser = createBrowser(t.url);
    const page = await browser.go(authorizeUrl(newPkce()));
    const [form] = page.forms;
    const answer = await fetch(new URL(form?.action ?? '', t.url), {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: [...browser.jar.values()].map(({ value }) => value).join('; ') },
      body: new URLSearchParams({ ...form?.fields, ...DEMO_USER }),
    });
    expect(answer.status).toBe(303);
  });
});

describe('Host and X-Forwarded-* of a stranger', () => {
  test('change nothing in a whole sign-in', async () => {
    const browser = createBrowser(t.url, SPOOFED);
    const pkce = newPkce();
    const pages = [await browser.go(authorizeUrl(pkce))];
    pages.push(await browser.submit(pages[0] as never, '/login', DEMO_USER));
    for (const page of pages)
      expect(page.body + JSON.stringify([...page.headers])).not.toContain('evil');
    for (const { value } of browser.jar.values()) expect(value).not.toMatch(/^__/);
    const answer = await authorize(browser, pkce);
    expect(answer.get('iss')).toBe(t.url);
    const form = {
      grant_type: 'authorization_code',
      code: answer.get('code') ?? '',
      code_verifier: pkce.verifier,
      redirect_uri: CALLBACK,
    };
    const tokens = await postForm(t.app, '/oauth/token', form, undefined, {
      ...SPOOFED,
      host: 'evil.example',
    });
    expect(tokens.statusCode).toBe(200);
    expect(tokens.body).not.toContain('evil');
  });

  test('do not make others pay for a guesser: without TRUST_PROXY the address is the peer', async () => {
    const browser = createBrowser(t.url);
    const page = await browser.go(authorizeUrl(newPkce()));
    const statuses = new Set<number>();
    for (let guess = 0; guess < 11; guess += 1) {
      const headers = { 'x-forwarded-for': `198.51.100.${guess}` };
      const fields = { email: 'hidden@example.com', password: 'wrong' };
      statuses.add((await browser.submit(page, '/login', fields, headers)).status);
    }
    expect(statuses).toEqual(new Set([400, 429]));
  });
});

describe('parameters twice', () => {
  test.each(['client_id', 'redirect_uri', 'scope', 'state', 'code_challenge'])(
    '%s',
    async (name) => {
      const url = `${authorizeUrl(newPkce())}&${name}=x`;
      const answer = await t.inject({ url, headers: { accept: 'text/html' } });
      const location = String(answer.headers.location ?? '');
      expect(answer.statusCode === 400 || location.includes('error=invalid_request')).toBe(true);
      expect(location.startsWith('/oauth/interaction')).toBe(false);
    },
  );
});

describe('RFC 6750: challenges', () => {
  const challengeOf = async (headers: Record<string, string>, url = '/bookings') => {
    const answer = await t.inject({ url, headers });
    return { status: answer.statusCode, challenge: String(answer.headers['www-authenticate']) };
  };
  const metadata = `resource_metadata="${t.url}/.well-known/oauth-protected-resource"`;

  test('nothing sent: no error code', async () => {
    const { status, challenge } = await challengeOf({});
    expect([status, challenge]).toEqual([401, `Bearer realm="train", ${metadata}`]);
  });

  test('a wrong token: invalid_token', async () => {
    const { status, challenge } = await challengeOf({ authorization: 'Bearer x.y.z' });
    expect(status).toBe(401);
    expect(challenge).toContain('error="invalid_token"');
  });

  test('too few scopes: 403 with the scope', async () => {
    const authorization = `Bearer ${await clientToken(t.app, 'write')}`;
    const { status, challenge } = await challengeOf({ authorization });
    expect(status).toBe(403);
    expect(challenge).toContain('error="insufficient_scope", scope="read"');
  });

  test('a token in the query is none', async () => {
    const token = await clientToken(t.app);
    const { status } = await challengeOf({}, `/bookings?access_token=${token}`);
    expect(status).toBe(401);
  });
});

test('bookings:all is for registered clients only, and published nowhere', async () => {
  const form = { grant_type: 'client_credentials', scope: 'bookings:all' };
  const answer = await postForm(t.app, '/oauth/token', form);
  expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_scope']);
  const discovery = await t.inject({ url: '/.well-known/openid-configuration' });
  expect(discovery.body).not.toContain('bookings:all');
  const browser = createBrowser(t.url);
  const page = await browser.go(authorizeUrl(newPkce(), { scope: 'read bookings:all' }));
  const consent = await browser.submit(page, '/login', DEMO_USER);
  expect(consent.body).not.toContain('bookings:all');
});
