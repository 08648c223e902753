import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { sharedApp } from '../harness.ts';

const t = await sharedApp();
const PATH = '/webhooks/newBooking/subscriptions';
const URL = 'http://127.0.0.1:9/hook';
const UNKNOWN = '0194a1f0-7a00-7000-8000-000000000000';

type Headers = Record<string, string>;
const call = (
  method: 'POST' | 'PATCH' | 'DELETE' | 'GET',
  url: string,
  headers: Headers,
  payload?: object,
) => t.inject({ method, url, headers, ...(payload && { payload }) });
const subscribe = async (headers: Headers, body: object = {}) => {
  const answer = await call('POST', PATH, headers, { url: URL, ...body });
  expect(answer.statusCode).toBe(201);
  return answer.json();
};

describe('a subscription', () => {
  it('is made with all that it can have, and shows its secret this once', async () => {
    const alice = await t.as();
    const wanted = { url: URL, description: 'Mine', headers: { 'X-Tenant': 'blue' } };
    const answer = await call('POST', PATH, alice, wanted);
    const { secret, ...subscription } = answer.json();
    const self = `http://127.0.0.1:3000${PATH}/${subscription.id}`;
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['location']).toBe(self);
    expect(subscription).toEqual({
      id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7/),
      ...wanted,
      enabled: true,
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      links: { self, deliveries: `${self}/deliveries` },
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);

    const read = await call('GET', `${PATH}/${subscription.id}`, alice);
    expect(read.json()).toEqual(subscription);
    const listed = await call('GET', PATH, alice);
    expect(listed.json()).toEqual({
      data: [subscription],
      links: { self: `http://127.0.0.1:3000${PATH}` },
    });
    expect(read.body + listed.body).not.toContain(secret);
  });

  it('is changed in part, with what was read sent back, and under its entity tag', async () => {
    const alice = await t.as();
    const { id, secret: _, ...made } = await subscribe(alice, { description: 'Old' });
    const url = `${PATH}/${id}`;
    const { etag } = (await call('GET', url, alice)).headers as Headers;
    const changes = { ...made, description: 'New', headers: { 'X-A': '1' } };
    const changed = await call('PATCH', url, { ...alice, 'if-match': etag ?? '' }, changes);
    expect(changed.statusCode).toBe(200);
    expect(changed.json()).toEqual({ ...made, id, description: 'New', headers: { 'X-A': '1' } });
    const late = await call('PATCH', url, { ...alice, 'if-match': etag ?? '' }, { headers: {} });
    expect(late.statusCode).toBe(412);
    const emptied = await call('PATCH', url, alice, { description: '' });
    expect(emptied.json()).not.toHaveProperty('description');
    const same = { ...alice, 'if-none-match': String(emptied.headers['etag']) };
    expect((await call('GET', url, same)).statusCode).toBe(304);
    expect((await call('DELETE', url, { ...alice, 'if-match': '"x"' })).statusCode).toBe(412);
    expect((await call('DELETE', url, alice)).statusCode).toBe(204);
    expect((await call('DELETE', url, alice)).statusCode).toBe(404);
  });

  it('says why it is disabled, and starts anew when it is enabled', async () => {
    const alice = await t.as();
    const { id } = await subscribe(alice, { enabled: false });
    const read = async () => (await call('GET', `${PATH}/${id}`, alice)).json();
    expect(await read()).toMatchObject({
      enabled: false,
      disabled: { reason: 'Disabled by its owner.', time: expect.stringMatching(/Z$/) },
    });
    const on = await call('PATCH', `${PATH}/${id}`, alice, { enabled: true });
    expect(on.json()).toMatchObject({ enabled: true });
    expect(on.json()).not.toHaveProperty('disabled');
    // Five days of faults disable it; who enables it has five days more.
    await sql`
      update webhooks.subscriptions set failing_since = now() - interval '6 days'
      where id = ${id}`.execute(t.db);
    await call('PATCH', `${PATH}/${id}`, alice, { enabled: false });
    await call('PATCH', `${PATH}/${id}`, alice, { enabled: true });
    const { rows } = await sql<{ is_new: boolean }>`
      select failing_since > now() - interval '1 day' as is_new
      from webhooks.subscriptions where id = ${id}`.execute(t.db);
    expect(rows).toEqual([{ is_new: true }]);
  });

  it('is listed newest first, in pages', async () => {
    const alice = await t.as();
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.unshift((await subscribe(alice)).id);
    const page = async (query: string) => (await call('GET', `${PATH}?${query}`, alice)).json();
    const first = await page('limit=2');
    expect(first.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    expect(first.links.next).toContain('page=2');
    const second = await page('limit=2&page=2');
    expect(second.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
  });

  it("is its owner's alone, in every operation", async () => {
    const [alice, bob] = [await t.as(), await t.as()];
    const { id } = await subscribe(alice);
    const { rows } = await sql<{ id: string }>`
      with event as (
        insert into webhooks.events (id, type, owner, payload)
        values (gen_random_uuid(), 'newBooking', 'x', '{}') returning id)
      insert into webhooks.deliveries (event_id, subscription_id, state)
      select id, ${id}, 'failed' from event returning id`.execute(t.db);
    const delivery = `${id}/deliveries/${rows[0]?.id}`;
    const operations = [
      ['GET', id],
      ['PATCH', id, { enabled: false }],
      ['DELETE', id],
      ['POST', `${id}/rotate-secret`],
      ['POST', `${id}/test`],
      ['GET', `${id}/deliveries`],
      ['GET', delivery],
      ['POST', `${delivery}/redeliver`],
      ['POST', `${id}/recover`, { since: '2026-01-01T00:00:00Z' }],
    ] as const;
    for (const [method, path, body] of operations) {
      const answer = await call(method, `${PATH}/${path}`, bob, body);
      expect([path, answer.statusCode]).toEqual([path, 404]);
      const unknown = path.replace(id, UNKNOWN);
      expect((await call(method, `${PATH}/${unknown}`, alice, body)).statusCode).toBe(404);
      expect((await call(method, `${PATH}/${path}`, {}, body)).statusCode).toBe(401);
      const other = await t.as('x', method === 'GET' ? 'write' : 'read');
      expect((await call(method, `${PATH}/${path}`, other, body)).statusCode).toBe(403);
    }
    expect((await call('GET', `${PATH}/${id}`, alice)).json()).toMatchObject({ enabled: true });
    expect((await call('GET', `${PATH}/${delivery}`, alice)).json()).toMatchObject({
      state: 'failed',
    });
  });

  it('cannot be one of too many, however many are asked for at a time', async () => {
    const alice = await t.as();
    const answers = await Promise.all(
      Array.from({ length: 55 }, () => call('POST', PATH, alice, { url: URL })),
    );
    const made = answers.filter(({ statusCode }) => statusCode === 201);
    const refused = answers.find(({ statusCode }) => statusCode !== 201);
    expect(made).toHaveLength(50);
    expect(refused?.statusCode).toBe(409);
    expect(refused?.json().type).toMatch(/too-many-subscriptions$/);
  });

  it('is made once for an Idempotency-Key', async () => {
    const alice = { ...(await t.as()), 'idempotency-key': 'one' };
    const first = await call('POST', PATH, alice, { url: URL });
    const second = await call('POST', PATH, alice, { url: URL });
    expect(second.body).toBe(first.body);
    expect((await call('GET', PATH, alice)).json().data).toHaveLength(1);
  });
});

describe('what is wrong', () => {
  it.each([
    [{}, ['/url']],
    [{ url: 1 }, ['/url']],
    [{ url: 'nonsense' }, ['/url']],
    [{ url: 'ftp://example.com/' }, ['/url']],
    [{ url: 'http://user:secret@127.0.0.1/' }, ['/url']],
    [{ url: 'http://127.0.0.1/#part' }, ['/url']],
    [{ url: 'http://10.0.0.1/' }, ['/url']],
    [{ url: `http://127.0.0.1/${'x'.repeat(2048)}` }, ['/url']],
    [{ url: URL, secret: 'mine', wish: 1 }, ['/wish']],
    [{ url: URL, description: 'a\u0000b' }, ['/description']],
    [{ url: URL, description: null }, ['/description']],
    [{ url: URL, enabled: 'yes' }, ['/enabled']],
    [
      { url: URL, headers: { Host: 'x', 'content-length': '1', 'X-OK': 'x' } },
      ['/headers/Host', '/headers/content-length'],
    ],
    [
      { url: URL, headers: { Authorization: 'x', 'Webhook-Id': 'x' } },
      ['/headers/Authorization', '/headers/Webhook-Id'],
    ],
    [{ url: URL, headers: { 'X A/b': 'x' } }, ['/headers/X A~1b']],
    [{ url: URL, headers: { 'X-A': 'a\r\nX-B: b' } }, ['/headers/X-A']],
    [{ url: URL, headers: { 'X-A': 1 } }, ['/headers/X-A']],
    [
      {
        url: URL,
        headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`X-${n}`, 'x'])),
      },
      ['/headers'],
    ],
  ])('%j is refused, each fault named, and nothing is made', async (body, pointers) => {
    const alice = await t.as();
    const answer = await call('POST', PATH, alice, body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      pointers,
    );
    expect((await call('GET', PATH, alice)).json().data).toEqual([]);
    const { id } = await subscribe(alice);
    if (Object.keys(body).length === 0) return;
    const change = await call('PATCH', `${PATH}/${id}`, alice, body);
    expect(change.statusCode).toBe(400);
    const { url, headers } = (await call('GET', `${PATH}/${id}`, alice)).json();
    expect({ url, headers }).toEqual({ url: URL, headers: {} });
  });
});

