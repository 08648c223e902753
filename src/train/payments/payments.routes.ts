import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { callerOf } from '../../platform/access/bearer.ts';
import { problemResponses } from '../../platform/documents/problem-responses.ts';
import { answerOnce } from '../../platform/http/idempotency.ts';
import { newId } from '../../platform/ids.ts';
import { PageQuery, pageWindow, paginate } from '../../platform/http/pagination.ts';
import { invalidRequest } from '../../platform/problems/problems.ts';
import { findBookings } from '../bookings.queries.ts';
import { noBooking } from '../bookings.routes.ts';
import { BookingParams } from '../bookings.schemas.ts';
import type { TrainRoutes } from '../index.ts';
import { type Attempt, listPayments, type PaymentRow } from './payments.queries.ts';
import { pay } from './payments.ts';
import {
  maskSource,
  NewPayment,
  passesLuhn,
  type MaskedSource,
  type Payment,
  PaymentCollection,
} from './payments.schemas.ts';

/** The Payment of the API. */
const toPayment = (row: PaymentRow, baseUrl: string): Payment => ({
  id: row.id,
  amount: row.amount_cents / 100,
  currency: row.currency,
  source: row.source as MaskedSource,
  status: row.status,
  ...(row.failure_reason !== null && { failure_reason: row.failure_reason }),
  links: { booking: `${baseUrl}/bookings/${row.booking_id}` },
});

export const paymentRoutes: FastifyPluginAsyncTypebox<TrainRoutes> = async (
  app,
  { database, baseUrl, publicUrl, gateway },
) => {
  const { db, reads } = database;
  app.post(
    '/bookings/:bookingId/payment',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'create-booking-payment',
        summary: 'Pay for a booking',
        description:
          'Pays the price of a booking that is held, by card or from a bank account. Where the answer has the `status` succeeded, the booking is confirmed and its ticket is there. Where it has failed, `failure_reason` tells why, nothing was charged, and the booking is held as before: try again with something else. A booking is paid once, however many try at the same time. Needs the scope `write`.\n\nNo money moves here. These card numbers are known, and any other with a right check digit is taken: `4242424242424242` succeeds, `4000000000000002` is declined, `4000000000009995` lacks funds, `4000000000000259` takes three seconds.',
        tags: ['Payments'],
        security: [{ OAuth2: ['write'] }],
        params: BookingParams,
        body: NewPayment,
        response: {
          200: Type.Ref('Payment'),
          ...problemResponses(
            400,
            401,
            403,
            404,
            'payment-amount-mismatch',
            'booking-expired',
            'booking-already-paid',
            413,
            415,
            422,
          ),
        },
      },
    },
    async (request, reply) => {
      const { subject } = callerOf(request);
      const { amount, currency, source } = request.body;
      if ('cvc' in source && !passesLuhn(source.number))
        throw invalidRequest([
          { pointer: '/source/number', detail: 'is not a card number: its check digit is wrong' },
        ]);
      const attempt: Attempt = {
        id: newId(),
        bookingId: request.params.bookingId.toLowerCase(),
        subject,
        amountCents: Math.round(amount * 100),
        currency,
        source: maskSource(source),
      };
      return answerOnce(database, subject, request, reply, (commit) =>
        pay(db, gateway, attempt, source, (settle) =>
          commit(async (executor) => ({
            status: 200,
            resource: toPayment(await settle(executor), baseUrl),
          })),
        ),
      );
    },
  );

  app.get(
    '/bookings/:bookingId/payment',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'get-booking-payments',
        summary: 'List the payments of a booking',
        description:
          'Every attempt to pay for the booking, newest first, with what became of it. Needs the scope `read`.',
        tags: ['Payments'],
        security: [{ OAuth2: ['read'] }],
        params: BookingParams,
        querystring: Type.Object(PageQuery),
        response: { 200: PaymentCollection, ...problemResponses(400, 401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { bookingId } = request.params;
      const [booking] = await findBookings(reads, [bookingId]);
      if (booking?.subject !== callerOf(request).subject) throw noBooking(bookingId);
      const rows = await listPayments(reads, { bookingId, ...pageWindow(request.query) });
      reply.header('cache-control', 'private, no-cache');
      const payments = rows.map((row) => toPayment(row, baseUrl));
      return paginate(payments, request.query, publicUrl + request.url);
    },
  );
};
