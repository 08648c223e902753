import { decodeJwt } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import { createAccount } from '../../src/oauth/accounts.ts';
import {
  authorize,
  authorizeUrl,
  CALLBACK,
  createBrowser,
  DEMO_USER,
  newPkce,
  startPublicApp,
} from './browser.ts';
import { basic, DEMO, postForm } from './tokens.ts';

const t = await startPublicApp();
afterAll(() => t[Symbol.asyncDispose]());

/** What the token endpoint answers over HTTP. */
async function ask(form: Record<string, string>, authorization = DEMO) {
  const body = new URLSearchParams(form);
  const url = `${t.url}/oauth/token`;
  const answer = await fetch(url, { method: 'POST', headers: { authorization }, body });
  const json = (await answer.json()) as Record<string, string>;
  return { statusCode: answer.status, json: () => json as Record<string, string> & Tokens };
}
interface Tokens {
  access_token: string;
  refresh_token: string;
}
const redeem = (code: string | null, verifier: string, changes: Record<string, string> = {}) =>
  ask({
    grant_type: 'authorization_code',
    code: code ?? '',
    code_verifier: verifier,
    redirect_uri: CALLBACK,
    ...changes,
  });
const refresh = (token: string, credentials = DEMO) =>
  ask({ grant_type: 'refresh_token', refresh_token: token }, credentials);
const introspect = async (token: string) =>
  (await postForm(t.app, '/oauth/introspect', { token })).json();

const statusesOf = (answers: { statusCode: number }[]) =>
  answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other);

/** A fresh code of the demo user, and what redeems it. */
async function newCode(browser = createBrowser(t.url), changes: Record<string, string> = {}) {
  const { verifier, challenge } = newPkce();
  const answer = await authorize(browser, { verifier, challenge }, changes);
  return { code: answer.get('code') ?? '', verifier, browser, answer };
}
async function newTokens(browser = createBrowser(t.url), changes: Record<string, string> = {}) {
  const { code, verifier } = await newCode(browser, changes);
  return (await redeem(code, verifier)).json();
}

test('sign in, consent, code, token, call, refresh, sign out', async () => {
  const browser = createBrowser(t.url);
  const pkce = newPkce();
  const signIn = await browser.go(authorizeUrl(pkce));
  expect(signIn.text).toMatch(/^Sign in to continue to Quartet demo/);
  const consent = await browser.submit(signIn, '/login', DEMO_USER);
  expect(consent.text).toContain('See your bookings, payments and tickets');
  expect(consent.text).toContain('127.0.0.1:4711');
  const back = await browser.submit(consent, '/consent', { decision: 'allow' });
  const answer = new URL(back.url);
  expect(answer.origin + answer.pathname).toBe(CALLBACK);
  expect(answer.searchParams.get('state')).toBe('the-state');
  expect(answer.searchParams.get('iss')).toBe(t.url);

  const redeemed = await redeem(answer.searchParams.get('code'), pkce.verifier);
  expect(redeemed.statusCode).toBe(200);
  const tokens = redeemed.json();
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 600, scope: 'read write' });
  expect(decodeJwt(tokens.access_token)).toMatchObject({
    iss: t.url,
    aud: t.url,
    client_id: 'quartet-demo',
  });

  const authorization = `Bearer ${tokens.access_token}`;
  const called = await t.app.inject({ url: '/bookings', headers: { authorization } });
  expect(called.statusCode).toBe(200);

  const refreshed = (await refresh(tokens.refresh_token)).json();
  expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
  expect(await introspect(refreshed.refresh_token)).toMatchObject({ active: true });

  const confirm = await browser.go('/logout');
  expect(confirm.text).toContain(DEMO_USER.email);
  expect((await browser.submit(confirm, '/logout')).text).toMatch(/^You are signed out/);
  expect((await refresh(refreshed.refresh_token)).json().error).toBe('invalid_grant');
  expect(await introspect(refreshed.refresh_token)).toEqual({ active: false });
  const again = await browser.go(authorizeUrl(newPkce()));
  expect(again.text).toMatch(/^Sign in/);
});

