import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { deleteEndedSessions } from '../../src/petstore/sessions.queries.ts';
import { openSessions } from '../../src/petstore/sessions.ts';
import { sharedApp, startApp } from '../harness.ts';
import { petstoreClient, unique } from './requests.ts';

const t = await sharedApp();
const store = petstoreClient(t);

const logIn = (username: string, password: string, app = t, remoteAddress = '192.0.2.1') =>
  app.inject({ url: '/v3/user/login', query: { username, password }, remoteAddress });
const isGood = async (headers: { authorization: string }) => {
  const answer = await t.inject({
    method: 'POST',
    url: '/v3/user',
    headers,
    payload: { username: `check-${crypto.randomUUID()}` },
  });
  return answer.statusCode === 200;
};

describe('GET /user/login', () => {
  it('begins a session of an hour', async () => {
    const answer = await logIn('user1', 'demo');
    expect(answer.statusCode).toBe(200);
    const [, token = ''] =
      /^"logged in user session:(petstore_session_[\w-]{43})"$/.exec(answer.body) ?? [];
    const expires = String(answer.headers['x-expires-after']);
    expect(expires).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
    const seconds = (Date.parse(expires) - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(3500);
    expect(seconds).toBeLessThan(3700);
    expect(answer.headers['x-rate-limit']).toBe('2147483647');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['set-cookie']).toBe(
      `petstore_session=${token}; Path=/; Expires=${new Date(expires).toUTCString()}; HttpOnly; SameSite=Strict`,
    );
    expect(await isGood({ authorization: `Bearer ${token}` })).toBe(true);
  });

  it('answers the string in XML to whom asks for it', async () => {
    const answer = await t.inject({
      url: '/v3/user/login?username=user1&password=demo',
      headers: { accept: 'application/xml' },
    });
    expect(answer.headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(answer.body).toMatch(
      /<string>logged in user session:petstore_session_[\w-]{43}<\/string>\s*$/,
    );
  });

  it('knows the user by any case of the name, but not by any of the password', async () => {
    const username = unique('Zoë.');
    await store.addUser({ username, password: 'Pässword' });
    for (const name of [username, username.toUpperCase(), username.normalize('NFD')])
      expect((await logIn(name, 'Pässword')).statusCode).toBe(200);
    expect((await logIn(username, 'pässword')).statusCode).toBe(400);
  });

  it('says the same for an unknown user, a wrong password and none at all', async () => {
    await store.addUser({ username: 'no-password' });
    const answers = [
      await logIn('user2', 'wrong'),
      await logIn('nobody', 'demo'),
      await logIn('no-password', 'demo'),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toBe(answers[0]?.body);
      expect(answer.headers).not.toHaveProperty('set-cookie');
    }
    expect(answers[0]?.json().title).toBe('Invalid username/password supplied');
  });

  it.each(['', '?username=user1', '?password=demo', '?username=&password='])(
    'wants both: "%s"',
    async (query) => {
      await store.expect(400, { url: `/v3/user/login${query}` });
    },
  );

  it('is throttled, for the user and for the address', async () => {
    await using fresh = await startApp();
    // Guesses that run at the same time count too.
    const guesses = await Promise.all(
      Array.from({ length: 13 }, (_, guess) => logIn('user3', `guess ${guess}`, fresh)),
    );
    expect(guesses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      ...Array(10).fill(400),
      ...Array(3).fill(429),
    ]);
    const refused = await logIn('user3', 'demo', fresh);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await logIn('USER3', 'demo', fresh)).statusCode).toBe(429);
    expect((await logIn('user3', 'demo', fresh, '192.0.2.2')).statusCode).toBe(200);
  });

  it('hashes 300 new passwords of an address, and then no more for a while', () => {
    const sessions = openSessions(t.database, true);
    for (let taken = 0; taken < 300; taken += 100)
      expect(sessions.takeNewPasswords(100, 'here')).toBe(0);
    expect(sessions.takeNewPasswords(0, 'here')).toBe(0);
    expect(sessions.takeNewPasswords(1, 'elsewhere')).toBe(0);
    expect(sessions.takeNewPasswords(1, 'here')).toBeGreaterThan(0);
  });
});

