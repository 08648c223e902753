import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { insertTrips, listMissingDays } from '../../src/train/timetable/timetable.queries.ts';
import { extendTimetable, pruneTimetable } from '../../src/train/timetable/timetable.ts';
import { BERLIN, EXAMPLE_TRIP, PARIS } from '../given.ts';
import { sharedApp } from '../harness.ts';

const t = await sharedApp();

/** A service of every day from a station to another; answers its id. */
async function service(origin: string, destination: string, departs: string, minutes: number) {
  const id = newId();
  await sql`
    insert into train.services (id, operator, origin_id, destination_id, departs, duration,
      weekdays, price_cents, capacity, bicycles_allowed, dogs_allowed)
    values (${id}, 'Test Railway', ${origin}, ${destination}, ${departs},
      ${minutes}::int * interval '1 minute', '{1,2,3,4,5,6,7}', 100, 10, true, true)`.execute(t.db);
  return id;
}

/** Departure and arrival of the service's trip on `day`, which is made if need be. */
async function times(serviceId: string, day: string) {
  await sql`delete from train.timetable_days where day = ${day}`.execute(t.db);
  await insertTrips(t.db, day);
  const { rows } = await sql<{ departure_time: Date; arrival_time: Date }>`
    select departure_time, arrival_time from train.trips
    where service_id = ${serviceId} and service_date = ${day}`.execute(t.db);
  return rows.map((row) => [row.departure_time.toISOString(), row.arrival_time.toISOString()]);
}

const stationAt = async (timezone: string): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    select id from train.stations where timezone = ${timezone} limit 1`.execute(t.db);
  if (!rows[0]) throw new Error(`No station in ${timezone}.`);
  return rows[0].id;
};

describe('dated trips', () => {
  it("leave at the same time of the origin's clock in winter and in summer", async () => {
    const id = await service(BERLIN, PARIS, '08:00', 60);
    expect(await times(id, '2027-02-15')).toEqual([
      ['2027-02-15T07:00:00.000Z', '2027-02-15T08:00:00.000Z'],
    ]);
    expect(await times(id, '2027-07-15')).toEqual([
      ['2027-07-15T06:00:00.000Z', '2027-07-15T07:00:00.000Z'],
    ]);
  });

  it('take as long as ever in the nights when the clocks change', async () => {
    const id = await service(BERLIN, PARIS, '23:30', 480);
    expect(await times(id, '2027-03-27')).toEqual([
      ['2027-03-27T22:30:00.000Z', '2027-03-28T06:30:00.000Z'],
    ]);
    expect(await times(id, '2027-10-30')).toEqual([
      ['2027-10-30T21:30:00.000Z', '2027-10-31T05:30:00.000Z'],
    ]);
  });

  it('leave once, also at an hour that the night skips or has twice', async () => {
    const id = await service(BERLIN, PARIS, '02:30', 60);
    expect(await times(id, '2027-03-28')).toEqual([
      ['2027-03-28T01:30:00.000Z', '2027-03-28T02:30:00.000Z'],
    ]);
    expect(await times(id, '2027-10-31')).toHaveLength(1);
  });

  it('count by the clock of their origin between timezones and over midnight', async () => {
    const [london, helsinki] = [
      await stationAt('Europe/London'),
      await stationAt('Europe/Helsinki'),
    ];
    const late = await service(helsinki, london, '00:15', 60);
    expect(await times(late, '2027-02-15')).toEqual([
      ['2027-02-14T22:15:00.000Z', '2027-02-14T23:15:00.000Z'],
    ]);
    const found = async (date: string) =>
      (
        await t.inject({ url: `/trips?origin=${helsinki}&destination=${london}&date=${date}` })
      ).json().data.length;
    // Still the 14th in UTC; the 15th on the platform.
    expect([await found('2027-02-14'), await found('2027-02-15')]).toEqual([0, 1]);
  });

  it('exist for every day from today on, and are made once', async () => {
    expect(await listMissingDays(t.db, t.config.TIMETABLE_DAYS)).toEqual([]);
    expect((await listMissingDays(t.db, 60)).length).toBe(60 - t.config.TIMETABLE_DAYS);
    const count = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from train.trips`.execute(t.db);
      return rows[0]?.count ?? 0;
    };
    await Promise.all([extendTimetable(t.db, 10), extendTimetable(t.db, 10)]);
    const made = await count();
    await extendTimetable(t.db, 10);
    expect(await count()).toBe(made);
    expect(await listMissingDays(t.db, 10)).toEqual([]);
    const { rows } = await sql`
      select 1 from train.trips where service_id is not null
      group by service_id, service_date having count(*) > 1`.execute(t.db);
    expect(rows).toEqual([]);
  });

  it('go when they left long ago, unless somebody booked them or they are examples', async () => {
    const gone = await t.given.trip({ departsInHours: -24 * 40 });
    const recent = await t.given.trip({ departsInHours: -24 });
    const booked = await t.given.trip({ departsInHours: 24 });
    const answer = await t.inject({
      method: 'POST',
      url: '/bookings',
      headers: await t.as(),
      payload: { trip_id: booked, passenger_name: 'John Doe' },
    });
    expect(answer.statusCode).toBe(201);
    await sql`update train.trips set departure_time = now() - interval '40 days',
              arrival_time = now() - interval '39 days' where id = ${booked}`.execute(t.db);
    await pruneTimetable(t.db);
    const status = async (id: string) => (await t.inject({ url: `/trips/${id}` })).statusCode;
    expect(await status(gone)).toBe(404);
    for (const id of [recent, booked, EXAMPLE_TRIP]) expect(await status(id)).toBe(200);
  });
});
