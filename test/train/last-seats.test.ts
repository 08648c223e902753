import { describe, expect, it } from 'vitest';
import { ENGINE, startApp } from '../harness.ts';
import { startServer } from '../processes.ts';

const CLIENTS = 200;
const SEATS = 10;

/** Statuses of `CLIENTS` bookings of one trip, all sent at once, in turn to each of `urls`. */
async function rush(urls: string[], tripId: string, headers: Record<string, string>) {
  const answers = await Promise.all(
    Array.from({ length: CLIENTS }, (_, index) =>
      fetch(`${urls[index % urls.length]}/bookings`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ trip_id: tripId, passenger_name: `Passenger ${index}` }),
      }),
    ),
  );
  const bodies = await Promise.all(
    answers.map((answer) => answer.json() as Promise<{ type: string }>),
  );
  return answers.map(({ status }, index) => ({ status, type: bodies[index]?.type ?? '' }));
}

function expectTenWinners(answers: { status: number; type: string }[]): void {
  const booked = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 409);
  expect(booked).toHaveLength(SEATS);
  expect(refused).toHaveLength(CLIENTS - SEATS);
  for (const { type } of refused) expect(type).toMatch(/\/problems\/trip-sold-out$/);
}

describe('200 clients at once for the last 10 seats', () => {
  it('sells exactly 10 in one process', async () => {
    await using t = await startApp();
    const url = await t.listen();
    const tripId = await t.given.trip({ seats: SEATS });
    expectTenWinners(await rush([url], tripId, await t.as()));
    expect(await t.given.seats(tripId)).toEqual({
      capacity: SEATS,
      seats_left: 0,
      held: SEATS,
      confirmed: 0,
    });
    const trip = (await t.inject({ url: `/trips/${tripId}` })).json();
    expect(trip.seats_available).toBe(0);
  });

  it('gives the seats of expired holds away once, to whoever comes first', async () => {
    await using t = await startApp();
    const url = await t.listen();
    const tripId = await t.given.trip({ seats: SEATS });
    const headers = await t.as();
    expectTenWinners(await rush([url], tripId, headers));
    const { data } = (await t.inject({ url: '/bookings?limit=100', headers })).json();
    for (const { id } of data) await t.given.expiredHold(id);
    expectTenWinners(await rush([url], tripId, headers));
    expect(await t.given.seats(tripId)).toMatchObject({ seats_left: 0, held: SEATS });
  });

  // The embedded engine is for one process.
  if (ENGINE === 'embedded') return;

  it('sells exactly 10 in two processes', async () => {
    await using t = await startApp();
    // The sweeper runs as often as it can, on top of the rush.
    const env = { ...t.databaseEnv, PUBLIC_URL: t.config.PUBLIC_URL, SWEEP_SECONDS: '1' };
    await using one = await startServer(env);
    await using two = await startServer(env);
    const headers = await t.as();
    for (let round = 0; round < 5; round++) {
      const tripId = await t.given.trip({ seats: SEATS });
      expectTenWinners(await rush([one.url, two.url], tripId, headers));
      expect(await t.given.seats(tripId)).toMatchObject({ seats_left: 0, held: SEATS });
    }
  });
});
