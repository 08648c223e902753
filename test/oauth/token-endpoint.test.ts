import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import { startApp } from '../harness.ts';
import { basic, clientToken, DEMO, postForm } from './tokens.ts';

const t = await startApp();
afterAll(() => t[Symbol.asyncDispose]());

const ask = (form: Record<string, string>, credentials?: string | null, headers = {}) =>
  postForm(t.app, '/oauth/token', form, credentials, headers);
const grant_type = 'client_credentials';

describe('client credentials', () => {
  test('gives a JWT as RFC 9068 has it, for ten minutes', async () => {
    const answer = await ask({ grant_type, scope: 'read write' });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const body = answer.json();
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 600, scope: 'read write' });
    expect(decodeProtectedHeader(body.access_token)).toEqual({
      alg: 'ES256',
      typ: 'at+jwt',
      kid: expect.any(String),
    });
    const claims = decodeJwt(body.access_token);
    expect(claims).toMatchObject({
      iss: t.config.PUBLIC_URL,
      aud: t.config.PUBLIC_URL,
      sub: 'quartet-demo',
      client_id: 'quartet-demo',
      scope: 'read write',
    });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(600);
  });

  test('takes the secret from the body too', async () => {
    const form = { grant_type, client_id: 'quartet-demo', client_secret: 'demo-secret' };
    expect((await ask(form, null)).statusCode).toBe(200);
  });

  test.each(['', '/', '/v3', '/v3/'])('takes PUBLIC_URL%s as resource', async (path) => {
    const answer = await ask({
      grant_type,
      scope: 'read:pets',
      resource: `${t.config.PUBLIC_URL}${path}`,
    });
    expect(answer.statusCode).toBe(200);
    expect(decodeJwt(answer.json().access_token)).toMatchObject({
      aud: t.config.PUBLIC_URL,
      scope: 'read:pets',
    });
  });

  test('works at a service', async () => {
    const authorization = `Bearer ${await clientToken(t.app)}`;
    const answer = await t.app.inject({ url: '/bookings', headers: { authorization } });
    expect(answer.statusCode).toBe(200);
  });
});

describe('errors are RFC 6749 JSON, whatever Accept says', () => {
  const html = { accept: 'text/html,application/xhtml+xml' };
  test.each([
    [
      'a scope that does not exist',
      { grant_type, scope: 'read admin' },
      DEMO,
      400,
      'invalid_scope',
    ],
    [
      'a resource that is not ours',
      { grant_type, resource: 'https://x.example' },
      DEMO,
      400,
      'invalid_target',
    ],
    ['a wrong secret', { grant_type }, basic('quartet-demo', 'wrong'), 401, 'invalid_client'],
    [
      'the hash of the secret',
      { grant_type },
      basic('quartet-demo', 'Ky8i'),
      401,
      'invalid_client',
    ],
    ['an unknown client', { grant_type }, basic('nobody', 'x'), 401, 'invalid_client'],
    ['a client id with NUL', { grant_type }, basic('a\0b', 'x'), 400, 'invalid_request'],
    ['a public client', { grant_type, client_id: 'quartet-docs' }, null, 400, 'invalid_request'],
    ['no client', { grant_type }, null, 400, 'invalid_request'],
    ['no grant type', {}, DEMO, 400, 'invalid_request'],
    ['an unknown grant type', { grant_type: 'password' }, DEMO, 400, 'unsupported_grant_type'],
    [
      'an unknown code',
      { grant_type: 'authorization_code', code: 'x', redirect_uri: 'x' },
      DEMO,
      400,
      'invalid_grant',
    ],
    [
      'an unknown refresh token',
      { grant_type: 'refresh_token', refresh_token: 'x\0' },
      DEMO,
      400,
      'invalid_grant',
    ],
  ] as [string, Record<string, string>, string | null, number, string][])(
    '%s',
    async (_name, form, credentials, status, error) => {
      const answer = await ask(form, credentials, html);
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(answer.json()).toMatchObject({ error });
      expect(answer.statusCode).toBe(status);
      expect(answer.headers['cache-control']).toBe('no-store');
      if (status === 401) expect(answer.headers['www-authenticate']).toMatch(/^Basic /);
    },
  );

  test('JSON, a body of 100 kB, and malformed credentials', async () => {
    const json = await t.app.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: { authorization: DEMO },
      payload: { grant_type },
    });
    expect([json.statusCode, json.json().error]).toEqual([400, 'invalid_request']);
    const large = await ask({ grant_type, scope: 'x'.repeat(100_000) });
    expect([large.statusCode, large.json().error]).toEqual([400, 'invalid_request']);
    for (const credentials of ['Basic', 'Basic !!', 'Basic AAAA', 'Bearer x', 'Digest x'])
      expect((await ask({ grant_type }, credentials)).statusCode).toBeLessThan(402);
  });

  test('another method, and another path, are problems', async () => {
    const method = await t.app.inject({ method: 'DELETE', url: '/oauth/token' });
    expect([method.statusCode, method.headers['allow']]).toEqual([405, 'POST, OPTIONS']);
    expect((await t.app.inject('/oauth/nothing')).statusCode).toBe(404);
  });
});

describe('revocation and introspection', () => {
  test('a JWT cannot be revoked or introspected, and the answer says so', async () => {
    const token = await clientToken(t.app);
    for (const url of ['/oauth/revoke', '/oauth/introspect']) {
      const answer = await postForm(t.app, url, { token });
      expect([answer.statusCode, answer.json().error]).toEqual([400, 'unsupported_token_type']);
    }
  });

  test('an unknown token is revoked, and inactive', async () => {
    expect((await postForm(t.app, '/oauth/revoke', { token: 'x' })).statusCode).toBe(200);
    const answer = await postForm(t.app, '/oauth/introspect', { token: 'x' });
    expect(answer.json()).toEqual({ active: false });
  });

  test('both want the client to authenticate', async () => {
    for (const url of ['/oauth/revoke', '/oauth/introspect'])
      expect((await postForm(t.app, url, { token: 'x' }, null)).statusCode).toBe(400);
  });
});

test('in production no demo client and no demo account exists, also on a database that has them', async () => {
  const { openOauth } = await import('../../src/oauth/index.ts');
  const { fastify } = await import('fastify');
  const log = t.app.log as never;
  const config = { ...t.config, NODE_ENV: 'production' };
  const oauth = await openOauth({ config, db: t.db, log, rateLimit: () => {} });
  const app = fastify();
  await app.register(oauth.plugin);
  const answer = await postForm(app, '/oauth/token', { grant_type });
  expect([answer.statusCode, answer.json().error]).toEqual([401, 'invalid_client']);
  await app.close();
});
