import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { sharedApp } from '../harness.ts';
import { petstoreClient, unique } from './requests.ts';

const t = await sharedApp();
const store = petstoreClient(t);

const FULL = {
  firstName: 'Zoë',
  lastName: "O'Hara",
  email: 'zoe@example.com',
  phone: '+49 30 1234',
  userStatus: -3,
};

const createList = (list: unknown, headers: Record<string, string> = {}) =>
  t.inject({
    method: 'POST',
    url: '/v3/user/createWithList',
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(list),
  });
const create = async (payload: object) =>
  t.inject({ method: 'POST', url: '/v3/user', headers: await creator, payload });
const creator = store.newSession('the-creator');
const get = (username: string) => t.inject({ url: `/v3/user/${encodeURIComponent(username)}` });
const count = async () =>
  (await sql<{ count: number }>`select count(*) as count from petstore.users`.execute(t.db)).rows[0]
    ?.count;

describe('POST /user', () => {
  it('makes the user, and never answers the password', async () => {
    const username = unique('Théo ');
    const answer = await create({ username, ...FULL, password: 'x' });
    expect(answer.statusCode).toBe(200);
    const { id } = answer.json();
    expect(id).toBeGreaterThan(10);
    expect(answer.json()).toEqual({ id, username, ...FULL });
    expect((await get(username)).json()).toEqual({ id, username, ...FULL });
  });

  it('refuses a name or an id that is taken', async () => {
    const { id, username } = (await create({ username: unique('Taken') })).json();
    for (const name of [username, username.toUpperCase(), `ｔ${username.slice(1)}`]) {
      const answer = await create({ username: name });
      expect(answer.statusCode).toBe(409);
      expect(answer.json().type).toMatch(/\/username-taken$/);
    }
    const answer = await create({ id, username: unique('Other') });
    expect(answer.json()).toMatchObject({
      status: 409,
      detail: `There is a user with the id ${id} already.`,
    });
  });

  it.each([
    [{}, '/username'],
    [{ username: '' }, '/username'],
    [{ username: '  ' }, '/username'],
    [{ username: 'a\nb' }, '/username'],
    [{ username: 'x'.repeat(51) }, '/username'],
    [{ username: 'login' }, '/username'],
    [{ username: 'LogOut' }, '/username'],
    [{ username: 'createWithList' }, '/username'],
    [{ username: '..' }, '/username'],
    [{ username: 'a', password: '' }, '/password'],
    [{ username: 'a', password: 1 }, '/password'],
    [{ username: 'a', password: 'x'.repeat(201) }, '/password'],
    [{ username: 'a', userStatus: 2 ** 31 }, '/userStatus'],
    [{ username: 'a', userStatus: '1' }, '/userStatus'],
    [{ username: 'a', email: null }, '/email'],
    [{ username: 'a', id: 2 ** 53 }, '/id'],
    [{ username: 'a', isAdmin: true }, '/isAdmin'],
    [{ username: 'a', passwordHash: 'x' }, '/passwordHash'],
  ])('refuses %j', async (payload, pointer) => {
    const answer = await create(payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].pointer).toBe(pointer);
  });

  it('makes one user for one Idempotency-Key', async () => {
    const headers = { ...(await creator), 'idempotency-key': unique('user') };
    const send = (payload: object) =>
      t.inject({ method: 'POST', url: '/v3/user', headers, payload });
    const user = { username: unique('Once'), password: 'a' };
    const first = await send(user);
    expect(first.statusCode).toBe(200);
    expect((await send(user)).body).toBe(first.body);
    expect((await send({ ...user, password: 'b' })).statusCode).toBe(422);
  });
});

