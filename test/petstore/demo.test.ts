import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { seedPetstore } from '../../src/petstore/demo.ts';
import { sharedApp, startApp } from '../harness.ts';
import { KEY } from './requests.ts';

const t = await sharedApp();

describe('what is there from the start', () => {
  const get = async (url: string) => (await t.inject({ url: `/v3${url}`, headers: KEY })).json();

  it('pets 1 to 10', async () => {
    const pets = await Promise.all(
      Array.from({ length: 10 }, (_, index) => get(`/pets/${index + 1}`)),
    );
    const summary = pets.map(
      ({ category, name, tags, status, photoUrls }) =>
        `${name}, ${category.id} ${category.name}: ${tags.map((tag: { name: string }) => tag.name)}; ${status}; ${photoUrls}`,
    );
    expect(summary).toEqual([
      'Cat 1, 2 Cats: tag1,tag2; available; url1,url2',
      'Cat 2, 2 Cats: tag2,tag3; available; url1,url2',
      'Cat 3, 2 Cats: tag3,tag4; pending; url1,url2',
      'Dog 1, 1 Dogs: tag1,tag2; available; url1,url2',
      'Dog 2, 1 Dogs: tag2,tag3; sold; url1,url2',
      'Dog 3, 1 Dogs: tag3,tag4; pending; url1,url2',
      'Lion 1, 4 Lions: tag1,tag2; available; url1,url2',
      'Lion 2, 4 Lions: tag2,tag3; available; url1,url2',
      'Lion 3, 4 Lions: tag3,tag4; available; url1,url2',
      'Rabbit 1, 3 Rabbits: tag3,tag4; available; url1,url2',
    ]);
  });

  it('orders 1 to 3, and what they come to', async () => {
    expect(await get('/store/order/1')).toMatchObject({
      petId: 1,
      quantity: 100,
      status: 'placed',
    });
    expect(await get('/store/order/2')).toMatchObject({
      petId: 1,
      quantity: 50,
      status: 'approved',
    });
    expect(await get('/store/order/3')).toMatchObject({
      petId: 1,
      quantity: 50,
      status: 'delivered',
    });
    expect(await get('/store/inventory')).toEqual({ placed: 100, approved: 50, delivered: 50 });
  });

  it('user1 to user10, who log in with the password demo', async () => {
    for (const number of [1, 10]) {
      expect(await get(`/user/user${number}`)).toMatchObject({
        id: number,
        username: `user${number}`,
      });
      const answer = await t.inject({ url: `/v3/user/login?username=user${number}&password=demo` });
      expect(answer.statusCode).toBe(200);
    }
  });
});

it('is not made anew where somebody changed it', async () => {
  await using app = await startApp();
  await app.inject({ method: 'DELETE', url: '/v3/pets/2', headers: KEY });
  await seedPetstore(app.db);
  expect((await app.inject({ url: '/v3/pets/2', headers: KEY })).statusCode).toBe(404);
});

it('leaves what has such an id or name already alone', async () => {
  await using app = await startApp();
  await sql`truncate petstore.pets, petstore.orders, petstore.users, platform.seeds cascade`.execute(
    app.db,
  );
  await sql`insert into petstore.pets (id, name, photo_urls) values (3, 'Mine', '{}')`.execute(
    app.db,
  );
  await sql`insert into petstore.users (id, username, username_key) values (500, 'USER3', 'user3')`.execute(
    app.db,
  );
  await seedPetstore(app.db);
  const pets = await app.inject({ url: '/v3/pets/3', headers: KEY });
  expect(pets.json()).toEqual({ id: 3, name: 'Mine', photoUrls: [] });
  expect((await app.inject({ url: '/v3/pets/4', headers: KEY })).json().name).toBe('Dog 1');
  expect((await app.inject({ url: '/v3/user/user3' })).json()).toEqual({
    id: 500,
    username: 'USER3',
  });
});

it('has no users and no key in production, also on a database that has seen other days', async () => {
  await using app = await startApp({
    env: { NODE_ENV: 'production', PUBLIC_URL: 'http://127.0.0.1:3000' },
  });
  const status = async (url: string, headers: Record<string, string> = {}) =>
    (await app.inject({ url: `/v3${url}`, headers })).statusCode;
  expect(await status('/user/user1')).toBe(404);
  expect(await status('/user/login?username=user1&password=demo')).toBe(400);
  expect(await status('/pets/1', KEY)).toBe(401);
  // A session from before is none either.
  const token = `petstore_session_${'A'.repeat(43)}`;
  await sql`insert into petstore.sessions (token_hash, user_id, expires_at)
            values (sha256(convert_to(${token}, 'UTF8')), 1, now() + interval '1 hour')`.execute(
    app.db,
  );
  expect(await status('/user/logout', { authorization: `Bearer ${token}` })).toBe(401);
  await using other = await startApp();
  await sql`insert into petstore.sessions (token_hash, user_id, expires_at)
            values (sha256(convert_to(${token}, 'UTF8')), 1, now() + interval '1 hour')`.execute(
    other.db,
  );
  const headers = { authorization: `Bearer ${token}` };
  expect((await other.inject({ url: '/v3/user/logout', headers })).statusCode).toBe(200);
});
