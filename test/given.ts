import { sql } from 'kysely';
import type { Db } from '../src/platform/database/database.ts';
import { newId } from '../src/platform/ids.ts';
import { CARD } from '../src/train/payments/payments.examples.ts';

export { CARD };

export const BERLIN = 'efdbb9d1-02c2-4bc3-afb7-6788d8782b1e';
export const PARIS = 'b2e783e1-c824-4d63-b37a-d8d698862f1d';
export const EXAMPLE_TRIP = 'ea399ba1-6d95-433f-92d1-83f67b775594';

/** The secret of every subscription that is given. */
export const WEBHOOK_SECRET = Buffer.alloc(32, 'quartet');

export type Given = ReturnType<typeof given>;

/** Rows that a test starts from. */
export const given = (db: Db) => ({
  /** A trip from Berlin to Paris; `departsInHours` may be negative. Answers its id. */
  async trip({
    seats = 10,
    departsInHours = 24,
    bicycles = true,
    dogs = true,
  }: {
    seats?: number;
    departsInHours?: number;
    bicycles?: boolean;
    dogs?: boolean;
  } = {}) {
    const id = newId();
    await sql`
      insert into train.trips
        (id, service_date, origin_id, destination_id, departure_time, arrival_time, operator,
         price_cents, currency, bicycles_allowed, dogs_allowed, capacity, seats_left)
      values (${id}, current_date, ${BERLIN}, ${PARIS},
              now() + ${departsInHours}::float8 * interval '1 hour',
              now() + ${departsInHours + 8}::float8 * interval '1 hour', 'Test Railway', 4999,
              'eur', ${bicycles}, ${dogs}, ${seats}, ${seats})`.execute(db);
    return id;
  },

  /** Moves the end of a hold to a second ago. */
  async expiredHold(bookingId: string): Promise<void> {
    await sql`update train.bookings set expires_at = now() - interval '1 second'
              where id = ${bookingId}`.execute(db);
  },

  /** A subscription as if its owner had made it, whose target nothing checks. Answers its id. */
  async subscription({
    owner,
    url = 'http://127.0.0.1:1/',
    eventType = 'newBooking',
    receivesAll = false,
    isEnabled = true,
  }: {
    owner: string;
    url?: string;
    eventType?: 'newBooking' | 'publishNewEvent';
    receivesAll?: boolean;
    isEnabled?: boolean;
  }): Promise<string> {
    const id = newId();
    await sql`
      insert into webhooks.subscriptions (id, event_type, owner, receives_all, url, secret,
                                          is_enabled, disabled_reason, disabled_at)
      values (${id}, ${eventType}, ${owner}, ${receivesAll}, ${url}, ${WEBHOOK_SECRET}, ${isEnabled},
              ${isEnabled ? null : 'Test.'}, ${isEnabled ? null : new Date()})`.execute(db);
    return id;
  },

  /** Seats as the table counts them; what it counts wrong shows here. */
  async seats(tripId: string) {
    const { rows } = await sql<{
      capacity: number;
      seats_left: number;
      held: number;
      confirmed: number;
    }>`
      select t.capacity, t.seats_left,
             count(*) filter (where b.status = 'held')::int as held,
             count(*) filter (where b.status = 'confirmed')::int as confirmed
      from train.trips t left join train.bookings b on b.trip_id = t.id
      where t.id = ${tripId} group by t.id`.execute(db);
    if (!rows[0]) throw new Error(`There is no trip ${tripId}.`);
    return rows[0];
  },
});

/** An account that the sandbox gateway accepts. */
export const BANK_ACCOUNT = {
  object: 'bank_account',
  name: 'John Doe',
  number: 'GB33BUKB20201555555555',
  account_type: 'individual',
  bank_name: 'Starling Bank',
  country: 'gb',
  sort_code: '00-01-23',
};

export const PAYMENT = { amount: 49.99, currency: 'eur', source: CARD };

/** Credentials for the museum. */
export const basic = (name: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});

/** The museum's staff that every test's database has. */
export const CURATOR = basic('curator', 'demo');

/** A published event, held on 2023-09-05 and 2023-09-08. */
export const MERMAIDS = 'dad4bce8-f5cb-4078-a211-995864315e39';
