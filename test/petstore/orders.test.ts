import { describe, expect, it } from 'vitest';
import { sharedApp } from '../harness.ts';
import { KEY, petstoreClient, unique } from './requests.ts';

const t = await sharedApp();
const store = petstoreClient(t);

const order = (payload: object, headers: Record<string, string> = {}) =>
  t.inject({ method: 'POST', url: '/v3/store/order', headers, payload });
const at = (method: 'GET' | 'DELETE', id: string | number, headers = {}) =>
  t.inject({ method, url: `/v3/store/order/${id}`, headers });

describe('POST /store/order', () => {
  it('places the order, for anybody', async () => {
    const answer = await order({
      petId: 1,
      quantity: 7,
      shipDate: '2026-07-31T11:30:00+02:00',
      status: 'approved',
      complete: true,
    });
    expect(answer.statusCode).toBe(200);
    const { id } = answer.json();
    expect(id).toBeGreaterThan(10);
    expect(answer.json()).toEqual({
      id,
      petId: 1,
      quantity: 7,
      shipDate: '2026-07-31T09:30:00.000Z',
      status: 'approved',
      complete: true,
    });
    expect((await at('GET', id)).json()).toEqual(answer.json());
  });

  it('fills in what an order begins with', async () => {
    const answer = (await order({ petId: 2 })).json();
    expect(answer).toEqual({
      id: answer.id,
      petId: 2,
      quantity: 1,
      status: 'placed',
      complete: false,
    });
  });

  it('is 404 for a pet that is not there, and takes no id for it', async () => {
    const answer = await order({ id: 77777, petId: 404404 });
    expect(answer.statusCode).toBe(404);
    expect(answer.json().detail).toBe('There is no pet 404404.');
    expect((await order({ id: 77777, petId: 1 })).statusCode).toBe(200);
    expect((await order({ id: 77777, petId: 1 })).json().type).toMatch(/\/id-taken$/);
  });

  it.each([
    [{}, '/petId'],
    [{ petId: 1, quantity: 0 }, '/quantity'],
    [{ petId: 1, quantity: -1 }, '/quantity'],
    [{ petId: 1, quantity: 1.5 }, '/quantity'],
    [{ petId: 1, quantity: 2 ** 31 }, '/quantity'],
    [{ petId: '1' }, '/petId'],
    [{ petId: 2 ** 53 }, '/petId'],
    [{ petId: 1, status: 'sold' }, '/status'],
    [{ petId: 1, complete: 'true' }, '/complete'],
    [{ petId: 1, shipDate: '2026-07-31' }, '/shipDate'],
    [{ petId: 1, shipDate: '2026-02-30T00:00:00Z' }, '/shipDate'],
    [{ petId: 1, shipDate: '0000-01-01T00:00:00Z' }, '/shipDate'],
    [{ petId: 1, shipDate: '9999-12-31T23:59:59-01:00' }, '/shipDate'],
    [{ petId: 1, shipDate: '2016-12-31T23:59:60Z' }, '/shipDate'],
    [{ petId: 1, price: 5 }, '/price'],
  ])('refuses %j', async (payload, pointer) => {
    const answer = await order(payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toMatchObject([{ pointer }]);
  });

  it('places one order for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': unique('order') };
    const first = await order({ petId: 1 }, headers);
    expect((await order({ petId: 1 }, headers)).body).toBe(first.body);
    expect((await order({ petId: 2 }, headers)).statusCode).toBe(422);
  });

  it('keeps the order when its pet goes', async () => {
    const pet = await store.addPet();
    const { id } = (await order({ petId: pet.id })).json();
    await store.expect(200, { method: 'DELETE', url: `/v3/pets/${pet.id}`, headers: KEY });
    expect((await at('GET', id)).json().petId).toBe(pet.id);
    expect((await order({ petId: pet.id })).statusCode).toBe(404);
  });
});

describe('ids of orders', () => {
  const GREATEST = 2 ** 53 - 1;

  it.each([
    ['GET', 5, 404],
    ['GET', 6, 400],
    ['GET', 10, 400],
    ['GET', 12345, 404],
    ['GET', 999, 404],
    ['GET', 1000, 404],
    ['GET', -1, 404],
    ['GET', '1.0', 400],
    ['GET', 'x', 400],
    ['GET', GREATEST, 404],
    ['GET', 2 ** 53, 400],
    ['GET', -(2 ** 53), 400],
    ['DELETE', 5, 404],
    ['DELETE', 6, 404],
    ['DELETE', 10, 404],
    ['DELETE', 999, 404],
    ['DELETE', 1000, 400],
    ['DELETE', GREATEST, 400],
    ['DELETE', '1.0', 400],
    ['DELETE', 'x', 400],
    ['DELETE', -GREATEST, 404],
    ['DELETE', -(2 ** 53), 400],
  ] as const)('%s of %s, where there is none, is %i', async (method, id, status) => {
    const answer = await at(method, id);
    expect(answer.statusCode).toBe(status);
    if (status === 400) expect(answer.json().detail).toMatch(/^Invalid ID supplied: /);
  });

  it('an order is found and deleted by what is valid for each', async () => {
    for (const id of [5, 11, 6, 10, 999, 1000, 0, -3]) await order({ id, petId: 1 });
    const found = async (id: number) => (await at('GET', id)).statusCode;
    const deleted = async (id: number) => (await at('DELETE', id)).statusCode;
    expect([await found(5), await found(6), await found(10), await found(1000)]).toEqual([
      200, 400, 400, 200,
    ]);
    expect([await deleted(6), await deleted(10), await deleted(1000)]).toEqual([200, 200, 400]);
    for (const id of [5, 999, 0, -3]) {
      expect(await deleted(id)).toBe(200);
      expect(await deleted(id)).toBe(404);
      expect(await found(id)).toBe(404);
    }
    expect(await found(1000)).toBe(200);
  });

  it('honours If-Match', async () => {
    const { id } = (await order({ id: 555, petId: 1 })).json();
    const { etag } = (await at('GET', id)).headers;
    expect((await at('DELETE', id, { 'if-match': '"stale"' })).statusCode).toBe(412);
    expect((await at('DELETE', id, { 'if-match': etag })).statusCode).toBe(200);
    expect((await at('DELETE', id, { 'if-match': '*' })).statusCode).toBe(404);
  });
});

describe('GET /store/inventory', () => {
  it('sums what is ordered, and stays within an int32', async () => {
    const inventory = async () =>
      (await store.expect(200, { url: '/v3/store/inventory', headers: KEY })).json();
    const before = await inventory();
    await order({ petId: 1, quantity: 30, status: 'delivered' });
    expect(await inventory()).toEqual({ ...before, delivered: before.delivered + 30 });
    for (let times = 0; times < 2; times++)
      await order({ petId: 1, quantity: 2 ** 31 - 1, status: 'approved' });
    expect(await inventory()).toMatchObject({ approved: 2 ** 31 - 1 });
    const xml = { ...KEY, accept: 'application/xml' };
    await store.expect(406, { url: '/v3/store/inventory', headers: xml });
  });
});