describe('consent', () => {
  test('is remembered, asked for what is new, shown, and taken back', async () => {
    const browser = createBrowser(t.url);
    const tokens = await newTokens(browser);
    const next = await browser.go(authorizeUrl(newPkce()));
    expect(next.url).toContain('code=');
    const more = await browser.go(authorizeUrl(newPkce(), { scope: 'read read:pets' }));
    expect(more.text).toContain('See pets in the store');
    const elsewhere = createBrowser(t.url);
    const { code } = await newCode(elsewhere);
    expect(code).not.toBe('');

    const grants = await browser.go('/oauth/grants');
    expect(grants.text).toMatch(/Quartet demo Since \d{4}-\d\d-\d\d/);
    const revoked = await browser.submit(grants, '/revoke', { client_id: 'quartet-demo' });
    expect(revoked.text).toContain('Quartet demo has no access any more');
    expect(revoked.text).toContain('You have let no application in');
    expect((await refresh(tokens.refresh_token)).json().error).toBe('invalid_grant');
    const asked = await browser.go(authorizeUrl(newPkce()));
    expect(asked.text).toMatch(/^Allow access/);
  });

  test('refused: the client learns it, and no more', async () => {
    const browser = createBrowser(t.url);
    const signIn = await browser.go(authorizeUrl(newPkce(), { prompt: 'consent' }));
    const consent = await browser.submit(signIn, '/login', DEMO_USER);
    const back = new URL((await browser.submit(consent, '/consent', { decision: 'deny' })).url);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'the user refused',
      state: 'the-state',
      iss: t.url,
    });
  });

  test('a client of our own is not asked for, and listed nevertheless', async () => {
    const browser = createBrowser(t.url);
    const signIn = await browser.go(authorizeUrl(newPkce(), { client_id: 'quartet-docs' }));
    const back = await browser.submit(signIn, '/login', DEMO_USER);
    expect(back.url).toContain('code=');
    expect((await browser.go('/oauth/grants')).text).toContain('Quartet documentation');
  });

  test('another account can be chosen', async () => {
    const browser = createBrowser(t.url);
    const signIn = await browser.go(authorizeUrl(newPkce(), { prompt: 'consent' }));
    const consent = await browser.submit(signIn, '/login', DEMO_USER);
    const other = await browser.submit(consent, '/switch');
    expect(other.text).toMatch(/^Sign in/);
    const cancelled = await browser.submit(other, '/cancel');
    expect(cancelled.url).toContain('error=access_denied');
  });

  test('signing in as somebody else ends the session before', async () => {
    const id = await createAccount(t.db, 'grace@example.com', 'a long sentence');
    const browser = createBrowser(t.url);
    const first = await newTokens(browser);
    const pkce = newPkce();
    const signIn = await browser.go(authorizeUrl(pkce, { prompt: 'login', scope: 'read' }));
    const grace = { email: 'grace@example.com', password: 'a long sentence' };
    const consent = await browser.submit(signIn, '/login', grace);
    const back = await browser.submit(consent, '/consent', { decision: 'allow' });
    const tokens = await redeem(new URL(back.url).searchParams.get('code'), pkce.verifier);
    expect(decodeJwt(tokens.json().access_token).sub).toBe(id);
    expect((await refresh(first.refresh_token)).json().error).toBe('invalid_grant');
  });

  test('without a scope there is nothing to agree to', async () => {
    const browser = createBrowser(t.url);
    const signIn = await browser.go(authorizeUrl(newPkce(), { scope: '' }));
    expect((await browser.submit(signIn, '/login', DEMO_USER)).url).toContain(
      'error=access_denied',
    );
  });

  test('with offline_access tokens outlive the session', async () => {
    const browser = createBrowser(t.url);
    const changes = { scope: 'openid offline_access read', prompt: 'consent' };
    const tokens = await newTokens(browser, changes);
    await browser.submit(await browser.go('/logout'), '/logout');
    expect((await refresh(tokens.refresh_token)).statusCode).toBe(200);
  });
});

