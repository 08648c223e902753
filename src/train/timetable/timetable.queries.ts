import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { CatalogueService, CatalogueStation } from '../catalogue/catalogue.ts';
import type { ExampleTrip } from '../catalogue/examples.ts';
import { searchText } from '../search-text.ts';

/** Days that a trip without bookings stays listed after it left. */
const KEEP_DAYS = 30;

/** Writes the catalogue over the one before; days made so far are gone through again. */
export async function saveCatalogue(
  tx: Tx,
  { stations, services }: { stations: CatalogueStation[]; services: CatalogueService[] },
): Promise<void> {
  const stationRows = stations.map((station) => ({
    ...station,
    search_name: searchText(station.name),
    search_text: searchText(`${station.name} ${station.address}`),
  }));
  await sql`
    insert into train.stations
      (id, name, address, country_code, timezone, latitude, longitude, search_name, search_text)
    select id, name, address, country_code, timezone, latitude, longitude, search_name, search_text
    from jsonb_to_recordset(${JSON.stringify(stationRows)}::jsonb) as s
      (id uuid, name text, address text, country_code text, timezone text,
       latitude float8, longitude float8, search_name text, search_text text)
    on conflict (id) do update set
      name = excluded.name, address = excluded.address, country_code = excluded.country_code,
      timezone = excluded.timezone, latitude = excluded.latitude, longitude = excluded.longitude,
      search_name = excluded.search_name, search_text = excluded.search_text`.execute(tx);
  await sql`
    with listed as (
      insert into train.services
        (id, operator, origin_id, destination_id, departs, duration, weekdays, price_cents,
         capacity, bicycles_allowed, dogs_allowed)
      select id, operator, origin_id, destination_id, departs, minutes * interval '1 minute',
             weekdays, price_cents, capacity, bicycles_allowed, dogs_allowed
      from jsonb_to_recordset(${JSON.stringify(services)}::jsonb) as s
        (id uuid, operator text, origin_id uuid, destination_id uuid, departs time, minutes int,
         weekdays smallint[], price_cents int, capacity int, bicycles_allowed boolean,
         dogs_allowed boolean)
      on conflict (id) do update set
        operator = excluded.operator, departs = excluded.departs, duration = excluded.duration,
        weekdays = excluded.weekdays, price_cents = excluded.price_cents,
        capacity = excluded.capacity, bicycles_allowed = excluded.bicycles_allowed,
        dogs_allowed = excluded.dogs_allowed, is_running = true
      returning id
    )
    update train.services set is_running = false
    where is_running and id not in (select id from listed)`.execute(tx);
  await sql`
    update train.stations s
    set departures = coalesce((select sum(cardinality(weekdays)) from train.services
                               where origin_id = s.id and is_running), 0)`.execute(tx);
  await sql`delete from train.timetable_days`.execute(tx);
}

/** The published example trips: they have left, and can be booked all the same. */
export async function saveExampleTrips(tx: Tx, trips: ExampleTrip[]): Promise<void> {
  await sql`
    insert into train.trips
      (id, service_date, origin_id, destination_id, departure_time, arrival_time, operator,
       price_cents, currency, bicycles_allowed, dogs_allowed, capacity, seats_left,
       is_bookable_after_departure)
    select id, (departure_time at time zone 'UTC')::date, origin_id, destination_id,
           departure_time, arrival_time, operator, price_cents, 'eur', bicycles_allowed,
           dogs_allowed, capacity, capacity, true
    from jsonb_to_recordset(${JSON.stringify(trips)}::jsonb) as t
      (id uuid, origin_id uuid, destination_id uuid, departure_time timestamptz,
       arrival_time timestamptz, operator text, price_cents int, bicycles_allowed boolean,
       dogs_allowed boolean, capacity int)
    on conflict (id) do nothing`.execute(tx);
}

/**
 * Days (YYYY-MM-DD) from yesterday to `days` ahead that have no trips yet. A day more on either
 * side, since it is not the same date at every station.
 */
export async function listMissingDays(db: Db, days: number): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select day::date as day
    from generate_series((now() at time zone 'UTC')::date - 1,
                         (now() at time zone 'UTC')::date + ${days}::int + 1, interval '1 day') day
    where day::date not in (select day from train.timetable_days)
    order by day`.execute(db);
  return rows.map((row) => row.day);
}

/**
 * Makes the trips of one day, once, whoever else does the same. Local clock time becomes an instant
 * by the origin's zone on that day; the duration is time that passes, so both hold across
 * daylight-saving changes. Answers how many trips.
 */
export async function insertTrips(db: Db, day: string): Promise<number> {
  const { rows } = await sql<{ made: number }>`
    with today as (
      insert into train.timetable_days (day) values (${day}::date)
      on conflict do nothing returning day
    ), made as (
      insert into train.trips
        (id, service_id, service_date, origin_id, destination_id, departure_time, arrival_time,
         operator, price_cents, currency, bicycles_allowed, dogs_allowed, capacity, seats_left)
      select platform.uuid_v7(), s.id, today.day, s.origin_id, s.destination_id,
             leaves.at, leaves.at + s.duration, s.operator, s.price_cents, s.currency,
             s.bicycles_allowed, s.dogs_allowed, s.capacity, s.capacity
      from today
        join train.services s
          on s.is_running and extract(isodow from today.day)::smallint = any(s.weekdays)
        join train.stations origin on origin.id = s.origin_id,
        lateral (select (today.day + s.departs) at time zone origin.timezone) leaves (at)
      on conflict (service_id, service_date) do nothing
      returning 1
    )
    select count(*)::int as made from made`.execute(db);
  return rows[0]?.made ?? 0;
}

/** Deletes trips that left long ago and were never booked, a thousand at a time; answers how many. */
export async function deleteOldTrips(db: Db): Promise<number> {
  const { rows } = await sql`
    delete from train.trips where id in (
      select t.id from train.trips t
      where t.departure_time < now() - ${KEEP_DAYS} * interval '1 day'
        and not t.is_bookable_after_departure
        and not exists (select from train.bookings b where b.trip_id = t.id)
      limit 1000)
    returning 1`.execute(db);
  return rows.length;
}

/** Fresh statistics after a load; autovacuum comes too late for the first searches. */
export async function analyzeTrips(db: Db): Promise<void> {
  await sql`analyze train.stations, train.services, train.trips`.execute(db);
}
