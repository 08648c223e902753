import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { expireHolds } from '../../src/train/bookings.queries.ts';
import { EXAMPLE_TRIP, PAYMENT } from '../given.ts';
import { sharedApp } from '../harness.ts';

const t = await sharedApp();
let alice: { authorization: string };
beforeAll(async () => {
  alice = await t.as('alice');
});

const UNKNOWN = '0194a1f0-7a00-7000-8000-000000000000';

const book = (payload: object, headers = alice) =>
  t.inject({ method: 'POST', url: '/bookings', headers, payload });

const booked = async (seats = 10, headers = alice) => {
  const trip_id = await t.given.trip({ seats });
  const answer = await book({ trip_id, passenger_name: 'John Doe' }, headers);
  expect(answer.statusCode, answer.body).toBe(201);
  return { ...answer.json(), tripId: trip_id };
};

const pay = (id: string, headers = alice) =>
  t.inject({ method: 'POST', url: `/bookings/${id}/payment`, headers, payload: PAYMENT });

describe('POST /bookings', () => {
  it('holds a seat for an hour', async () => {
    const tripId = await t.given.trip({ seats: 3 });
    const before = Date.now();
    const answer = await book({
      trip_id: tripId.toUpperCase(),
      passenger_name: 'Zoë Ødegård 🚆',
      has_bicycle: true,
      has_dog: true,
    });
    expect(answer.statusCode).toBe(201);
    const booking = answer.json();
    expect(booking).toEqual({
      id: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      trip_id: tripId,
      passenger_name: 'Zoë Ødegård 🚆',
      has_bicycle: true,
      has_dog: true,
      status: 'held',
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      price: 49.99,
      currency: 'eur',
      links: { self: `http://127.0.0.1:3000/bookings/${booking.id}` },
    });
    const holds = (Date.parse(booking.expires_at) - before) / 1000;
    expect(holds).toBeGreaterThan(3590);
    expect(holds).toBeLessThan(3700);
    expect(await t.given.seats(tripId)).toMatchObject({ seats_left: 2, held: 1 });
  });

  it('writes the event with the same booking in it, and one delivery a subscription', async () => {
    await t.given.subscription({ owner: 'carol' });
    await t.given.subscription({ owner: 'carol', isEnabled: false });
    await t.given.subscription({ owner: 'dave' });
    await t.given.subscription({ owner: 'operator', receivesAll: true });
    const { tripId: _, ...booking } = await booked(10, await t.as('carol'));
    const { rows } = await sql<{ payload: object; owners: string[] }>`
      select e.payload, array_agg(s.owner order by s.owner) as owners
      from webhooks.events e
        join webhooks.deliveries d on d.event_id = e.id
        join webhooks.subscriptions s on s.id = d.subscription_id
      where e.payload ->> 'id' = ${booking.id} and e.type = 'newBooking'
      group by e.id`.execute(t.db);
    expect(rows).toEqual([{ payload: booking, owners: ['carol', 'operator'] }]);
    await sql`delete from webhooks.subscriptions`.execute(t.db);
  });

  it('ignores read-only members, so that a booking can be sent back', async () => {
    const { tripId: _, ...booking } = await booked();
    const again = await book(booking);
    expect(again.statusCode).toBe(201);
    expect(again.json().id).not.toBe(booking.id);
  });

  it('refuses what the state forbids, each with a type of its own, and books nothing', async () => {
    const cases: [string, object, object][] = [
      ['trip-sold-out', { seats: 1 }, {}],
      ['trip-departed', { departsInHours: -1 }, {}],
      ['bicycle-not-allowed', { bicycles: false }, { has_bicycle: true }],
      ['dog-not-allowed', { dogs: false }, { has_dog: true }],
    ];
    for (const [slug, trip, wish] of cases) {
      const trip_id = await t.given.trip(trip);
      if (slug === 'trip-sold-out') await book({ trip_id, passenger_name: 'First' });
      const before = await t.given.seats(trip_id);
      const answer = await book({ trip_id, passenger_name: 'John Doe', ...wish });
      expect(answer.statusCode).toBe(409);
      expect(answer.json()).toMatchObject({
        type: `http://127.0.0.1:3000/problems/${slug}`,
        status: 409,
        instance: '/bookings',
      });
      expect(await t.given.seats(trip_id)).toEqual(before);
    }
  });

  it('frees the seats of expired holds even where it then refuses', async () => {
    const trip_id = await t.given.trip({ seats: 2, dogs: false });
    const held = (await book({ trip_id, passenger_name: 'Late' })).json();
    await t.given.expiredHold(held.id);
    const refused = await book({ trip_id, passenger_name: 'John Doe', has_dog: true });
    expect(refused.statusCode).toBe(409);
    expect(await t.given.seats(trip_id)).toMatchObject({ seats_left: 2, held: 0 });
  });

  it('books the published example trips, although they have left', async () => {
    const answer = await book({ trip_id: EXAMPLE_TRIP, passenger_name: 'John Doe' });
    expect(answer.statusCode).toBe(201);
    expect(answer.json().price).toBe(50);
  });

  it.each([
    [{}, ['/trip_id', '/passenger_name']],
    [{ trip_id: 'x', passenger_name: 'A' }, ['/trip_id']],
    [{ trip_id: UNKNOWN, passenger_name: '' }, ['/passenger_name']],
    [{ trip_id: UNKNOWN, passenger_name: ' \t ' }, ['/passenger_name']],
    [{ trip_id: UNKNOWN, passenger_name: '\u200b' }, ['/passenger_name']],
    [{ trip_id: UNKNOWN, passenger_name: 'a\u0000b' }, ['/passenger_name']],
    [{ trip_id: UNKNOWN, passenger_name: 'a\ud800b' }, ['/passenger_name']],
    [{ trip_id: UNKNOWN, passenger_name: 'é'.repeat(201) }, ['/passenger_name']],
    [{ trip_id: UNKNOWN, passenger_name: 1 }, ['/passenger_name']],
    [{ trip_id: null, passenger_name: null }, ['/trip_id', '/passenger_name']],
    [{ trip_id: UNKNOWN, passenger_name: 'A', has_dog: 'true' }, ['/has_dog']],
    [{ trip_id: UNKNOWN, passenger_name: 'A', has_bicycle: 1 }, ['/has_bicycle']],
    [{ trip_id: UNKNOWN, passenger_name: 'A', 'a/b~c': 1 }, ['/a~1b~0c']],
    [[], ['']],
  ])('refuses %j', async (payload, pointers) => {
    const answer = await book(payload);
    expect(answer.statusCode).toBe(400);
    const found = answer.json().errors.map((error: { pointer: string }) => error.pointer);
    expect(new Set(found)).toEqual(new Set(pointers));
  });

  it('takes a name of 200 characters, however many bytes they have', async () => {
    const trip_id = await t.given.trip();
    const answer = await book({ trip_id, passenger_name: '🚆'.repeat(200) });
    expect(answer.statusCode).toBe(201);
  });

  it('is 404 for an unknown trip', async () => {
    const answer = await book({ trip_id: UNKNOWN, passenger_name: 'John Doe' });
    expect(answer.statusCode).toBe(404);
  });
});

