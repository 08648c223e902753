import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { writeEvent } from '../webhooks/outbox.queries.ts';
import type { NewBooking } from './bookings.schemas.ts';
import type { BookingsTable } from './tables.ts';

export type BookingRow = Pick<
  Selectable<BookingsTable>,
  | 'id'
  | 'trip_id'
  | 'subject'
  | 'passenger_name'
  | 'has_bicycle'
  | 'has_dog'
  | 'status'
  | 'expires_at'
  | 'price_cents'
  | 'currency'
>;

/** Columns of booking `b`. A hold past its time is expired, swept up or not. */
const columns = sql`
  b.id, b.trip_id, b.subject, b.passenger_name, b.has_bicycle, b.has_dog,
  case when b.status = 'held' and b.expires_at <= now() then 'expired' else b.status end as status,
  b.expires_at, b.price_cents, b.currency`;

export async function findBookings(db: Db, ids: readonly string[]): Promise<BookingRow[]> {
  const { rows } = await sql<BookingRow>`
    select ${columns} from train.bookings b where b.id = any(${ids})`.execute(db);
  return rows;
}

export async function listBookings(
  db: Db,
  { subject, limit, offset }: { subject: string; limit: number; offset: number },
): Promise<BookingRow[]> {
  const { rows } = await sql<BookingRow>`
    select ${columns} from train.bookings b
    where b.subject = ${subject}
    order by b.id desc
    limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/** What became of an attempt to book: the trip as it was, and the booking if there is one. */
export type BookingOutcome =
  | { booking: BookingRow; isAnnounced: boolean }
  | { refused: 'departed' | 'bicycle' | 'dog' | 'sold-out' }
  | undefined;

/**
 * Takes a seat, books it and writes the event, in one statement. Undefined: there is no such trip.
 *
 * The trip's row is locked first, so that whoever wants its seats comes one after another; all who
 * lock do so in the order trip, booking. Holds that have expired give their seats back on the way,
 * whether or not this booking comes about. READ COMMITTED re-reads each row that it locks, so the
 * counts are those after the lock was had, not those of the statement's start.
 */
export async function insertBooking(
  db: Db,
  { trip_id, passenger_name, has_bicycle = false, has_dog = false }: WantedBooking,
  { subject, holdSeconds, bookingsUrl }: BookingContext,
): Promise<BookingOutcome> {
  const id = newId();
  const { rows } = await sql<
    BookingRow & {
      refused: string | null;
      is_booked: boolean;
      is_announced: boolean;
    }
  >`
    with trip as materialized (
      select t.id, t.seats_left, t.price_cents, t.currency,
             case
               when t.departure_time <= now() and not t.is_bookable_after_departure then 'departed'
               when ${has_bicycle}::boolean and not t.bicycles_allowed then 'bicycle'
               when ${has_dog}::boolean and not t.dogs_allowed then 'dog'
             end as forbidden
      from train.trips t
      where t.id = ${trip_id}
      for no key update
    ), released as (
      update train.bookings b set status = 'expired'
      from trip
      where b.trip_id = trip.id and b.status = 'held' and b.expires_at <= clock_timestamp()
      returning b.id
    ), verdict as materialized (
      select trip.id, trip.price_cents, trip.currency, free.seats,
             coalesce(forbidden, case when free.seats <= 0 then 'sold-out' end) as refused
      from trip, lateral (select trip.seats_left + (select count(*) from released)::int) free (seats)
    ), seat as (
      update train.trips t
      set seats_left = v.seats - case when v.refused is null then 1 else 0 end
      from verdict v
      where t.id = v.id and (v.refused is null or v.seats > 0)
    ), booking as (
      insert into train.bookings (id, trip_id, subject, passenger_name, has_bicycle, has_dog,
                                  status, expires_at, price_cents, currency)
      select ${id}::uuid, v.id, ${subject}::text, ${passenger_name}::text,
             ${has_bicycle}::boolean, ${has_dog}::boolean, 'held',
             date_trunc('milliseconds', clock_timestamp()) + ${holdSeconds}::int * interval '1 second',
             v.price_cents, v.currency
      from verdict v
      where v.refused is null
      returning *
    ), ${writeEvent({
      id: newId(),
      type: 'newBooking',
      owner: subject,
      payload: eventPayload(bookingsUrl),
      from: sql`booking b`,
    })}
    select v.refused, b.id is not null as is_booked, exists (select from deliveries) as is_announced,
           ${columns}
    from verdict v left join booking b on true`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  if (row.is_booked) return { booking: row, isAnnounced: row.is_announced };
  return { refused: row.refused as 'departed' | 'bicycle' | 'dog' | 'sold-out' };
}

export type WantedBooking = Pick<
  NewBooking,
  'trip_id' | 'passenger_name' | 'has_bicycle' | 'has_dog'
>;

export interface BookingContext {
  subject: string;
  holdSeconds: number;
  /** Absolute address of the collection, which the event's link starts with. */
  bookingsUrl: string;
}

/** The Booking of the API, built in SQL, since only the database knows price and expiry. */
const eventPayload = (bookingsUrl: string) => sql`
  json_build_object(
    'id', b.id, 'trip_id', b.trip_id, 'passenger_name', b.passenger_name,
    'has_bicycle', b.has_bicycle, 'has_dog', b.has_dog, 'status', b.status,
    'expires_at', to_char(b.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'price', trim_scale(b.price_cents / 100.0), 'currency', b.currency,
    'links', json_build_object('self', ${`${bookingsUrl}/`}::text || b.id))`;

/** Locks a booking of the caller, after its trip; undefined where there is none. */
export async function lockBooking(
  tx: Tx,
  id: string,
  subject: string,
): Promise<BookingRow | undefined> {
  await sql`
    select t.id from train.trips t
    where t.id = (select trip_id from train.bookings where id = ${id} and subject = ${subject})
    for no key update`.execute(tx);
  const { rows } = await sql<BookingRow>`
    select ${columns} from train.bookings b
    where b.id = ${id} and b.subject = ${subject}
    for update`.execute(tx);
  return rows[0];
}

/**
 * Deletes a booking of the caller unless it is confirmed, and gives a seat that it still holds
 * back. Answers whether it is deleted; undefined: there is no such booking.
 */
export async function deleteBooking(
  db: Db,
  id: string,
  subject: string,
): Promise<boolean | undefined> {
  const deleted = await sql`
    with trip as materialized (
      select t.id from train.trips t
      where t.id = (select trip_id from train.bookings where id = ${id} and subject = ${subject})
      for no key update
    ), deleted as (
      delete from train.bookings b using trip
      where b.id = ${id} and b.trip_id = trip.id and b.status <> 'confirmed'
      returning b.status, b.trip_id
    ), seat as (
      update train.trips t set seats_left = t.seats_left + 1
      from deleted where t.id = deleted.trip_id and deleted.status = 'held'
    )
    select from deleted`.execute(db);
  if (deleted.rows.length > 0) return true;
  // Confirmed, or deleted by somebody else while the lock was waited for: a new look tells.
  const [booking] = await findBookings(db, [id]);
  return booking?.subject === subject ? false : undefined;
}

/**
 * Writes down holds that have expired and gives their seats back, at most `limit`; answers how many.
 * Trips that somebody works on are left for the next run, so sweepers never wait.
 */
export async function expireHolds(db: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ released: number }>`
    with due as materialized (
      select trip_id from train.bookings
      where status = 'held' and expires_at <= now()
      order by expires_at
      limit ${limit}
    ), trip as materialized (
      select id from train.trips where id in (select trip_id from due)
      order by id
      for no key update skip locked
    ), released as (
      update train.bookings b set status = 'expired'
      from trip
      where b.trip_id = trip.id and b.status = 'held' and b.expires_at <= now()
      returning b.trip_id
    ), seats as (
      update train.trips t set seats_left = t.seats_left + r.count
      from (select trip_id, count(*)::int as count from released group by trip_id) r
      where t.id = r.trip_id
    )
    select count(*)::int as released from released`.execute(db);
  return rows[0]?.released ?? 0;
}
