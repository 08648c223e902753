import type pg from 'pg';
import { newId } from '../src/platform/ids.ts';

const BOOKINGS = 100_000;
/** So many trips, each so large, that no booking waits for another's. */
export const TRIPS = 2000;
const CAPACITY = 1_000_000;

/** An id that pgbench, whose variables are numbers, can make as well. */
export const tripId = (number: number): string =>
  `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
/** The same as `tripId`, in SQL. */
export const tripIdSql = (number: string): string =>
  `('00000000-0000-7000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;

/** Whose bookings those are that the token can read. */
export function subjectOf(token: string): string {
  const [, payload = ''] = token.split('.');
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string }).sub;
}

/** An access token, had as a user would. */
export async function getToken(url: string): Promise<string> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('quartet-demo:demo-secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'read write' }),
  });
  if (!response.ok) throw new Error(`No token: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Adds trips and bookings of `subject`, half of them paid; answers the ids of the bookings. */
export async function fill(client: pg.Client, subject: string): Promise<string[]> {
  await client.query(
    `insert into train.trips
       (id, service_date, origin_id, destination_id, departure_time, arrival_time, operator,
        price_cents, currency, bicycles_allowed, dogs_allowed, capacity, seats_left)
     select ${tripIdSql('number')}, current_date + 30, origin.id, destination.id,
            now() + interval '30 days', now() + interval '31 days', 'Bench Railway', 4999, 'eur',
            true, true, $1, $1
     from generate_series(1, $2::int) number,
          (select id from train.stations order by id limit 1) origin,
          (select id from train.stations order by id desc limit 1) destination`,
    [CAPACITY, TRIPS],
  );
  const ids = Array.from({ length: BOOKINGS }, newId);
  await client.query(
    `insert into train.bookings (id, trip_id, subject, passenger_name, has_bicycle, has_dog,
                                 status, expires_at, price_cents, currency)
     select id, ${tripIdSql('1 + at % $2::int')}, $3, 'Passenger ' || at, at % 3 = 0, at % 5 = 0,
            case when at % 2 = 0 then 'held' else 'confirmed' end,
            date_trunc('milliseconds', now()) + interval '1 day', 4999, 'eur'
     from unnest($1::uuid[]) with ordinality booking (id, at)`,
    [ids, TRIPS, subject],
  );
  await client.query(
    `update train.trips t set seats_left = capacity - taken
     from (select trip_id, count(*) as taken from train.bookings group by trip_id) booked
     where t.id = trip_id`,
  );
  await client.query('vacuum (analyze)');
  return ids;
}