describe('POST /user/createWithList', () => {
  it('makes them all, for anybody, and answers the last', async () => {
    const names = [unique('z'), unique('m'), unique('a')];
    const answer = await createList(names.map((username) => ({ username, ...FULL })));
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ username: names[2], ...FULL });
    for (const username of names) expect((await get(username)).statusCode).toBe(200);
  });

  it('makes none where one cannot be made', async () => {
    const [first, last] = [unique('first'), unique('last')];
    const before = await count();
    for (const [bad, type] of [
      [{ username: 'USER1' }, 'username-taken'],
      [{ id: 1, username: unique('new') }, 'id-taken'],
    ] as const) {
      const answer = await createList([{ username: first }, bad, { username: last }]);
      expect(answer.statusCode).toBe(409);
      expect(answer.json().type).toBe(`http://127.0.0.1:3000/problems/${type}`);
    }
    expect((await createList([{ username: first }, { userName: last }])).statusCode).toBe(400);
    expect(await count()).toBe(before);
  });

  it('refuses what the list itself has twice, before anything is made', async () => {
    const answer = await createList([
      { id: 5000, username: 'twice' },
      { username: 'other' },
      { id: 5000, username: 'TWICE' },
    ]);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toEqual([
      { pointer: '/2/username', detail: 'must differ from that of /0' },
      { pointer: '/2/id', detail: 'must differ from that of /0' },
    ]);
  });

  it.each([
    ['an empty list', []],
    ['an object', { username: 'a' }],
    ['51 users', Array.from({ length: 51 }, (_, index) => ({ username: `u${index}` }))],
    ['nothing', null],
  ])('refuses %s', async (_what, list) => {
    expect((await createList(list)).statusCode).toBe(400);
  });
});

describe('GET /user/{username}', () => {
  it('finds any name that a user may have', async () => {
    for (const username of [
      'a/b',
      'a?b#c',
      '%2e',
      'ann@example.com',
      '🐶'.repeat(50),
      "';--",
      '123',
    ])
      expect((await (await create({ username }), get(username))).json()).toMatchObject({
        username,
      });
    expect((await get('nobody')).statusCode).toBe(404);
    expect((await get('USER1')).json().username).toBe('user1');
  });
});

describe('PUT and DELETE /user/{username}', () => {
  const change = (method: 'PUT' | 'DELETE', name: string, headers: object, payload?: object) =>
    t.inject({
      method,
      url: `/v3/user/${name}`,
      headers: { ...headers },
      ...(payload && { payload }),
    });

  it("are for one's own account only", async () => {
    const username = unique('mine');
    const mine = await store.newSession(username);
    for (const other of ['user1', 'USER1']) {
      expect((await change('PUT', other, mine, { username: other })).statusCode).toBe(403);
      expect((await change('DELETE', other, mine)).statusCode).toBe(403);
    }
    expect((await change('PUT', 'nobody', mine, { username: 'nobody' })).statusCode).toBe(404);
    expect((await change('DELETE', 'nobody', mine)).statusCode).toBe(404);
    expect((await get('user1')).json()).toMatchObject({ firstName: 'first name 1' });
    expect((await change('PUT', username.toUpperCase(), mine, { username })).statusCode).toBe(200);
  });

  it('replace all but the id, and the password where none is sent', async () => {
    const username = unique('replaced');
    const mine = await store.newSession(username);
    const full = await change('PUT', username, mine, { username, ...FULL });
    const { id } = full.json();
    expect(full.json()).toEqual({ id, username, ...FULL });
    // What came can be sent back.
    expect((await change('PUT', username, mine, full.json())).json()).toEqual(full.json());
    expect((await change('PUT', username, mine, { username })).json()).toEqual({ id, username });
    const moved = await change('PUT', username, mine, { id: id + 1, username });
    expect(moved.statusCode).toBe(400);
    expect(moved.json().errors).toMatchObject([{ pointer: '/id' }]);
  });

  it('take a new name, unless somebody has it', async () => {
    const [before, after] = [unique('before'), unique('after')];
    const mine = await store.newSession(before);
    expect((await change('PUT', before, mine, { username: 'User1' })).statusCode).toBe(409);
    expect((await change('PUT', before, mine, { username: 'login' })).statusCode).toBe(400);
    expect((await change('PUT', before, mine, { username: after })).statusCode).toBe(200);
    expect((await get(before)).statusCode).toBe(404);
    expect((await change('PUT', before, mine, { username: after })).statusCode).toBe(404);
    expect((await change('DELETE', after, mine)).statusCode).toBe(200);
    expect((await get(after)).statusCode).toBe(404);
  });

  it('honour If-Match', async () => {
    const username = unique('tagged');
    const mine = await store.newSession(username);
    const { etag } = (await get(username)).headers;
    const put = (ifMatch: unknown) =>
      change('PUT', username, { ...mine, 'if-match': ifMatch }, { username, phone: '1' });
    expect((await put('"stale"')).statusCode).toBe(412);
    expect((await put(etag)).statusCode).toBe(200);
    expect((await put(etag)).statusCode).toBe(412);
    expect((await change('DELETE', username, { ...mine, 'if-match': etag })).statusCode).toBe(412);
    expect((await change('DELETE', username, { ...mine, 'if-match': '*' })).statusCode).toBe(200);
  });
});