describe('one use', () => {
  test('a refresh token used twice ends its whole family', async () => {
    const first = await newTokens();
    const second = (await refresh(first.refresh_token)).json();
    const third = (await refresh(second.refresh_token)).json();
    expect((await refresh(first.refresh_token)).json().error).toBe('invalid_grant');
    for (const { refresh_token } of [second, third])
      expect((await refresh(refresh_token)).json().error).toBe('invalid_grant');
  });

  test('after a replay the user signs in again without being asked anew', async () => {
    const browser = createBrowser(t.url);
    const first = await newTokens(browser);
    await refresh(first.refresh_token);
    await refresh(first.refresh_token);
    const tokens = await newTokens(browser);
    expect((await refresh(tokens.refresh_token)).statusCode).toBe(200);
  });

  test('a code used twice takes back what it led to', async () => {
    const { code, verifier } = await newCode();
    const tokens = (await redeem(code, verifier)).json();
    expect((await redeem(code, verifier)).json().error).toBe('invalid_grant');
    expect((await refresh(tokens.refresh_token)).json().error).toBe('invalid_grant');
  });

  test('of 8 redemptions of one code at once, one succeeds', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { code, verifier } = await newCode();
      const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(code, verifier)));
      expect(statusesOf(answers)).toEqual([200, ...Array(7).fill(400)]);
    }
  });

  test('of 8 uses of one refresh token at once, one succeeds', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { refresh_token } = await newTokens();
      const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(refresh_token)));
      expect(statusesOf(answers)).toEqual([200, ...Array(7).fill(400)]);
    }
  });
});

describe('the token endpoint refuses', () => {
  test.each([
    ['no verifier', { code_verifier: '' }],
    ['a wrong verifier', { code_verifier: newPkce().verifier }],
    ['the challenge as verifier', { code_verifier: 'challenge' }],
    ['another redirect URI', { redirect_uri: 'http://127.0.0.1:4712/callback' }],
    ['no redirect URI', { redirect_uri: '' }],
  ])('a code with %s', async (_name, changes: Record<string, string>) => {
    const browser = createBrowser(t.url);
    const pkce = newPkce();
    const code = (await authorize(browser, pkce)).get('code');
    const sent =
      changes['code_verifier'] === 'challenge' ? { code_verifier: pkce.challenge } : changes;
    const answer = await redeem(code, pkce.verifier, sent);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toMatch(/^invalid_(grant|request)$/);
  });

  test('a code or a refresh token of another client', async () => {
    const { code, verifier } = await newCode();
    const stolen = await postForm(
      t.app,
      '/oauth/token',
      {
        grant_type: 'authorization_code',
        client_id: 'quartet-docs',
        code,
        code_verifier: verifier,
        redirect_uri: CALLBACK,
      },
      null,
    );
    expect(stolen.json().error).toBe('invalid_grant');
    const { refresh_token } = await newTokens();
    const form = { grant_type: 'refresh_token', refresh_token, client_id: 'quartet-docs' };
    const taken = await postForm(t.app, '/oauth/token', form, null);
    expect(taken.json().error).toBe('invalid_grant');
    expect((await refresh(refresh_token, basic('quartet-demo', 'wrong'))).statusCode).toBe(401);
  });
});

test('a refresh token is introspected and revoked by its own client only', async () => {
  const { refresh_token: token } = await newTokens();
  expect(await introspect(token)).toMatchObject({
    active: true,
    client_id: 'quartet-demo',
    scope: expect.stringContaining('read'),
  });
  const other = { token, client_id: 'quartet-docs' };
  const asked = await postForm(t.app, '/oauth/introspect', other, null);
  expect(asked.json()).toEqual({ active: false });
  await postForm(t.app, '/oauth/revoke', other, null);
  expect(await introspect(token)).toMatchObject({ active: true });
  expect((await postForm(t.app, '/oauth/revoke', { token })).statusCode).toBe(200);
  expect(await introspect(token)).toEqual({ active: false });
  expect((await refresh(token)).json().error).toBe('invalid_grant');
});

test('a client sends its user to sign out', async () => {
  const browser = createBrowser(t.url);
  await newTokens(browser);
  const confirm = await browser.go('/oauth/logout');
  expect(confirm.text).toMatch(/^Sign out\?/);
  const out = await browser.submit(confirm, '/confirm', { logout: 'yes' });
  expect(out.text).toMatch(/^You are signed out/);
  expect((await browser.go(authorizeUrl(newPkce()))).text).toMatch(/^Sign in/);
  const again = await browser.go('/oauth/logout');
  expect(again.body).not.toContain('<script');
  expect((await browser.submit(again, '/confirm', { logout: 'yes' })).text).toMatch(/^You are/);
});

test('scopes of the Petstore are issued too', async () => {
  const tokens = await newTokens(undefined, { scope: 'read:pets write:pets' });
  expect(tokens.scope).toBe('read:pets write:pets');
});
