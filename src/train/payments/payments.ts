import type { Db } from '../../platform/database/database.ts';
import { Problem } from '../../platform/problems/problems.ts';
import { findBookings } from '../bookings.queries.ts';
import { noBooking } from '../bookings.routes.ts';
import type { PaymentGateway } from './gateway.ts';
import {
  type Attempt,
  failPayment,
  hasSucceeded,
  listAbandonedPayments,
  type PaymentRow,
  settlePayment,
  startPayment,
} from './payments.queries.ts';
import type { NewPayment } from './payments.schemas.ts';

const alreadyPaid = () => new Problem('booking-already-paid', 'The booking has been paid.');
const expired = () => new Problem('booking-expired', 'The hold has ended; make a new booking.');

/** Writes the attempt down as pending; throws the problem where the booking cannot be paid so. */
async function start(db: Db, attempt: Attempt): Promise<void> {
  const booking = await startPayment(db, attempt);
  if (!booking) throw noBooking(attempt.bookingId);
  if (booking.is_started) return;
  if (booking.status === 'confirmed') throw alreadyPaid();
  if (booking.status === 'expired') throw expired();
  throw new Problem(
    'payment-amount-mismatch',
    `The booking costs ${booking.price_cents / 100} ${booking.currency}; the payment offers ${attempt.amountCents / 100} ${attempt.currency}.`,
  );
}

/** Why a charge came too late. */
async function lostRace(db: Db, { bookingId, subject }: Attempt): Promise<Problem> {
  const [booking] = await findBookings(db, [bookingId]);
  if (booking?.subject !== subject) return noBooking(bookingId);
  return booking.status === 'confirmed' ? alreadyPaid() : expired();
}

/**
 * One attempt: written down, charged outside any transaction, then settled together with its
 * booking by the step that `commit` is given. A charge that comes too late, because the booking
 * was paid, expired or deleted meanwhile, is given back.
 */
export async function pay(
  db: Db,
  gateway: PaymentGateway,
  attempt: Attempt,
  source: NewPayment['source'],
  commit: (settle: (executor: Db) => Promise<PaymentRow>) => Promise<void>,
): Promise<void> {
  await start(db, attempt);
  const { id, bookingId, amountCents, currency } = attempt;
  const ended = (failure_reason: string | null): PaymentRow => ({
    id,
    booking_id: bookingId,
    amount_cents: amountCents,
    currency,
    source: { ...attempt.source },
    status: failure_reason === null ? 'succeeded' : 'failed',
    failure_reason,
  });
  try {
    const charged = await gateway.charge({ id, amountCents, currency, source });
    await commit(async (executor) => {
      if (charged.status === 'failed') {
        if (await failPayment(executor, id, charged.reason)) return ended(charged.reason);
      } else if (await settlePayment(executor, id, bookingId)) return ended(null);
      throw await lostRace(executor, attempt);
    });
  } catch (error) {
    await failPayment(db, id, error instanceof Problem ? error.slug : 'processing_error');
    // Where only the answer of the commit was lost, the booking is paid, and the money stays.
    if (!(await hasSucceeded(db, id))) await gateway.cancel(id);
    throw error;
  }
}

/** Ends attempts whose process died on the way: they count as failed, and the money goes back. */
export async function endAbandonedPayments(db: Db, gateway: PaymentGateway): Promise<void> {
  for (const { id } of await listAbandonedPayments(db)) {
    if (await failPayment(db, id, 'processing_error')) await gateway.cancel(id);
  }
}
