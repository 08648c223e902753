import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { settle } from '../../src/webhooks/dispatch.queries.ts';
import { sharedApp } from '../harness.ts';
import { startReceiver } from './receiver.ts';

const t = await sharedApp();
await t.quartet.webhooks.start();

const PATH = '/webhooks/newBooking/subscriptions';
const UNKNOWN = '0194a1f0-7a00-7000-8000-000000000000';

async function subscribed(status = 200) {
  const answer = { status };
  const receiver = await startReceiver((_request, response) =>
    response.writeHead(answer.status).end('words'),
  );
  const headers = await t.as();
  const payload = { url: receiver.url };
  const made = (await t.inject({ method: 'POST', url: PATH, headers, payload })).json();
  const url = `${PATH}/${made.id}`;
  const get = async (path = '') => (await t.inject({ url: `${url}${path}`, headers })).json();
  return {
    receiver,
    answer,
    id: made.id as string,
    get,
    post: (path: string, body?: object, more: Record<string, string> = {}) =>
      t.inject({
        method: 'POST',
        url: `${url}/${path}`,
        headers: { ...headers, ...more },
        ...(body && { payload: body }),
      }),
    /** Deliveries that have ended, with the state given, made out of nothing. */
    async ended(states: string[]): Promise<string[]> {
      const ids = states.map(newId);
      await sql`
        with given as (
          select * from unnest(${ids}::uuid[], ${states}::text[]) given (id, state)
        ), event as (
          insert into webhooks.events (id, type, owner, payload)
          select id, 'newBooking', 'x', '{}' from given
        )
        insert into webhooks.deliveries (id, event_id, subscription_id, state)
        select id, id, ${made.id}, state from given`.execute(t.db);
      return ids;
    },
    /** The delivery, once it has so many attempts. */
    async attempted(id: string, attempts: number) {
      for (;;) {
        const delivery = await get(`/deliveries/${id}`);
        if (delivery.attempts.length >= attempts) return delivery;
        await new Promise((next) => setTimeout(next, 10));
      }
    },
    [Symbol.asyncDispose]: () => receiver.close(),
  };
}

it('lists deliveries newest first, in pages and by state', async () => {
  await using s = await subscribed();
  const ids = await s.ended(['failed', 'succeeded', 'failed']);
  const list = async (query: string) => {
    const page = await s.get(`/deliveries?${query}`);
    return page.data.map(({ id }: { id: string }) => id);
  };
  expect(await list('')).toEqual(ids.toReversed());
  expect(await list('limit=2')).toEqual([ids[2], ids[1]]);
  expect(await list('limit=2&page=2')).toEqual([ids[0]]);
  expect(await list('state=failed')).toEqual([ids[2], ids[0]]);
  expect(await list('state=pending')).toEqual([]);
  expect((await s.get('/deliveries?state=lost')).errors).toEqual([
    { parameter: 'state', detail: 'must be one of pending, succeeded, failed' },
  ]);
  expect(await s.get(`/deliveries/${UNKNOWN}`)).toMatchObject({ status: 404 });
});

it('sends an example once, and says that it is one', async () => {
  await using s = await subscribed(500);
  const answer = await s.post('test', undefined, { 'idempotency-key': 'a' });
  expect(answer.statusCode).toBe(202);
  const delivery = answer.json();
  expect(answer.headers['location']).toBe(delivery.links.self);
  expect(delivery).toMatchObject({ test: true, attempts: [], event: { type: 'newBooking' } });
  const again = await s.post('test', undefined, { 'idempotency-key': 'a' });
  expect(again.body).toBe(answer.body);
  const ended = await s.attempted(delivery.id, 1);
  expect(ended).toMatchObject({ state: 'failed', attempts: [{ status: 500 }] });
  const [request] = s.receiver.received;
  expect(s.receiver.received).toHaveLength(1);
  expect(request?.headers['webhook-test']).toBe('true');
  const example = JSON.parse(request?.body ?? '');
  const { properties } = (await t.inject({ url: '/openapi/train.json' })).json().components.schemas
    .Booking;
  expect(Object.keys(example).toSorted()).toEqual(Object.keys(properties).toSorted());
  // It says nothing of how the subscription fares with real events, and is not recovered.
  const { rows } = await sql`
    select failing_since from webhooks.subscriptions where id = ${s.id}`.execute(t.db);
  expect(rows).toEqual([{ failing_since: null }]);
  const recovered = await s.post('recover', { since: '2020-01-01T00:00:00Z' });
  expect(recovered.json()).toEqual({ deliveries: 0 });
});

it('delivers once more, whatever came of it, with the same webhook-id', async () => {
  await using s = await subscribed();
  for (const state of ['succeeded', 'failed']) {
    const [id = ''] = await s.ended([state]);
    const answer = await s.post(`deliveries/${id}/redeliver`);
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toMatchObject({ id, state: 'pending' });
    const { event } = await s.attempted(id, 1);
    expect(s.receiver.received.at(-1)?.id).toBe(event.id);
    expect(await s.get(`/deliveries/${id}`)).toMatchObject({ state: 'succeeded' });
  }
  expect((await s.post(`deliveries/${UNKNOWN}/redeliver`)).statusCode).toBe(404);
});

it('recovers what failed since, and only that', async () => {
  await using s = await subscribed();
  const ids = await s.ended(['failed', 'failed', 'succeeded']);
  await sql`update webhooks.deliveries set created_at = now() - interval '1 day'
            where id = ${ids[0]}`.execute(t.db);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  expect((await s.post('recover', { since })).json()).toEqual({ deliveries: 1 });
  await s.attempted(ids[1] ?? '', 1);
  expect((await s.get('/deliveries?state=failed')).data).toMatchObject([{ id: ids[0] }]);
  for (const wrong of [{}, { since: 'yesterday' }, { since: '2026-01-01' }, { since, wish: 1 }])
    expect((await s.post('recover', wrong)).statusCode).toBe(400);
});

it('keeps the latest attempts of a delivery that had many', async () => {
  await using s = await subscribed();
  const [id = ''] = await s.ended(['failed']);
  for (let attempt = 1; attempt <= 22; attempt += 1)
    await settle(
      t.db,
      [
        {
          delivery: id,
          claim: UNKNOWN,
          log: { time: '2026-01-01T00:00:00.000Z', milliseconds: attempt, response: '' },
          outcome: 'failed',
          retry_in: null,
          is_test: false,
        },
      ],
      1e9,
    );
  const delivery = await s.get(`/deliveries/${id}`);
  const milliseconds = delivery.attempts.map((each: { milliseconds: number }) => each.milliseconds);
  expect(milliseconds).toEqual(Array.from({ length: 20 }, (_, at) => 22 - at));
  expect(delivery.state).toBe('failed'); // the claim was not theirs
});
