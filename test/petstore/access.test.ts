import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createApiKey } from '../../src/platform/access/api-keys.ts';
import { sharedApp, startApp } from '../harness.ts';
import { KEY, petstoreClient } from './requests.ts';

const t = await sharedApp();
const store = petstoreClient(t);

const METADATA = 'http://127.0.0.1:3000/.well-known/oauth-protected-resource/v3';
const LOGIN = 'http://127.0.0.1:3000/v3/user/login';

describe('pets take a token with the scope, or an API key', () => {
  const operations = [
    ['POST', '/v3/pets', 'write:pets'],
    ['PUT', '/v3/pets', 'write:pets'],
    ['GET', '/v3/pets/findByStatus', 'read:pets'],
    ['GET', '/v3/pets/findByTags?tags=tag1', 'read:pets'],
    ['GET', '/v3/pets/404', 'read:pets'],
    ['POST', '/v3/pets/404?name=A', 'write:pets'],
    ['DELETE', '/v3/pets/404', 'write:pets'],
    ['POST', '/v3/pets/404/uploadImage', 'write:pets'],
  ] as const;

  it.each(operations)('%s %s: %s', async (method, url, scope) => {
    const send = (headers: object = {}) => t.inject({ method, url, headers: { ...headers } });
    const none = await send();
    expect(none.statusCode).toBe(401);
    expect(none.headers['www-authenticate']).toBe(
      `Bearer realm="petstore", resource_metadata="${METADATA}"`,
    );
    for (const scopes of ['read write', scope === 'read:pets' ? 'write:pets' : 'read:pets', '']) {
      const lacking = await send(await t.as('ann', scopes));
      expect(lacking.statusCode).toBe(403);
      expect(lacking.headers['www-authenticate']).toContain(
        `error="insufficient_scope", scope="${scope}"`,
      );
    }
    const session = await send(await store.newSession());
    expect(session.statusCode).toBe(403);
    expect(session.json().detail).toContain('access token');
    for (const good of [await t.as('ann', scope), KEY, { ...KEY, ...(await t.as('ann', '')) }])
      expect([401, 403]).not.toContain((await send(good)).statusCode);
  });
});

describe('GET /store/inventory takes an API key', () => {
  const url = '/v3/store/inventory';

  it('and nothing else', async () => {
    const none = await store.expect(401, { url });
    expect(none.headers['www-authenticate']).toBe('ApiKey realm="petstore", header="api_key"');
    await store.expect(403, { url, headers: await t.as('ann', 'read:pets write:pets') });
    await store.expect(403, { url, headers: await store.newSession() });
    await store.expect(401, { url: `${url}?api_key=special-key` });
    await store.expect(401, { url, headers: { cookie: 'api_key=special-key' } });
    await store.expect(200, { url, headers: KEY });
  });

  it('of this service', async () => {
    const own = await createApiKey(t.db, 'petstore', 'Ann');
    const other = await createApiKey(t.db, 'learning', 'Ann');
    await store.expect(200, { url, headers: { api_key: own.key } });
    await store.expect(401, { url, headers: { api_key: other.key } });
  });
});

describe('credentials that are sent and wrong', () => {
  const wrong = [
    ['an API key', { api_key: 'wrong' }],
    ['an empty API key', { api_key: '' }],
    ['a token', { authorization: 'Bearer wrong' }],
    ['a session', { authorization: `Bearer petstore_session_${'A'.repeat(43)}` }],
    ['no session', { authorization: 'Bearer petstore_session_' }],
    ['Basic', { authorization: 'Basic dXNlcjE6ZGVtbw==' }],
    ['a good key with a wrong token', { ...KEY, authorization: 'Bearer wrong' }],
  ] as const;

  it.each(wrong)('are 401 everywhere: %s', async (_what, headers) => {
    for (const url of ['/v3/pets/1', '/v3/store/order/1', '/v3/user/user1', '/v3/user/logout']) {
      const answer = await store.expect(401, { url, headers: { ...headers } });
      expect(answer.headers['www-authenticate']).toBeDefined();
    }
  });

  it('do not keep anybody from logging in', async () => {
    const url = '/v3/user/login?username=user1&password=demo';
    const [, token] = wrong[3];
    await store.expect(200, { url, headers: { api_key: 'wrong', ...token } });
  });

  it('a cookie that has ended does not matter where none is needed', async () => {
    const headers = { cookie: 'petstore_session=petstore_session_old' };
    await store.expect(200, { url: '/v3/user/user1', headers });
    const answer = await store.expect(401, { url: '/v3/user/logout', headers });
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="petstore users"');
    expect(answer.json().detail).toContain(LOGIN);
  });
});

