import { type Selectable, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { MaskedSource } from './payments.schemas.ts';
import type { BookingStatus, PaymentsTable } from '../tables.ts';

export type PaymentRow = Pick<
  Selectable<PaymentsTable>,
  'id' | 'booking_id' | 'amount_cents' | 'currency' | 'source' | 'status' | 'failure_reason'
>;

/** An attempt that nobody works on any more after this: its process died. */
const ATTEMPT_SECONDS = 60;

export interface Attempt {
  id: string;
  bookingId: string;
  subject: string;
  amountCents: number;
  currency: string;
  source: MaskedSource;
}

export interface AttemptStart {
  /** Of the booking, at this instant. */
  status: BookingStatus;
  price_cents: number;
  currency: string;
  /** Whether the attempt is written down as pending, so that the gateway may be asked. */
  is_started: boolean;
}

/**
 * Writes an attempt down as pending where the booking can be paid and the amount is right.
 * Undefined: the caller has no such booking.
 */
export async function startPayment(db: Db, attempt: Attempt): Promise<AttemptStart | undefined> {
  const { rows } = await sql<AttemptStart>`
    with booking as materialized (
      select id, price_cents, currency,
             case when status = 'held' and expires_at <= clock_timestamp() then 'expired'
                  else status end as status
      from train.bookings
      where id = ${attempt.bookingId} and subject = ${attempt.subject}
      -- A booking that is being deleted is waited for; the reference could not stand otherwise.
      for key share
    ), attempt as (
      insert into train.payments (id, booking_id, amount_cents, currency, source, status)
      select ${attempt.id}::uuid, booking.id, booking.price_cents, booking.currency,
             ${JSON.stringify(attempt.source)}::jsonb, 'pending'
      from booking
      where booking.status = 'held' and booking.price_cents = ${attempt.amountCents}::int
        and booking.currency = ${attempt.currency}
      returning id
    )
    select booking.status, price_cents, currency, attempt.id is not null as is_started
    from booking left join attempt on true`.execute(db);
  return rows[0];
}

/**
 * Confirms the booking and the payment together, where the hold still lives at this instant.
 * False: it was paid, expired or deleted meanwhile; then the money must go back.
 */
export async function settlePayment(db: Db, id: string, bookingId: string): Promise<boolean> {
  const { rows } = await sql`
    with booking as materialized (
      select id from train.bookings
      where id = ${bookingId} and status = 'held' and expires_at > clock_timestamp()
      for update
    ), payment as (
      update train.payments p set status = 'succeeded'
      from booking
      where p.id = ${id} and p.booking_id = booking.id and p.status = 'pending'
      returning p.booking_id
    )
    update train.bookings b set status = 'confirmed'
    from payment where b.id = payment.booking_id
    returning 1`.execute(db);
  return rows.length === 1;
}

/** Ends a pending attempt; false where it had ended already, or went with its booking. */
export async function failPayment(db: Db, id: string, reason: string): Promise<boolean> {
  const { rows } = await sql`
    update train.payments set status = 'failed', failure_reason = ${reason}
    where id = ${id} and status = 'pending'
    returning 1`.execute(db);
  return rows.length === 1;
}

export async function hasSucceeded(db: Db, id: string): Promise<boolean> {
  const payment = await db
    .selectFrom('train.payments')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirst();
  return payment?.status === 'succeeded';
}

export async function listPayments(
  db: Db,
  { bookingId, limit, offset }: { bookingId: string; limit: number; offset: number },
): Promise<PaymentRow[]> {
  return db
    .selectFrom('train.payments')
    .select(['id', 'booking_id', 'amount_cents', 'currency', 'source', 'status', 'failure_reason'])
    .where('booking_id', '=', bookingId)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Attempts whose process died between asking the gateway and writing its answer down. */
export async function listAbandonedPayments(db: Db): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select id from train.payments
    where status = 'pending' and created_at < now() - ${ATTEMPT_SECONDS} * interval '1 second'
    limit 100`.execute(db);
  return rows;
}
