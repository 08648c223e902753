import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CARD, PAYMENT } from '../given.ts';
import { startApp, type TestApp } from '../harness.ts';
import { expectProblem } from './exchange.ts';

let t: TestApp;
let log = '';
beforeAll(async () => {
  t = await startApp({ log: { write: (line) => void (log += line) } });
});
afterAll(async () => t[Symbol.asyncDispose]());

const body = (trip_id: string, passenger_name = 'John Doe') => ({ trip_id, passenger_name });
const post = (url: string, headers: object, payload: object) =>
  t.inject({ method: 'POST', url, headers: { ...headers }, payload });
const withKey = (headers: object, key: string) => ({ ...headers, 'idempotency-key': key });
const bookingsOf = async (headers: { authorization: string }) =>
  (await t.inject({ url: '/bookings?limit=100', headers })).json().data as { id: string }[];

describe('POST /bookings with an Idempotency-Key', () => {
  it('answers the same request with the same bytes', async () => {
    const trip = await t.given.trip();
    const ann = await t.as();
    const first = await post('/bookings', withKey(ann, 'a'), body(trip));
    const again = await post('/bookings', withKey(ann, 'a'), body(trip));
    expect([first.statusCode, again.statusCode]).toEqual([201, 201]);
    expect(again.rawPayload).toEqual(first.rawPayload);
    for (const name of ['location', 'content-type', 'cache-control'])
      expect([name, again.headers[name]]).toEqual([name, first.headers[name]]);
    expect(first.headers['location']).toBe(first.json().links.self);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await t.given.seats(trip)).toMatchObject({ seats_left: 9, held: 1 });
    // The answer is that of then, also when the booking is gone.
    await t.inject({ method: 'DELETE', url: `/bookings/${first.json().id}`, headers: ann });
    const later = await post('/bookings', withKey(ann, 'a'), body(trip));
    expect(later.rawPayload).toEqual(first.rawPayload);
    expect(await bookingsOf(ann)).toHaveLength(0);
  });

  it('refuses the key with another body', async () => {
    const trip = await t.given.trip();
    const ann = await t.as();
    await post('/bookings', withKey(ann, 'a'), body(trip));
    const other = await post('/bookings', withKey(ann, 'a'), body(trip, 'Jane Doe'));
    expectProblem(other, 'idempotency-key-reused', t.config.PUBLIC_URL);
    expect(await bookingsOf(ann)).toHaveLength(1);
  });

  it('knows a key of another caller, or of another route, as another', async () => {
    const trip = await t.given.trip();
    const [ann, bob] = [await t.as(), await t.as()];
    const one = await post('/bookings', withKey(ann, 'a'), body(trip));
    const other = await post('/bookings', withKey(bob, 'a'), body(trip));
    expect([one.statusCode, other.statusCode]).toEqual([201, 201]);
    expect(other.json().id).not.toBe(one.json().id);
    const paid = await post(`/bookings/${one.json().id}/payment`, withKey(ann, 'a'), PAYMENT);
    expect([paid.statusCode, paid.json().status]).toEqual([200, 'succeeded']);
  });

  it('books once, however many come at once', async () => {
    const trip = await t.given.trip({ seats: 50 });
    const ann = await t.as();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post('/bookings', withKey(ann, 'a'), body(trip))),
    );
    const booked = answers.filter(({ statusCode }) => statusCode === 201);
    expect(booked.length).toBeGreaterThanOrEqual(1);
    expect(new Set(booked.map((answer) => answer.body)).size).toBe(1);
    expect(booked.filter(({ headers }) => !headers['idempotency-replayed'])).toHaveLength(1);
    for (const answer of answers.filter(({ statusCode }) => statusCode !== 201)) {
      expectProblem(answer, 'idempotency-key-in-use', t.config.PUBLIC_URL);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    }
    expect(await t.given.seats(trip)).toMatchObject({ seats_left: 49, held: 1 });
  });

  it('does not keep what failed', async () => {
    const trip = await t.given.trip({ seats: 1 });
    const [ann, bob] = [await t.as(), await t.as()];
    const held = (await post('/bookings', bob, body(trip))).json().id;
    const full = await post('/bookings', withKey(ann, 'a'), body(trip));
    expectProblem(full, 'trip-sold-out', t.config.PUBLIC_URL);
    const wrong = await post('/bookings', withKey(ann, 'b'), { trip_id: trip });
    expectProblem(wrong, 'invalid-request', t.config.PUBLIC_URL);
    await t.inject({ method: 'DELETE', url: `/bookings/${held}`, headers: bob });
    const booked = await post('/bookings', withKey(ann, 'a'), body(trip));
    expect(booked.statusCode).toBe(201);
    expect(booked.headers).not.toHaveProperty('idempotency-replayed');
    // The key of a failure is free for any body.
    const other = await post('/bookings', withKey(ann, 'b'), body(await t.given.trip()));
    expect(other.statusCode).toBe(201);
  });

  it.for([
    ['nothing', ''],
    ['more than 255 characters', 'x'.repeat(256)],
    ['characters that are not ASCII', 'schlüssel'],
    ['a tab', 'a\tb'],
  ])('refuses a key of %s', async ([, key]) => {
    const answer = await post(
      '/bookings',
      withKey(await t.as(), `${key}`),
      body(await t.given.trip()),
    );
    const { errors } = expectProblem(answer, 'invalid-request', t.config.PUBLIC_URL);
    expect(errors).toEqual([expect.objectContaining({ parameter: 'Idempotency-Key' })]);
  });

  it('takes keys as long as 255 characters', async () => {
    const key = `"${'~'.repeat(253)}"`;
    const answer = await post('/bookings', withKey(await t.as(), key), body(await t.given.trip()));
    expect(answer.statusCode).toBe(201);
  });
});