describe('user operations take a session', () => {
  const user = { username: 'nobody-yet', password: 'x' };

  it.each([
    ['POST', '/v3/user'],
    ['PUT', '/v3/user/user2'],
    ['DELETE', '/v3/user/user2'],
    ['GET', '/v3/user/logout'],
  ] as const)('%s %s', async (method, url) => {
    const payload = method === 'GET' || method === 'DELETE' ? undefined : user;
    const send = (headers: object) =>
      t.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) });
    expect((await send({})).statusCode).toBe(401);
    expect((await send(KEY)).statusCode).toBe(403);
    const token = await send(await t.as('ann', 'read:pets write:pets'));
    expect(token.statusCode).toBe(403);
    expect(token.json().detail).toContain(LOGIN);
    expect((await t.inject({ url: '/v3/user/nobody-yet' })).statusCode).toBe(404);
    expect((await t.inject({ url: '/v3/user/user2' })).statusCode).toBe(200);
  });

  it('as a bearer token or as a cookie, and as a cookie not from other sites', async () => {
    const { authorization } = await store.newSession();
    const cookie = `petstore_session=${authorization.slice(7)}`;
    const create = (headers: object) =>
      t.inject({
        method: 'POST',
        url: '/v3/user',
        headers: { ...headers },
        payload: { username: `made-${crypto.randomUUID()}` },
      });
    expect((await create({ authorization })).statusCode).toBe(200);
    expect((await create({ cookie })).statusCode).toBe(200);
    expect((await create({ cookie, 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200);
    for (const site of ['cross-site', 'same-site'])
      expect((await create({ cookie, 'sec-fetch-site': site })).statusCode).toBe(401);
    // A key that is sent along is no obstacle.
    expect((await create({ ...KEY, cookie })).statusCode).toBe(200);
  });
});

it('scripts of any page may call it, with a key and without cookies', async () => {
  for (const url of ['/v3/pets', '/api/v3/pet']) {
    const preflight = await t.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin: 'https://example.com',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'api_key, content-type',
      },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe('*');
    expect(preflight.headers['access-control-allow-headers']).toContain('api_key');
    expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
  }
});

it('is no token for the train', async () => {
  const headers = await store.newSession();
  expect((await t.inject({ url: '/bookings', headers })).statusCode).toBe(401);
});

it('counts requests by their credentials', async () => {
  await using limited = await startApp({ env: { RATE_LIMIT_MAX: '4' } });
  const get = (headers: object) =>
    limited.inject({ url: '/v3/pets/1', headers: { ...headers } }).then((a) => a.statusCode);
  const token = await limited.as('ann', 'read:pets');
  for (let times = 0; times < 4; times++) expect(await get(KEY)).toBe(200);
  expect(await get(KEY)).toBe(429);
  for (let times = 0; times < 4; times++) expect(await get(token)).toBe(200);
  expect(await get(token)).toBe(429);
  for (let times = 0; times < 4; times++) expect(await get({ api_key: 'wrong' })).toBe(401);
  expect(await get({ api_key: 'wrong' })).toBe(429);
  expect(await get({})).toBe(429);
});

it('holds no session token, key or password in any table', async () => {
  const { authorization } = await store.newSession(`secretive-${crypto.randomUUID()}`);
  const token = authorization.slice(7);
  await t.inject({
    method: 'POST',
    url: '/v3/user',
    headers: { authorization, 'idempotency-key': 'with-a-password' },
    payload: { username: 'has-password', password: 'correct horse battery' },
  });
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('petstore', 'platform')`.execute(t.db);
  expect(tables.length).toBeGreaterThan(5);
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select each::text as row from ${sql.raw(name)} each`.execute(t.db);
    const text = rows.map(({ row }) => row).join('\n');
    const hex = (secret: string) => Buffer.from(secret).toString('hex');
    for (const secret of [token, token.slice(17), 'correct horse battery', 'special-key']) {
      expect(text, name).not.toContain(secret);
      expect(text, name).not.toContain(hex(secret));
    }
  }
});