describe('GET /bookings', () => {
  it("lists the caller's, newest first", async () => {
    const headers = await t.as();
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) ids.push((await booked(10, headers)).id);
    const answer = await t.inject({ url: '/bookings', headers });
    expect(answer.json().data.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
    expect(answer.headers['ratelimit']).toBeUndefined();
  });
});

describe('an expired hold', () => {
  it('is expired at once for every reader, whether or not it was swept up', async () => {
    for (const isSwept of [false, true]) {
      const booking = await booked(1);
      await t.given.expiredHold(booking.id);
      if (isSwept) expect(await expireHolds(t.db, 100)).toBe(1);
      const read = (await t.inject({ url: `/bookings/${booking.id}`, headers: alice })).json();
      expect(read.status).toBe('expired');
      expect(read).not.toHaveProperty('expires_at');
      const listed = (await t.inject({ url: '/bookings', headers: alice })).json().data[0];
      expect(listed).toEqual(read);
      const trip = (await t.inject({ url: `/trips/${booking.tripId}` })).json();
      expect(trip.seats_available).toBe(1);
      const paid = await pay(booking.id);
      expect(paid.statusCode).toBe(409);
      expect(paid.json().type).toMatch(/booking-expired$/);
      const next = await book({ trip_id: booking.tripId, passenger_name: 'Next' });
      expect(next.statusCode).toBe(201);
      expect(await t.given.seats(booking.tripId)).toMatchObject({ seats_left: 0, held: 1 });
    }
  });

  it('is swept up once by sweepers that run side by side, in small batches too', async () => {
    const trips = await Promise.all(Array.from({ length: 5 }, () => t.given.trip({ seats: 4 })));
    const ids: string[] = [];
    for (const trip_id of [...trips, ...trips])
      ids.push((await book({ trip_id, passenger_name: 'Late' })).json().id);
    for (const id of ids) await t.given.expiredHold(id);
    let released = 0;
    for (let round = 0; released < 10 && round < 20; round++) {
      const counts = await Promise.all([1, 2, 3, 4].map(() => expireHolds(t.db, 3)));
      released += counts.reduce((sum, count) => sum + count, 0);
    }
    expect(released).toBe(10);
    for (const trip of trips)
      expect(await t.given.seats(trip)).toMatchObject({ seats_left: 4, held: 0 });
  });
});