describe('a claim that its process left behind', () => {
  /** A key whose first request never ended, claimed until `seconds` from now. */
  async function abandoned(headers: object, trip: string, seconds: number) {
    await post('/bookings', withKey(headers, 'a'), body(trip));
    const { rows } = await sql`
      update platform.idempotency_keys
      set status = null, headers = null, body = null,
          claimed_until = now() + ${seconds}::int * interval '1 second'
      where created_at = (select max(created_at) from platform.idempotency_keys)
      returning 1`.execute(t.db);
    expect(rows).toHaveLength(1);
  }

  it('holds the key until its time, and is taken over after', async () => {
    const trip = await t.given.trip();
    const ann = await t.as();
    await abandoned(ann, trip, 60);
    const early = await post('/bookings', withKey(ann, 'a'), body(trip));
    expectProblem(early, 'idempotency-key-in-use', t.config.PUBLIC_URL);
    await sql`update platform.idempotency_keys set claimed_until = now() - interval '1 second'
              where status is null`.execute(t.db);
    const other = await post('/bookings', withKey(ann, 'a'), body(trip, 'Jane Doe'));
    expectProblem(other, 'idempotency-key-reused', t.config.PUBLIC_URL);
    const answers = await Promise.all(
      [1, 2, 3].map(() => post('/bookings', withKey(ann, 'a'), body(trip))),
    );
    const fresh = answers.filter(
      ({ statusCode, headers }) => statusCode === 201 && !headers['idempotency-replayed'],
    );
    expect(fresh).toHaveLength(1);
  });

  it('is forgotten after a day, with its answer', async () => {
    const trip = await t.given.trip();
    const ann = await t.as();
    await post('/bookings', withKey(ann, 'a'), body(trip));
    await sql`update platform.idempotency_keys set created_at = now() - interval '25 hours'`.execute(
      t.db,
    );
    const answer = await post('/bookings', withKey(ann, 'a'), body(trip, 'Jane Doe'));
    expect(answer.statusCode).toBe(201);
    expect(answer.json().passenger_name).toBe('Jane Doe');
  });
});

describe('a payment with an Idempotency-Key', () => {
  /** Everything that any table holds, as text. */
  async function everyRow(): Promise<string> {
    const { rows } = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`.execute(t.db);
    expect(rows.length).toBeGreaterThan(10);
    let text = '';
    for (const { name } of rows.filter((each) => !/train\.(stations|services)/.test(each.name))) {
      const all = await sql<{ row: string }>`select r::text as row from ${sql.raw(name)} r`.execute(
        t.db,
      );
      for (const { row } of all.rows) text += `${row}\n`;
    }
    return text;
  }

  it('is charged once, and leaves no number, code or street in a table or the log', async () => {
    const SECRET = {
      ...CARD,
      number: '5105 1051 0510 5100',
      cvc: '8317',
      address_line1: 'Geheimweg 1',
      address_line2: 'Hinterhaus Zwei',
    };
    const ann = await t.as();
    const pay = async (source: object, key: string) => {
      const booking = (await post('/bookings', ann, body(await t.given.trip()))).json();
      const send = () =>
        post(`/bookings/${booking.id}/payment`, withKey(ann, key), { ...PAYMENT, source });
      return { first: await send(), again: await send() };
    };
    const good = await pay(SECRET, 'good');
    expect(good.first.json()).toMatchObject({
      status: 'succeeded',
      source: { number: '************5100' },
    });
    expect(good.again.rawPayload).toEqual(good.first.rawPayload);
    expect(good.again.headers['idempotency-replayed']).toBe('true');

    const declined = await pay({ ...SECRET, number: '4000000000000002' }, 'declined');
    expect(declined.first.json().status).toBe('failed');
    expect(declined.again.rawPayload).toEqual(declined.first.rawPayload);
    const wrong = await pay({ ...SECRET, number: '5105105105105101' }, 'wrong');
    expect(wrong.first.statusCode).toBe(400);
    const account = {
      name: 'Jane',
      number: 'DE89370400440532013000',
      account_type: 'company',
      bank_name: 'B',
      country: 'DE',
    };
    expect((await pay(account, 'account')).first.json().status).toBe('succeeded');

    const text = await everyRow();
    expect(text).toContain('5100');
    expect(log.split('\n').length).toBeGreaterThan(10);
    for (const [where, all] of [
      ['tables', text],
      ['log', log],
    ] as const)
      for (const secret of [
        '5105105105105100',
        '5105 1051 0510 5100',
        '510510510510',
        '4000000000000002',
        '5105105105105101',
        'DE89370400440532013',
        '8317"',
        'Geheimweg',
        'Hinterhaus',
      ])
        expect([where, all.includes(secret), secret]).toEqual([where, false, secret]);
  });
});
