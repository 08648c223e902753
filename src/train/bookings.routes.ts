import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { batchById } from '../platform/database/batch.ts';
import { callerOf } from '../platform/access/bearer.ts';
import { problemResponses } from '../platform/documents/problem-responses.ts';
import { notModified, entityTag, requireMatch, sendTagged } from '../platform/http/etag.ts';
import { answerOnce } from '../platform/http/idempotency.ts';
import { PageQuery, pageWindow, paginate } from '../platform/http/pagination.ts';
import { notFound, Problem } from '../platform/problems/problems.ts';
import {
  type BookingRow,
  deleteBooking,
  findBookings,
  insertBooking,
  listBookings,
  lockBooking,
} from './bookings.queries.ts';
import { Booking, BookingCollection, BookingParams, NewBooking } from './bookings.schemas.ts';
import type { TrainRoutes } from './index.ts';

/** The Booking of the API. */
const toBooking = (row: BookingRow, baseUrl: string): Booking => ({
  id: row.id,
  trip_id: row.trip_id,
  passenger_name: row.passenger_name,
  has_bicycle: row.has_bicycle,
  has_dog: row.has_dog,
  status: row.status,
  ...(row.status === 'held' && { expires_at: row.expires_at.toISOString() }),
  price: row.price_cents / 100,
  currency: row.currency,
  links: { self: `${baseUrl}/bookings/${row.id}` },
});

const REFUSALS = {
  departed: () => new Problem('trip-departed', 'The trip has left; choose a later one.'),
  bicycle: () => new Problem('bicycle-not-allowed', 'The trip takes no bicycles.'),
  dog: () => new Problem('dog-not-allowed', 'The trip takes no dogs.'),
  'sold-out': () => new Problem('trip-sold-out', 'Every seat of the trip is held or booked.'),
};

/** Also the answer for a booking of somebody else, so that nobody learns that it exists. */
export const noBooking = (id: string) => notFound(`You have no booking ${id}.`);

export const bookingRoutes: FastifyPluginAsyncTypebox<TrainRoutes> = async (
  app,
  { database, baseUrl, publicUrl, holdSeconds, webhooks },
) => {
  const { db, reads } = database;
  const findBooking = batchById((ids) => findBookings(reads, ids));
  const security = (scope: string) => ({ security: [{ OAuth2: [scope] }], tags: ['Bookings'] });

  app.get(
    '/bookings',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'get-bookings',
        summary: 'List your bookings',
        description:
          'Your bookings, newest first, whatever became of them: those of the user, or of the client itself, whom the token stands for. Needs the scope `read`.',
        ...security('read'),
        querystring: Type.Object(PageQuery),
        response: { 200: BookingCollection, ...problemResponses(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const { subject } = callerOf(request);
      const rows = await listBookings(reads, { subject, ...pageWindow(request.query) });
      reply.header('cache-control', 'private, no-cache');
      const bookings = rows.map((row) => toBooking(row, baseUrl));
      return paginate(bookings, request.query, publicUrl + request.url);
    },
  );

  app.post(
    '/bookings',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'create-booking',
        summary: 'Create a booking',
        description:
          'Takes a seat on the trip and holds it until `expires_at`, an hour from now unless the server is set up otherwise. Pay before that, or the seat is free for others again. Subscribers of `newBooking` are told. Needs the scope `write`; refused where the trip has left, has no free seat, or does not take what comes along.',
        ...security('write'),
        body: NewBooking,
        response: {
          201: Type.Ref('Booking'),
          ...problemResponses(
            400,
            401,
            403,
            404,
            'trip-departed',
            'bicycle-not-allowed',
            'dog-not-allowed',
            'trip-sold-out',
            413,
            415,
            422,
          ),
        },
      },
    },
    async (request, reply) => {
      const { subject } = callerOf(request);
      const context = { subject, holdSeconds, bookingsUrl: `${baseUrl}/bookings` };
      let isAnnounced = false;
      const answer = await answerOnce(database, subject, request, reply, (commit) =>
        commit(async (executor) => {
          const outcome = await insertBooking(executor, request.body, context);
          if (!outcome) throw notFound(`There is no trip ${request.body.trip_id}.`);
          if ('refused' in outcome) throw REFUSALS[outcome.refused]();
          ({ isAnnounced } = outcome);
          const booking = toBooking(outcome.booking, baseUrl);
          return { status: 201, headers: { location: booking.links.self }, resource: booking };
        }),
      );
      if (isAnnounced) webhooks.announce();
      return answer;
    },
  );

  app.get(
    '/bookings/:bookingId',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'get-booking',
        summary: 'Get a booking',
        description:
          'One booking as it is at this moment: a hold whose time is over is `expired` at once. It is 404 for everybody but its owner. Needs the scope `read`.',
        ...security('read'),
        params: BookingParams,
        response: {
          200: Type.Ref('Booking'),
          ...notModified,
          ...problemResponses(400, 401, 403, 404),
        },
      },
    },
    async (request, reply) => {
      const { bookingId } = request.params;
      const row = await findBooking(bookingId);
      if (row?.subject !== callerOf(request).subject) throw noBooking(bookingId);
      reply.header('cache-control', 'private, no-cache');
      return sendTagged(request, reply, toBooking(row, baseUrl));
    },
  );

  app.delete(
    '/bookings/:bookingId',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'delete-booking',
        summary: 'Delete a booking',
        description:
          'Gives the seat back and deletes the booking, together with the payments that failed. A confirmed booking stays: it is paid. Needs the scope `write`.',
        ...security('write'),
        params: BookingParams,
        response: {
          204: Type.Null({ description: 'The booking is deleted.' }),
          ...problemResponses(400, 401, 403, 404, 'booking-confirmed', 412),
        },
      },
    },
    async (request, reply) => {
      const { bookingId } = request.params;
      const { subject } = callerOf(request);
      const ifMatch = request.headers['if-match'];
      const isDeleted =
        ifMatch === undefined
          ? await deleteBooking(db, bookingId, subject)
          : await db.transaction().execute(async (tx) => {
              const row = await lockBooking(tx, bookingId, subject);
              if (!row) return undefined;
              requireMatch(
                ifMatch,
                entityTag(reply.serializeInput(toBooking(row, baseUrl), Booking)),
              );
              return deleteBooking(tx, bookingId, subject);
            });
      if (isDeleted === undefined) throw noBooking(bookingId);
      if (!isDeleted)
        throw new Problem('booking-confirmed', 'The booking has been paid; it cannot be deleted.');
      return reply.code(204).send(null);
    },
  );
};