describe('who hears of what', () => {
  const received = async (subject: string) => {
    const { rows } = await sql<{ owner: string }>`
      select s.owner from webhooks.deliveries d
        join webhooks.subscriptions s on s.id = d.subscription_id
        join webhooks.events e on e.id = d.event_id
      where e.owner = ${subject} order by s.owner`.execute(t.db);
    return rows.map(({ owner }) => owner);
  };
  const book = async (subject: string) => {
    const payload = { trip_id: await t.given.trip(), passenger_name: 'Ada' };
    const answer = await call('POST', '/bookings', await t.as(subject), payload);
    expect(answer.statusCode).toBe(201);
  };

  it('a subject hears of its own bookings, and bookings:all of everybody’s', async () => {
    await subscribe(await t.as('ada'));
    await subscribe(await t.as('ben'));
    await subscribe(await t.as('operator', 'read write bookings:all'));
    await book('ada');
    expect(await received('ada')).toEqual(['ada', 'operator']);
    await book('ben');
    expect(await received('ben')).toEqual(['ben', 'operator']);
    await sql`delete from webhooks.subscriptions where owner = 'operator'`.execute(t.db);
  });

  it('an event that nobody subscribed to is not kept', async () => {
    await book('nobody');
    const { rows } = await sql`select from webhooks.events where owner = 'nobody'`.execute(t.db);
    expect(rows).toEqual([]);
  });
});
