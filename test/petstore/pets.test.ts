import { describe, expect, it } from 'vitest';
import { sharedApp } from '../harness.ts';
import { FORM, KEY, petstoreClient, unique } from './requests.ts';

const t = await sharedApp();
const store = petstoreClient(t);
const GREATEST = 2 ** 53 - 1;

const post = (payload: object, headers: object = {}) =>
  t.inject({ method: 'POST', url: '/v3/pets', headers: { ...KEY, ...headers }, payload });
const put = (payload: object, headers: object = {}) =>
  t.inject({ method: 'PUT', url: '/v3/pets', headers: { ...KEY, ...headers }, payload });
const get = (url: string, headers: object = {}) =>
  t.inject({ url: `/v3${url}`, headers: { ...KEY, ...headers } });

const FULL = {
  name: 'Zoë 🐶 <&> "\'',
  category: { id: -7, name: 'Dogs' },
  photoUrls: ['https://example.com/a.jpg?b=1&c=2'],
  tags: [{ id: 1, name: 'a' }, { name: 'b' }, { id: 2 }, {}],
  status: 'pending',
};

describe('POST /pets', () => {
  it('adds the pet as it was sent, with an id', async () => {
    const answer = await post(FULL);
    expect(answer.statusCode).toBe(200);
    const { id } = answer.json();
    expect(id).toBeGreaterThan(10);
    expect(answer.json()).toEqual({ id, ...FULL });
    expect(await store.pet(id)).toEqual({ id, ...FULL });
  });

  it('leaves out what was left out, and keeps what is empty', async () => {
    const bare = await store.addPet({ name: 'Bare' });
    expect(bare).toEqual({ id: bare.id, name: 'Bare', photoUrls: [] });
    const empty = await store.addPet({ name: 'Empty', category: {}, tags: [] });
    expect(empty).toEqual({ id: empty.id, name: 'Empty', photoUrls: [], category: {}, tags: [] });
  });

  it.each([1234567, 0, -5, GREATEST, -GREATEST])('takes the id %i once', async (id) => {
    expect((await post({ id, name: 'A', photoUrls: [] })).json()).toMatchObject({ id });
    const again = await post({ id, name: 'B', photoUrls: [] });
    expect(again.statusCode).toBe(409);
    expect(again.json()).toMatchObject({
      type: 'http://127.0.0.1:3000/problems/id-taken',
      detail: `There is a pet ${id} already.`,
    });
    expect(await store.pet(id)).toMatchObject({ name: 'A' });
  });

  it.each([
    [{}, ['/name', '/photoUrls']],
    [{ name: 'A' }, ['/photoUrls']],
    [{ name: ' ', photoUrls: [] }, ['/name']],
    [{ name: 'a\u0000', photoUrls: [] }, ['/name']],
    [{ name: 'a\uFFFF', photoUrls: [] }, ['/name']],
    [{ name: 'x'.repeat(201), photoUrls: [] }, ['/name']],
    [{ name: 'A', photoUrls: 'a' }, ['/photoUrls']],
    [{ name: 'A', photoUrls: [1, null] }, ['/photoUrls/0', '/photoUrls/1']],
    [{ name: 'A', photoUrls: Array(101).fill('a') }, ['/photoUrls']],
    [{ name: 'A', photoUrls: [], id: '5' }, ['/id']],
    [{ name: 'A', photoUrls: [], id: 1.5 }, ['/id']],
    [{ name: 'A', photoUrls: [], id: null }, ['/id']],
    [{ name: 'A', photoUrls: [], id: 2 ** 53 }, ['/id']],
    [{ name: 'A', photoUrls: [], id: -(2 ** 53) }, ['/id']],
    [{ name: 'A', photoUrls: [], status: 'lost' }, ['/status']],
    [{ name: 'A', photoUrls: [], status: '' }, ['/status']],
    [{ name: 'A', photoUrls: [], owner: 'me' }, ['/owner']],
    [{ name: 'A', photoUrls: [], tags: [{ name: 'a', size: 1 }] }, ['/tags/0/size']],
    [{ name: 'A', photoUrls: [], category: { id: 'x' } }, ['/category/id']],
    [[], ['']],
  ])('refuses %j, and says where it is wrong', async (payload, pointers) => {
    const answer = await post(payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      pointers,
    );
  });

  it('adds one pet for one Idempotency-Key', async () => {
    const name = unique('Once');
    const send = (payload: object) => post(payload, { 'idempotency-key': name });
    const [first, again] = [
      await send({ name, photoUrls: [], tags: [{ name }] }),
      await send({ name, photoUrls: [], tags: [{ name }] }),
    ];
    expect(again.body).toBe(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect((await send({ name: 'Other', photoUrls: [] })).statusCode).toBe(422);
    expect((await get(`/pets/findByTags?tags=${name}`)).json()).toHaveLength(1);
  });
});

describe('PUT /pets', () => {
  it('replaces the pet, and removes what is left out', async () => {
    const { id } = await store.addPet(FULL);
    const answer = await put({ id, name: 'New', photoUrls: ['b'] });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ id, name: 'New', photoUrls: ['b'] });
    expect(await store.pet(id)).toEqual({ id, name: 'New', photoUrls: ['b'] });
    expect((await get(`/pets/${id}`)).headers['etag']).toBe(answer.headers['etag']);
  });

  it('is 404 for a pet that is not there, and 400 without an id', async () => {
    expect((await put({ id: 404404, name: 'A', photoUrls: [] })).statusCode).toBe(404);
    const answer = await put({ name: 'A', photoUrls: [] });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toEqual([{ pointer: '/id', detail: 'is required' }]);
  });

  it('changes nothing where If-Match names another state, in either format', async () => {
    const { id } = await store.addPet();
    const json = (await get(`/pets/${id}`)).headers['etag'];
    const xml = (await get(`/pets/${id}`, { accept: 'application/xml' })).headers['etag'];
    expect(xml).not.toBe(json);
    for (const tag of [json, xml]) {
      const changed = { id, name: unique('By tag'), photoUrls: [] };
      const stale = await put(changed, { 'if-match': '"stale"' });
      expect(stale.statusCode).toBe(412);
      expect((await put({ ...changed, name: 'Rex' }, { 'if-match': tag })).statusCode).toBe(200);
    }
    expect((await put({ id, name: 'B', photoUrls: [] }, { 'if-match': json })).statusCode).toBe(
      200,
    );
    expect((await put({ id, name: 'C', photoUrls: [] }, { 'if-match': json })).statusCode).toBe(
      412,
    );
    expect(await store.pet(id)).toMatchObject({ name: 'B' });
    const unknown = { id: 404404, name: 'A', photoUrls: [] };
    expect((await put(unknown, { 'if-match': '*' })).statusCode).toBe(404);
  });
});

