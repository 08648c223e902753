import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { sharedApp } from '../harness.ts';
import { png } from './images.ts';
import { KEY, petstoreClient, unique } from './requests.ts';

const t = await sharedApp();
const store = petstoreClient(t);

const send = async (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: object,
  headers: object = KEY,
) => {
  const answer = await t.inject({
    method,
    url: `/v3${url}`,
    headers: { ...headers },
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, body: answer.body, answer };
};
const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
const statuses = (answers: { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

describe('ids of the server and ids of clients', () => {
  it.each([
    ['pets', '/pets', () => ({ name: 'A', photoUrls: [] })],
    ['orders', '/store/order', () => ({ petId: 1 })],
    ['users', '/user/createWithList', () => ({ username: unique('racer') })],
  ] as const)('never meet, however they come: %s', async (table, url, make) => {
    const { rows } = await sql<{ next: number }>`
      select last_value + 1 as next from ${sql.raw(`petstore.${table}_id`)}`.execute(t.db);
    const next = Number(rows[0]?.next);
    const isList = table === 'users';
    const post = async (id?: number) => {
      const resource = { ...make(), ...(id !== undefined && { id }) };
      return send('POST', url, isList ? [resource] : resource);
    };
    // Clients take every other id just where the server is about to give its own.
    const answers = await times(60, (index) => post(index % 2 === 0 ? undefined : next + index));
    const made = answers.filter(({ status }) => status === 200);
    const ids = made.map(({ answer }) => answer.json().id as number);
    expect(new Set(ids).size).toBe(ids.length);
    answers.forEach(({ status, body, answer }, index) => {
      if (index % 2 === 0) expect(status, body).toBe(200);
      else if (status === 200) expect(answer.json().id).toBe(next + index);
      else expect([status, answer.json().type]).toEqual([409, expect.stringMatching(/id-taken$/)]);
    });
    // What the server gave is refused to clients from then on.
    for (const id of ids.slice(0, 5)) expect((await post(id)).status).toBe(409);
  });

  it('one of many wins an id', async () => {
    const answers = await times(20, () =>
      send('POST', '/pets', { id: 31337, name: 'A', photoUrls: [] }),
    );
    expect(statuses(answers)).toEqual([200, ...Array(19).fill(409)]);
  });
});

it('one of many wins a username, whatever its case', async () => {
  const answers = await times(12, (index) =>
    send('POST', '/user/createWithList', [{ username: index % 2 ? 'WINNER' : 'winner' }]),
  );
  expect(statuses(answers)).toEqual([200, ...Array(11).fill(409)]);
});

it('of lists that share users one is made whole, in whatever order they have them', async () => {
  for (let round = 0; round < 5; round++) {
    const names = Array.from({ length: 10 }, () => unique('shared'));
    const answers = await times(8, (index) => {
      const own = { username: unique(`own${index}-`) };
      const shared = names.map((username) => ({ username }));
      return send('POST', '/user/createWithList', [
        own,
        ...(index % 2 ? shared : shared.toReversed()),
      ]);
    });
    expect(statuses(answers)).toEqual([200, ...Array(7).fill(409)]);
  }
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from petstore.users where username like 'own%'`.execute(t.db);
  expect(rows[0]?.count).toBe(5);
});

it('of renamings to one name one succeeds', async () => {
  const users = await times(6, async () => {
    const username = unique('renamed');
    return { username, headers: await store.newSession(username) };
  });
  const answers = await Promise.all(
    users.map(({ username, headers }) =>
      send('PUT', `/user/${username}`, { username: 'the-one-name' }, headers),
    ),
  );
  expect(statuses(answers)).toEqual([200, ...Array(5).fill(409)]);
});

it('a pet is put, changed and deleted at once: every answer tells the truth', async () => {
  for (let round = 0; round < 10; round++) {
    const { id } = await store.addPet({ status: 'available' });
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, (_, index) =>
        send('PUT', '/pets', { id, name: `Put ${index}`, photoUrls: [] }),
      ),
      ...Array.from({ length: 4 }, () => send('POST', `/pets/${id}?name=Changed`)),
      ...Array.from({ length: 3 }, () => send('DELETE', `/pets/${id}`)),
    ]);
    for (const { status } of answers) expect([200, 404]).toContain(status);
    expect(answers.slice(8).filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await send('GET', `/pets/${id}`)).status).toBe(404);
  }
});

it('of changes under one entity tag one succeeds', async () => {
  const { id } = await store.addPet();
  const { etag } = (await send('GET', `/pets/${id}`)).answer.headers;
  const answers = await times(8, (index) =>
    send(
      'PUT',
      '/pets',
      { id, name: `By tag ${index}`, photoUrls: [] },
      { ...KEY, 'if-match': etag },
    ),
  );
  expect(statuses(answers)).toEqual([200, ...Array(7).fill(412)]);
});

it('no order is placed for a pet that is gone', async () => {
  for (let round = 0; round < 10; round++) {
    const { id } = await store.addPet();
    let isGone = false;
    const order = async () => {
      const wasGone = isGone;
      const { status } = await send('POST', '/store/order', { petId: id });
      if (wasGone) expect(status).toBe(404);
      return { status };
    };
    const remove = async () => {
      const deleted = await send('DELETE', `/pets/${id}`);
      isGone = true;
      return deleted;
    };
    const answers = await Promise.all([order(), order(), remove(), order(), order()]);
    for (const { status } of answers) expect([200, 404]).toContain(status);
    expect((await order()).status).toBe(404);
  }
});

it('images and photoUrls agree, however uploads and updates meet', async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await store.addPet();
    const upload = (index: number) =>
      t.inject({
        method: 'POST',
        url: `/v3/pets/${id}/uploadImage`,
        headers: { ...KEY, 'content-type': 'application/octet-stream' },
        payload: png(`${index}`),
      });
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, (_, index) => upload(index)),
      ...Array.from({ length: 6 }, () =>
        send('PUT', '/pets', { id, name: 'Put', photoUrls: ['a'] }),
      ),
    ]);
    expect(answers.length).toBe(12);
    const { rows } = await sql<{ listed: string[]; stored: string[] | null }>`
      select array_remove(p.photo_urls, 'a') as listed,
             (select array_agg(format('pets/%s/images/%s', i.pet_id, i.id)) from petstore.images i
              where i.pet_id = p.id) as stored
      from petstore.pets p where p.id = ${id}`.execute(t.db);
    expect(rows[0]?.stored?.toSorted() ?? []).toEqual(rows[0]?.listed.toSorted());
  }
});

it('no session outlives its user or a new password, however they meet', async () => {
  for (let round = 0; round < 2; round++) {
    const username = unique('fleeting');
    await store.addUser({ username, password: 'secret' });
    const mine = await store.logIn(username, 'secret');
    const login = () => send('GET', `/user/login?username=${username}&password=secret`);
    const answers = await Promise.all([
      login(),
      login(),
      send('PUT', `/user/${username}`, { username, password: 'new' }, mine),
      login(),
    ]);
    expect(answers[2]?.status).toBe(200);
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from petstore.sessions s join petstore.users u on u.id = s.user_id
      where u.username = ${username}`.execute(t.db);
    expect(rows[0]?.count).toBe(1);
    const [left] = await Promise.all([
      send('GET', `/user/login?username=${username}&password=new`),
      send('DELETE', `/user/${username}`, undefined, mine),
    ]);
    expect([200, 400]).toContain(left.status);
  }
  const { rows } = await sql`
    select from petstore.sessions s left join petstore.users u on u.id = s.user_id
    where u.id is null`.execute(t.db);
  expect(rows).toHaveLength(0);
});