describe('a session', () => {
  it('ends by logging out, and only that one', async () => {
    await store.addUser({ username: 'two-sessions', password: 'secret' });
    const [first, second] = [
      await store.logIn('two-sessions', 'secret'),
      await store.logIn('two-sessions', 'secret'),
    ];
    const answer = await store.expect(200, { url: '/v3/user/logout', headers: first });
    expect(answer.body).toBe('');
    expect(answer.headers['set-cookie']).toMatch(/^petstore_session=; .*Expires=Thu, 01 Jan 1970/);
    expect([await isGood(first), await isGood(second)]).toEqual([false, true]);
    await store.expect(401, { url: '/v3/user/logout', headers: first });
  });

  it('ends with its time, swept up or not', async () => {
    const headers = await store.newSession('short-session');
    await sql`update petstore.sessions set expires_at = now() - interval '1 second'
              where user_id = (select id from petstore.users where username = 'short-session')`.execute(
      t.db,
    );
    expect(await isGood(headers)).toBe(false);
    expect(await deleteEndedSessions(t.db)).toBe(1);
    expect(await deleteEndedSessions(t.db)).toBe(0);
  });

  it('ends with its user', async () => {
    const headers = await store.newSession('leaving');
    await store.expect(200, { method: 'DELETE', url: '/v3/user/leaving', headers });
    expect(await isGood(headers)).toBe(false);
    await store.addUser({ username: 'leaving', password: 'other' });
    expect(await isGood(headers)).toBe(false);
  });

  it('goes on when another ends by a new password, and under a new name', async () => {
    await store.addUser({ username: 'changing', password: 'secret' });
    const [mine, other] = [
      await store.logIn('changing', 'secret'),
      await store.logIn('changing', 'secret'),
    ];
    const put = (user: object, name = 'changing') =>
      t.inject({ method: 'PUT', url: `/v3/user/${name}`, headers: mine, payload: user });
    expect((await put({ username: 'changing', email: 'a@example.com' })).statusCode).toBe(200);
    expect(await isGood(other)).toBe(true);
    expect((await put({ username: 'changing', password: 'new' })).statusCode).toBe(200);
    expect([await isGood(mine), await isGood(other)]).toEqual([true, false]);
    expect((await logIn('changing', 'secret')).statusCode).toBe(400);
    expect((await logIn('changing', 'new')).statusCode).toBe(200);
    expect((await put({ username: 'changed' })).statusCode).toBe(200);
    expect(await isGood(mine)).toBe(true);
    expect((await logIn('changed', 'new')).statusCode).toBe(200);
  });
});

it('nothing secret is logged, whatever goes wrong', async () => {
  let log = '';
  await using logged = await startApp({ log: { write: (line) => void (log += line) } });
  const secrets = ['pass-w0rd-1', 'pass-w0rd-2', 'special-key'];
  const url = `/v3/user/login?username=ann&password=${secrets[0]}`;
  const list = [{ username: 'ann', password: secrets[0] }];
  const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', to: string, payload?: object) =>
    logged.inject({
      method,
      url: to,
      headers: { api_key: 'special-key' },
      ...(payload && { payload }),
    });
  await send('POST', '/v3/user/createWithList', list);
  const token = /session:(\S+)"/.exec((await send('GET', url)).body)?.[1] ?? '';
  expect(token).not.toBe('');
  await send('GET', url.replace('login', 'login/'));
  await send('GET', url.replace('/v3', '/api/v3'));
  await send('DELETE', url);
  await send('GET', `/v3/user/login?username=ann&password=${secrets[1]}%`);
  await send('POST', '/v3/user/createWithList', [{ username: 'ann', password: secrets[1], x: 1 }]);
  await sql`drop table petstore.sessions`.execute(logged.db);
  expect((await send('GET', url)).statusCode).toBe(500);
  expect(log).toContain('request failed');
  expect(log).toContain('/v3/user/login');
  for (const secret of [...secrets, token]) expect(log).not.toContain(secret);
});