describe('GET /pets/{petId}', () => {
  it.each(['x', '1.0', '1e0', '', '%20', '9007199254740992', '-9007199254740992', '0x1'])(
    'refuses the id "%s"',
    async (id) => {
      const answer = await get(`/pets/${id}`);
      expect(answer.statusCode).toBe(400);
    },
  );

  it('answers 304 to whom has it', async () => {
    const { id } = await store.addPet();
    const etag = (await get(`/pets/${id}`)).headers['etag'];
    const answer = await get(`/pets/${id}`, { 'if-none-match': etag });
    expect([answer.statusCode, answer.body]).toEqual([304, '']);
    const other = await get(`/pets/${id}`, { 'if-none-match': etag, accept: 'application/xml' });
    expect(other.statusCode).toBe(200);
  });
});

describe('POST /pets/{petId}', () => {
  const change = (id: number, query: string, form?: string) =>
    t.inject({
      method: 'POST',
      url: `/v3/pets/${id}${query}`,
      headers: { ...KEY, ...(form !== undefined && { 'content-type': FORM }) },
      ...(form !== undefined && { payload: form }),
    });

  it('changes what is sent, by query or form, and nothing else', async () => {
    const { id } = await store.addPet(FULL);
    const name = 'Fluffy & Co';
    const encoded = encodeURIComponent(name);
    expect((await change(id, `?name=${encoded}`)).json()).toEqual({ id, ...FULL, name });
    expect((await change(id, '', 'status=sold')).json()).toEqual({
      ...{ id, ...FULL, name, status: 'sold' },
    });
    expect((await change(id, '?status=pending', 'name=Max')).json()).toMatchObject({
      name: 'Max',
      status: 'pending',
    });
    expect((await change(id, '?name=Query', 'name=Form')).json()).toMatchObject({ name: 'Form' });
    expect(await store.pet(id)).toEqual({ id, ...FULL, name: 'Form' });
  });

  it.each([
    ['', undefined],
    ['', ''],
    ['?other=1', undefined],
    ['?status=lost', undefined],
    ['?name=', undefined],
    ['?name=%20', undefined],
    ['', 'status=lost'],
    ['', 'owner=me'],
    ['?name=A', 'id=5'],
    ['', 'name=A&name=B'],
  ])('refuses the query "%s" with the form "%s"', async (query, form) => {
    const pet = await store.addPet(FULL);
    expect((await change(pet.id, query, form)).statusCode).toBe(400);
    expect(await store.pet(pet.id)).toEqual(pet);
  });

  it('is 404 for a pet that is not there', async () => {
    expect((await change(404404, '?name=A')).statusCode).toBe(404);
  });
});

describe('DELETE /pets/{petId}', () => {
  it('deletes, and then is 404', async () => {
    const { id } = await store.addPet();
    const remove = (headers: object = {}) =>
      t.inject({ method: 'DELETE', url: `/v3/pets/${id}`, headers: { ...KEY, ...headers } });
    expect((await remove({ 'if-match': '"stale"' })).statusCode).toBe(412);
    const answer = await remove();
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
    expect((await remove()).statusCode).toBe(404);
    expect((await get(`/pets/${id}`)).statusCode).toBe(404);
  });
});
