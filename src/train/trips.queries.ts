import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { TripsTable } from './tables.ts';

export type TripRow = Pick<
  Selectable<TripsTable>,
  | 'id'
  | 'origin_id'
  | 'destination_id'
  | 'departure_time'
  | 'arrival_time'
  | 'operator'
  | 'price_cents'
  | 'currency'
  | 'bicycles_allowed'
  | 'dogs_allowed'
> & { seats_available: number };

/** Holds of trip `t` that have expired and that nobody has swept up yet: their seats are free. */
const expiredHolds = sql`
  select count(*)::int from train.bookings b
  where b.trip_id = t.id and b.status = 'held' and b.expires_at <= now()`;

const columns = sql`
  t.id, t.origin_id, t.destination_id, t.departure_time, t.arrival_time, t.operator,
  t.price_cents, t.currency, t.bicycles_allowed, t.dogs_allowed,
  t.seats_left + holds.expired as seats_available`;

export interface TripFilter {
  origin: string;
  destination: string;
  /** YYYY-MM-DD on the origin's clock, or an instant. */
  date: string;
  bicycles: boolean;
  dogs: boolean;
  limit: number;
  offset: number;
}

/**
 * Trips with a free seat that leave on one calendar day of the origin's clock and, where an instant
 * is given, not before it; in order of departure.
 */
export async function listTrips(db: Db, filter: TripFilter): Promise<TripRow[]> {
  const { origin, destination, date, bicycles, dogs, limit, offset } = filter;
  const isInstant = date.length > 'YYYY-MM-DD'.length;
  const day: RawBuilder<unknown> = isInstant
    ? sql`(${date}::timestamptz at time zone s.timezone)::date`
    : sql`${date}::date`;
  const { rows } = await sql<TripRow>`
    with day as (
      select day::timestamp at time zone timezone as starts,
             (day + 1)::timestamp at time zone timezone as ends
      from (select s.timezone, ${day} as day from train.stations s where s.id = ${origin}) station
    )
    select ${columns}
    from day, train.trips t, lateral (${expiredHolds}) holds (expired)
    where t.origin_id = ${origin} and t.destination_id = ${destination}
      and t.departure_time >= ${isInstant ? sql`greatest(day.starts, ${date}::timestamptz)` : sql`day.starts`}
      and t.departure_time < day.ends
      and (t.bicycles_allowed or not ${bicycles}::boolean)
      and (t.dogs_allowed or not ${dogs}::boolean)
      and t.seats_left + holds.expired > 0
    order by t.departure_time, t.id
    limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

export async function findTrips(db: Db, ids: readonly string[]): Promise<TripRow[]> {
  const { rows } = await sql<TripRow>`
    select ${columns}
    from train.trips t, lateral (${expiredHolds}) holds (expired)
    where t.id = any(${ids})`.execute(db);
  return rows;
}
