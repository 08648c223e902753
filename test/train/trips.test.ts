import { describe, expect, it } from 'vitest';
import type { Trip } from '../../src/train/trips.schemas.ts';
import { BERLIN, EXAMPLE_TRIP, PARIS } from '../given.ts';
import { sharedApp } from '../harness.ts';

const t = await sharedApp();
const SECOND_EXAMPLE = '4d67459c-af07-40bb-bb12-178dbb88e09f';

const search = async (query: Record<string, string>): Promise<Trip[]> => {
  const parameters = new URLSearchParams({
    origin: BERLIN,
    destination: PARIS,
    limit: '100',
    ...query,
  });
  const answer = await t.inject({ url: `/trips?${parameters}` });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data;
};

const ids = (trips: Trip[]) => trips.map(({ id }) => id);
const berlinDay = (instant: string) =>
  new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin' }).format(new Date(instant));
const tomorrow = berlinDay(new Date(Date.now() + 86_400_000).toISOString());

describe('GET /trips', () => {
  it('has the published examples, both ways', async () => {
    const trips = await search({ date: '2024-02-01' });
    expect(ids(trips)).toEqual([EXAMPLE_TRIP, SECOND_EXAMPLE]);
    for (const { price, currency } of trips) expect([price, currency]).toEqual([50, 'eur']);
    expect(
      await search({ origin: PARIS, destination: BERLIN, date: '2024-02-01' }),
    ).not.toHaveLength(0);
  });

  it("lists a day of the origin's clock in order of departure", async () => {
    const trips = await search({ date: tomorrow });
    expect(trips.length).toBeGreaterThanOrEqual(3);
    const departures = trips.map((trip) => trip.departure_time);
    expect(departures).toEqual(departures.toSorted());
    for (const departure of departures) expect(berlinDay(departure)).toBe(tomorrow);
  });

  it('lists what leaves on the day of an instant, not before it', async () => {
    const all = await search({ date: tomorrow });
    const [first, second] = all;
    expect(ids(await search({ date: first?.departure_time ?? '' }))).toEqual(ids(all));
    expect(ids(await search({ date: second?.departure_time ?? '' }))).toEqual(ids(all.slice(1)));
    // The same instant on another clock.
    const shifted = new Date(Date.parse(second?.departure_time ?? '') + 5 * 3_600_000);
    const local = `${shifted.toISOString().slice(0, 19)}+05:00`;
    expect(ids(await search({ date: local }))).toEqual(ids(all.slice(1)));
  });

  it("takes the day at the origin, not that of the instant's own offset", async () => {
    // 23:30 UTC is half past midnight in Berlin in winter.
    expect(await search({ date: '2024-01-31T23:30:00Z' })).toHaveLength(2);
    expect(await search({ date: '2024-01-31T22:30:00Z' })).toHaveLength(0);
    expect(await search({ date: '2024-02-01T12:00:01Z' })).toHaveLength(0);
  });

  it('filters by bicycles and dogs', async () => {
    const all = await search({ date: tomorrow });
    const withBicycles = await search({ date: tomorrow, bicycles: 'true' });
    const withDogs = await search({ date: tomorrow, dogs: 'true' });
    expect(ids(withBicycles)).toEqual(ids(all.filter((trip) => trip.bicycles_allowed)));
    expect(ids(withDogs)).toEqual(ids(all.filter((trip) => trip.dogs_allowed)));
    expect(withBicycles.length).toBeLessThan(all.length);
    expect(withDogs.length).toBeLessThan(all.length);
    expect(ids(await search({ date: tomorrow, bicycles: 'false' }))).toEqual(ids(all));
  });

  it('leaves out what is sold out, and counts seats of expired holds as free', async () => {
    const tripId = await t.given.trip({ seats: 1, departsInHours: 24 });
    const { departure_time } = (await t.inject({ url: `/trips/${tripId}` })).json();
    const isListed = async () => ids(await search({ date: departure_time })).includes(tripId);
    expect(await isListed()).toBe(true);
    const booked = await t.inject({
      method: 'POST',
      url: '/bookings',
      headers: await t.as(),
      payload: { trip_id: tripId, passenger_name: 'John Doe' },
    });
    expect(await isListed()).toBe(false);
    await t.given.expiredHold(booked.json().id);
    expect(await isListed()).toBe(true);
  });

  it('links to itself and both stations, which answer', async () => {
    const [trip] = await search({ date: tomorrow });
    if (!trip) throw new Error('no trip');
    for (const [name, id] of [
      ['self', trip.id],
      ['origin', BERLIN],
      ['destination', PARIS],
    ] as const) {
      const answer = await t.inject({ url: new URL(trip.links[name]).pathname });
      expect(answer.statusCode).toBe(200);
      expect(answer.json().id).toBe(id);
    }
  });

  it('is empty for stations that no train joins, or that do not exist', async () => {
    const unknown = '0194a1f0-7a00-7000-8000-000000000000';
    expect(await search({ date: tomorrow, destination: BERLIN })).toEqual([]);
    expect(await search({ date: tomorrow, origin: unknown })).toEqual([]);
  });

  it.each([
    ['origin', 'berlin'],
    ['destination', ''],
    ['date', 'tomorrow'],
    ['date', '2026-02-30'],
    ['date', '2026-13-01'],
    ['date', '01.02.2026'],
    ['date', '2026-02-01T25:00:00Z'],
    ['date', '2026-02-01T10:00:00'],
    ['bicycles', 'yes'],
    ['bicycles', '1'],
    ['dogs', ''],
  ])('refuses %s=%s', async (parameter, value) => {
    const query = { origin: BERLIN, destination: PARIS, date: tomorrow, [parameter]: value };
    const answer = await t.inject({ url: `/trips?${new URLSearchParams(query)}` });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toEqual([{ parameter, detail: expect.stringMatching(/must/) }]);
  });

  it('names all that is missing', async () => {
    const answer = await t.inject({ url: '/trips' });
    expect(answer.json().errors).toEqual(
      ['origin', 'destination', 'date'].map((parameter) => ({ parameter, detail: 'is required' })),
    );
  });

  it.each(['0000-01-01', '9999-12-31', '0001-01-01', '9999-12-31T23:59:60Z'])(
    'takes the far date %s for an empty day or a fault, not a failure',
    async (date) => {
      const answer = await t.inject({
        url: `/trips?${new URLSearchParams({ origin: BERLIN, destination: PARIS, date })}`,
      });
      expect([200, 400]).toContain(answer.statusCode);
    },
  );
});

describe('GET /trips/{tripId}', () => {
  it('answers a trip, also one that has left', async () => {
    expect((await t.inject({ url: `/trips/${EXAMPLE_TRIP}` })).json()).toMatchObject({
      id: EXAMPLE_TRIP,
      departure_time: '2024-02-01T10:00:00.000Z',
      arrival_time: '2024-02-01T16:00:00.000Z',
      operator: 'Deutsche Bahn',
    });
  });

  it('is 404 for an unknown id', async () => {
    const answer = await t.inject({ url: '/trips/0194a1f0-7a00-7000-8000-000000000000' });
    expect(answer.statusCode).toBe(404);
  });
});
