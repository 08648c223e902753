import createClient from 'openapi-fetch';
import { describe, expect, it } from 'vitest';
import { sharedApp } from '../harness.ts';
import { png } from '../petstore/images.ts';
import { KEY, unique } from '../petstore/requests.ts';
import { answered, refused } from './answers.ts';
import type { paths, Writable } from './generated/petstore.ts';

type Operation = paths['/user']['post'];
type NewUser = Writable<Operation['requestBody']['content']['application/json']>;

const t = await sharedApp();
const baseUrl = `${await t.listen()}/v3`;
const api = createClient<paths>({ baseUrl, headers: KEY });

const DOGGIE = { name: 'doggie', photoUrls: ['https://example.com/doggie.jpg'] };
const USER: NewUser = {
  username: 'theUser',
  firstName: 'John',
  email: 'john@example.com',
  password: '12345',
};

/** A form of the members of `body`. */
function formOf(body: Record<string, string | Blob>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) form.set(name, value);
  return form;
}

describe('a generated client of the petstore', () => {
  it('adds a pet, finds it, gives it a picture, changes and deletes it', async () => {
    const body = { ...DOGGIE, category: { id: 1, name: 'Dogs' }, status: 'available' } as const;
    const pet = answered(await api.POST('/pets', { body }));
    expect(pet).toEqual({ ...body, id: pet.id });
    const query = { status: ['available' as const, 'sold' as const] };
    const found = answered(await api.GET('/pets/findByStatus', { params: { query } }));
    expect(found).toContainEqual(pet);

    const params = { path: { petId: pet.id } };
    const picture = new Blob([new Uint8Array(png())], { type: 'image/png' });
    const form = { file: picture, additionalMetadata: 'front' };
    const uploaded = await api.POST('/pets/{petId}/uploadImage', {
      params,
      body: form,
      bodySerializer: () => formOf(form),
    });
    expect(answered(uploaded)).toMatchObject({ code: 200, type: 'image/png' });
    const seen = answered(await api.GET('/pets/{petId}', { params }));
    expect(seen.photoUrls).toHaveLength(2);
    const imageId = seen.photoUrls[1]?.split('/').at(-1) ?? '';
    const image = await api.GET('/pets/{petId}/images/{imageId}', {
      params: { path: { petId: pet.id, imageId } },
      parseAs: 'arrayBuffer',
    });
    expect(Buffer.from(answered(image))).toEqual(png());

    const sold = answered(await api.PUT('/pets', { body: { ...seen, status: 'sold' } }));
    expect(sold).toEqual({ ...seen, status: 'sold' });
    const renamed = await api.POST('/pets/{petId}', {
      params: { ...params, query: { name: 'doggy' } },
    });
    expect(answered(renamed).name).toBe('doggy');
    expect(answered(await api.DELETE('/pets/{petId}', { params }))).toBeUndefined();
    expect(refused(await api.GET('/pets/{petId}', { params })).status).toBe(404);
  });

  it('orders a pet', async () => {
    const { id: petId } = answered(await api.POST('/pets', { body: DOGGIE }));
    const order = answered(await api.POST('/store/order', { body: { petId, quantity: 2 } }));
    expect(order).toEqual({ id: order.id, petId, quantity: 2, status: 'placed', complete: false });
    const params = { path: { orderId: order.id } };
    expect(answered(await api.GET('/store/order/{orderId}', { params }))).toEqual(order);
    const inventory = answered(await api.GET('/store/inventory'));
    expect(inventory['placed']).toBeGreaterThanOrEqual(2);
    answered(await api.DELETE('/store/order/{orderId}', { params }));
    expect(refused(await api.GET('/store/order/{orderId}', { params })).status).toBe(404);
  });

  it('makes users, logs in and out', async () => {
    const username = unique('theUser');
    const list = [{ ...USER, username }];
    const made = answered(await api.POST('/user/createWithList', { body: list }));
    expect(made).not.toHaveProperty('password');

    const query = { username, password: '12345' };
    const login = await api.GET('/user/login', { params: { query } });
    expect(Date.parse(login.response.headers.get('x-expires-after') ?? '')).toBeGreaterThan(
      Date.now(),
    );
    const token = answered(login).split(':').at(-1);
    const mine = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
    const second = { ...USER, username: unique('other') };
    expect(answered(await mine.POST('/user', { body: second })).username).toBe(second.username);
    const params = { path: { username } };
    const body = { ...made, phone: '999' };
    expect(answered(await mine.PUT('/user/{username}', { params, body })).phone).toBe('999');
    expect(answered(await api.GET('/user/{username}', { params })).phone).toBe('999');
    answered(await mine.GET('/user/logout'));
    expect(refused(await mine.DELETE('/user/{username}', { params })).status).toBe(401);
  });

  it('has problems that it can handle', async () => {
    const { id } = answered(await api.POST('/pets', { body: DOGGIE }));
    const twice = await api.POST('/pets', { body: { ...DOGGIE, id } });
    expect(refused(twice).status).toBe(409);
    const blank = await api.POST('/pets', { body: { ...DOGGIE, name: ' ' } });
    expect(refused(blank)).toMatchObject({ status: 400, faults: ['/name'] });
    const anybody = createClient<paths>({ baseUrl });
    expect(refused(await anybody.POST('/pets', { body: DOGGIE })).status).toBe(401);
  });

  it('does not compile where the server would refuse', async () => {
    // @ts-expect-error There is no such path.
    expect((await api.GET('/pets/findByName')).response.status).toBe(400);
    // @ts-expect-error A pet has a list of pictures, if an empty one.
    expect(refused(await api.POST('/pets', { body: { name: 'a' } })).faults).toEqual([
      '/photoUrls',
    ]);
    // @ts-expect-error A pet has no such status.
    const lost = await api.POST('/pets', { body: { ...DOGGIE, status: 'lost' } });
    expect(refused(lost).faults).toEqual(['/status']);
    const query = { status: ['lost'] };
    // @ts-expect-error So none can be found by it.
    const found = await api.GET('/pets/findByStatus', { params: { query } });
    expect(refused(found).status).toBe(400);
    // @ts-expect-error A user has no such member.
    const old: NewUser = { ...USER, username: unique('old'), age: 99 };
    const refusal = refused(await api.POST('/user/createWithList', { body: [old] }));
    expect(refusal.faults).toEqual(['/0/age']);
    const uploaded = await api.POST('/pets/{petId}/uploadImage', {
      params: { path: { petId: 1 } },
      // @ts-expect-error A form has a file.
      body: { additionalMetadata: 'front' },
      bodySerializer: () => formOf({ additionalMetadata: 'front' }),
    });
    expect(refused(uploaded).status).toBe(400);
    const user = answered(
      await api.GET('/user/{username}', { params: { path: { username: 'user1' } } }),
    );
    // @ts-expect-error A password is never answered.
    expect(user.password).toBeUndefined();
  });
});