describe('DELETE /bookings/{bookingId}', () => {
  it('gives the seat back once, and is 404 from then on', async () => {
    const booking = await booked(1);
    const remove = () =>
      t.inject({ method: 'DELETE', url: `/bookings/${booking.id}`, headers: alice });
    const answers = await Promise.all([remove(), remove(), remove()]);
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([
      204, 404, 404,
    ]);
    expect(answers.find((answer) => answer.statusCode === 204)?.body).toBe('');
    expect(await t.given.seats(booking.tripId)).toMatchObject({ seats_left: 1, held: 0 });
    expect((await t.inject({ url: `/bookings/${booking.id}`, headers: alice })).statusCode).toBe(
      404,
    );
  });

  it('takes an expired booking, whose seat is free already', async () => {
    const booking = await booked(1);
    await t.given.expiredHold(booking.id);
    await expireHolds(t.db, 100);
    const answer = await t.inject({
      method: 'DELETE',
      url: `/bookings/${booking.id}`,
      headers: { ...alice, 'content-type': 'application/json' },
    });
    expect(answer.statusCode).toBe(204);
    expect(await t.given.seats(booking.tripId)).toMatchObject({ seats_left: 1, held: 0 });
  });

  it('refuses a confirmed booking', async () => {
    const booking = await booked();
    expect((await pay(booking.id)).statusCode).toBe(200);
    const answer = await t.inject({
      method: 'DELETE',
      url: `/bookings/${booking.id}`,
      headers: alice,
    });
    expect(answer.statusCode).toBe(409);
    expect(answer.json().type).toMatch(/booking-confirmed$/);
  });

  it('honours If-Match', async () => {
    const booking = await booked();
    const url = `/bookings/${booking.id}`;
    const { etag } = (await t.inject({ url, headers: alice })).headers;
    const remove = (tag: string) =>
      t.inject({ method: 'DELETE', url, headers: { ...alice, 'if-match': tag } });
    expect((await remove('"other"')).statusCode).toBe(412);
    expect((await remove(`W/${etag}`)).statusCode).toBe(412);
    expect((await remove(`"other", ${etag}`)).statusCode).toBe(204);
  });
});
