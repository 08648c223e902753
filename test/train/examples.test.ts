import { type RawBuilder, sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { exampleBooking, trainExamples } from '../../src/train/examples.ts';
import { examplePayments } from '../../src/train/payments/payments.examples.ts';
import {
  casesOf,
  type Document,
  unmatchedExamples,
  sendExample,
  sendParameterExamples,
  type Sender,
} from '../documents/examples.ts';
import { sharedApp } from '../harness.ts';
import { prepareWebhooks, resetSubscriptions } from '../webhooks/fixtures.ts';

const PUBLIC_URL = 'http://127.0.0.1:3000';
const t = await sharedApp();
const john = await t.as('john');
const booking = exampleBooking(PUBLIC_URL);
const webhooks = {
  publicUrl: PUBLIC_URL,
  baseUrl: PUBLIC_URL,
  eventType: 'newBooking' as const,
  operationId: (kebab: string) => kebab,
};

beforeEach(async () => {
  const { id, trip_id, passenger_name, has_bicycle, has_dog } = booking;
  await sql`delete from train.bookings`.execute(t.db);
  await sql`
    update train.trips
    set seats_left = capacity - 1, is_bookable_after_departure = true, bicycles_allowed = true,
        dogs_allowed = true
    where id = ${trip_id}`.execute(t.db);
  await sql`
    insert into train.bookings (id, trip_id, subject, passenger_name, has_bicycle, has_dog, status,
                                expires_at, price_cents, currency)
    values (${id}, ${trip_id}, 'john', ${passenger_name}, ${has_bicycle}, ${has_dog}, 'held',
            now() + interval '1 hour', 5000, 'eur')`.execute(t.db);
  await resetSubscriptions(t.db, 'john', webhooks);
});

const trip = (change: RawBuilder<unknown>) => () =>
  sql`update train.trips set ${change} where id = ${booking.trip_id}`.execute(t.db);
const booked = (change: RawBuilder<unknown>) => () =>
  sql`update train.bookings set ${change} where id = ${booking.id}`.execute(t.db);
const confirmed = booked(sql`status = 'confirmed'`);
const expired = booked(sql`expires_at = now()`);

const payments = async () => {
  for (const each of examplePayments(booking.links.self))
    await sql`
      insert into train.payments (id, booking_id, amount_cents, currency, source, status,
                                  failure_reason)
      values (${each.id}, ${booking.id}, ${each.amount * 100}, ${each.currency},
              ${JSON.stringify(each.source)}, ${each.status}, ${each.failure_reason ?? null})
      on conflict do nothing`.execute(t.db);
};

const sender: Sender = {
  authorize: () => john,
  // A hold ends an hour after it began.
  made: /(?<="expires_at":")[^"]+/g,
  prepare: {
    'create-booking trip-departed': trip(sql`is_bookable_after_departure = false`),
    'create-booking bicycle-not-allowed': trip(sql`bicycles_allowed = false`),
    'create-booking dog-not-allowed': trip(sql`dogs_allowed = false`),
    'create-booking trip-sold-out': trip(sql`seats_left = 0`),
    'get-booking confirmed': confirmed,
    'get-booking expired': expired,
    'delete-booking booking-confirmed': confirmed,
    'create-booking-payment booking-expired': expired,
    'create-booking-payment booking-already-paid': confirmed,
    'get-booking-payments': payments,
    'get-booking-ticket pdf': confirmed,
    'get-booking-ticket wallet': confirmed,
    ...prepareWebhooks(t.db, 'john', webhooks),
  },
};

const document = (await t.inject({ url: '/openapi/train.json' })).json() as Document;
const examples = trainExamples(PUBLIC_URL, PUBLIC_URL);

test.each(casesOf(document, examples))('%s is answered as the document shows', (_, ...example) =>
  sendExample(t, ...example, sender),
);

test('every example of a parameter is one', async () => {
  await confirmed();
  await sendParameterExamples(t, document, sender);
});

test('every operation has an example', () =>
  expect(unmatchedExamples(document, examples)).toEqual([]));
