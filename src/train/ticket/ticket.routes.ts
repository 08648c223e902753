import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callerOf } from '../../platform/access/bearer.ts';
import { headersNamed } from '../../platform/documents/headers.ts';
import { problemResponses } from '../../platform/documents/problem-responses.ts';
import { notModified, entityTag } from '../../platform/http/etag.ts';
import { sendFile } from '../../platform/http/files.ts';
import { negotiate } from '../../platform/http/negotiation.ts';
import { PASS_MEDIA_TYPE } from '../../platform/passes/passes.ts';
import { Problem } from '../../platform/problems/problems.ts';
import { noBooking } from '../bookings.routes.ts';
import { BookingParams } from '../bookings.schemas.ts';
import type { TrainRoutes } from '../index.ts';
import { loadTicketDesign, toPassState } from './pass.ts';
import { createPrinter } from './printer.ts';
import { findTicket, type TicketRow } from './ticket.queries.ts';

const PDF = 'application/pdf';
/** The first where the client has no wish. */
const MEDIA_TYPES = [PDF, PASS_MEDIA_TYPE] as const;

/** Goes up when pdf.ts draws differently: then a client's copy is an old one. */
const LAYOUT = 1;

const notConfirmed = ({ status }: TicketRow) =>
  new Problem(
    'booking-not-confirmed',
    status === 'expired'
      ? 'The booking has expired without being paid; make a new one.'
      : 'The booking is held; pay for it, and its ticket is here.',
  );

const FILE_HEADERS = headersNamed('Content-Disposition', 'Last-Modified');
const file = (description: string) => ({
  schema: { type: 'string', format: 'binary', description },
});

export const ticketRoutes: FastifyPluginAsyncTypebox<TrainRoutes> = async (
  app,
  { database: { reads }, passes },
) => {
  const design = loadTicketDesign();
  const printer = createPrinter();

  app.get(
    '/bookings/:bookingId/ticket',
    {
      config: { scope: 'read', mediaTypes: MEDIA_TYPES },
      schema: {
        operationId: 'get-booking-ticket',
        summary: 'Get the ticket of a confirmed booking',
        description:
          'The ticket of a booking that is paid: a PDF to show or print, or, where `Accept` prefers `application/vnd.apple.pkpass`, a pass for the wallet of a phone. Both have the id of the booking as a QR code. Needs the scope `read`.',
        tags: ['Bookings'],
        security: [{ OAuth2: ['read'] }],
        params: BookingParams,
        response: {
          200: {
            description: 'The ticket.',
            headers: FILE_HEADERS,
            content: {
              [PDF]: file('One page in A5.'),
              [PASS_MEDIA_TYPE]: file('A signed boarding pass for Apple Wallet.'),
            },
          },
          304: { ...notModified[304], headers: headersNamed('Last-Modified') },
          ...problemResponses(400, 401, 403, 404, 'booking-not-confirmed'),
        },
      },
    },
    async (request, reply) => {
      const { bookingId } = request.params;
      const type = negotiate(request, reply, MEDIA_TYPES);
      const ticket = await findTicket(reads, bookingId);
      if (ticket?.subject !== callerOf(request).subject) throw noBooking(bookingId);
      const { paid_at: lastModified } = ticket;
      if (ticket.status !== 'confirmed') throw notConfirmed(ticket);
      reply.header('cache-control', 'private, no-cache');
      if (type === PASS_MEDIA_TYPE) {
        const pass = passes.pass(design, toPassState(ticket));
        return sendFile(request, reply, {
          type,
          name: `ticket-${ticket.id}.pkpass`,
          etag: pass.etag,
          lastModified,
          bytes: () => pass.build(),
        });
      }
      return sendFile(request, reply, {
        type,
        name: `ticket-${ticket.id}.pdf`,
        isInline: true,
        etag: entityTag(JSON.stringify([LAYOUT, ticket])),
        lastModified,
        bytes: () => printer.print(ticket),
      });
    },
  );
};
