import createClient from 'openapi-fetch';
import { describe, expect, it } from 'vitest';
import { CARD } from '../given.ts';
import { sharedApp } from '../harness.ts';
import { clientToken } from '../oauth/tokens.ts';
import { answered, firstOf, refused } from './answers.ts';
import type { paths, Writable } from './generated/train.ts';

type Operation = paths['/bookings']['post'];
type NewBooking = Writable<Operation['requestBody']['content']['application/json']>;

const t = await sharedApp();
const baseUrl = await t.listen();
const authorization = `Bearer ${await clientToken(t.app)}`;
const api = createClient<paths>({ baseUrl, headers: { authorization } });

const find = async (search: string) =>
  firstOf(answered(await api.GET('/stations', { params: { query: { search } } })).data);

/** Trips from Berlin to Paris that leave tomorrow. */
async function tomorrow(limit?: number) {
  const [origin, destination] = await Promise.all([find('berlin'), find('paris nord')]);
  const date = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const query = { origin: origin.id, destination: destination.id, date, ...(limit && { limit }) };
  return answered(await api.GET('/trips', { params: { query } }));
}

/** A booking that is held. */
async function book() {
  const trip = firstOf((await tomorrow()).data);
  const body = { trip_id: trip.id, passenger_name: 'John Doe' };
  return answered(await api.POST('/bookings', { body }));
}

describe('a generated client of the train', () => {
  it('finds a trip, books it, pays for it and gets the ticket', async () => {
    const page = await tomorrow(1);
    const trip = firstOf(page.data);
    expect(new URL(page.links.next ?? '').searchParams.get('page')).toBe('2');
    expect(Date.parse(trip.departure_time)).toBeLessThan(Date.parse(trip.arrival_time));

    const created = await api.POST('/bookings', {
      body: { trip_id: trip.id, passenger_name: 'John Doe', has_dog: false },
      headers: { 'idempotency-key': 'sdk-1' },
    });
    const booking = answered(created);
    expect(created.response.headers.get('location')).toBe(booking.links.self);
    expect(booking).toMatchObject({ status: 'held', price: trip.price, has_bicycle: false });
    expect(Date.parse(booking.expires_at ?? '')).toBeGreaterThan(Date.now());

    const params = { path: { bookingId: booking.id } };
    const early = await api.GET('/bookings/{bookingId}/ticket', { params, parseAs: 'blob' });
    expect(refused(early).status).toBe(409);
    const body = { amount: booking.price, currency: booking.currency, source: CARD };
    const paid = await api.POST('/bookings/{bookingId}/payment', { params, body });
    const { status, source } = answered(paid);
    expect([status, source.number]).toEqual(['succeeded', '************4242']);

    const confirmed = answered(await api.GET('/bookings/{bookingId}', { params }));
    expect(confirmed.status).toBe('confirmed');
    const mine = answered(await api.GET('/bookings'));
    expect(mine.data).toEqual([confirmed]);
    const attempts = answered(await api.GET('/bookings/{bookingId}/payment', { params }));
    expect(attempts.data.map((attempt) => attempt.status)).toEqual(['succeeded']);

    const pdf = await api.GET('/bookings/{bookingId}/ticket', { params, parseAs: 'blob' });
    expect(await answered(pdf).slice(0, 5).text()).toBe('%PDF-');
    const pass = await api.GET('/bookings/{bookingId}/ticket', {
      params,
      parseAs: 'arrayBuffer',
      headers: { accept: 'application/vnd.apple.pkpass' },
    });
    expect(Buffer.from(answered(pass)).toString('latin1', 0, 2)).toBe('PK');
  });

  it('has problems that it can handle', async () => {
    const booking = await book();
    const params = { path: { bookingId: booking.id } };
    const pay = (amount: number) =>
      api.POST('/bookings/{bookingId}/payment', {
        params,
        body: { amount, currency: booking.currency, source: CARD },
      });
    expect(refused(await pay(booking.price + 1))).toMatchObject({
      status: 400,
      type: 'payment-amount-mismatch',
    });
    expect(refused(await pay(0)).faults).toEqual(['/amount']);
    answered(await pay(booking.price));
    expect(refused(await pay(booking.price)).type).toBe('booking-already-paid');
    expect(refused(await api.DELETE('/bookings/{bookingId}', { params })).status).toBe(409);
    const stranger = createClient<paths>({ baseUrl });
    expect(refused(await stranger.GET('/bookings')).status).toBe(401);
  });

  it('gives a booking back', async () => {
    const params = { path: { bookingId: (await book()).id } };
    expect(answered(await api.DELETE('/bookings/{bookingId}', { params }))).toBeUndefined();
    expect(refused(await api.GET('/bookings/{bookingId}', { params })).status).toBe(404);
  });

  it('subscribes to new bookings, and no longer', async () => {
    const SUBSCRIPTIONS = '/webhooks/newBooking/subscriptions';
    const body = { url: 'http://127.0.0.1:9/', description: 'Mine', headers: { 'x-a': 'b' } };
    const { secret, ...made } = answered(await api.POST(SUBSCRIPTIONS, { body }));
    expect(secret).toMatch(/^whsec_/);
    const params = { path: { subscriptionId: made.id } };
    const sent = await api.POST(`${SUBSCRIPTIONS}/{subscriptionId}/test`, { params });
    expect(answered(sent)).toMatchObject({ test: true, state: 'pending' });
    const off = { params, body: { enabled: false } };
    const changed = answered(await api.PATCH(`${SUBSCRIPTIONS}/{subscriptionId}`, off));
    expect(changed.disabled?.reason).toBe('Disabled by its owner.');
    expect(answered(await api.GET(SUBSCRIPTIONS)).data).toEqual([changed]);
    answered(await api.DELETE(`${SUBSCRIPTIONS}/{subscriptionId}`, { params }));
    expect(answered(await api.GET(SUBSCRIPTIONS)).data).toEqual([]);
  });

  it('does not compile where the server would refuse', async () => {
    const booking = await book();
    const trip_id = booking.trip_id;
    // @ts-expect-error There is no such path.
    expect((await api.GET('/trains')).response.status).toBe(404);
    // @ts-expect-error A search has an origin, a destination and a date.
    expect(refused(await api.GET('/trips', { params: { query: {} } })).status).toBe(400);
    // @ts-expect-error A booking has a passenger.
    const nobody = await api.POST('/bookings', { body: { trip_id } });
    expect(refused(nobody).faults).toEqual(['/passenger_name']);
    // @ts-expect-error A seat cannot be chosen.
    const seated: NewBooking = { trip_id, passenger_name: 'John Doe', seat: '7A' };
    expect(refused(await api.POST('/bookings', { body: seated })).faults).toEqual(['/seat']);
    const dollars = await api.POST('/bookings/{bookingId}/payment', {
      params: { path: { bookingId: booking.id } },
      // @ts-expect-error No such currency is taken.
      body: { amount: booking.price, currency: 'usd', source: CARD },
    });
    expect(refused(dollars).faults).toEqual(['/currency']);
    // @ts-expect-error A booking has no such status.
    expect(booking.status === 'paid').toBe(false);
    // @ts-expect-error It has no such member, either.
    expect(booking.passengerName).toBeUndefined();
  });
});
