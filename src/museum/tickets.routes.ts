import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { Db, Tx } from '../platform/database/database.ts';
import { headersNamed } from '../platform/documents/headers.ts';
import { problemResponses } from '../platform/documents/problem-responses.ts';
import { answerOnce } from '../platform/http/idempotency.ts';
import { pageWindow } from '../platform/http/pagination.ts';
import { invalidRequest, notFound } from '../platform/problems/problems.ts';
import { addressKey } from '../platform/http/rate-limit.ts';
import { newConfirmationCode } from './confirmation-code.ts';
import type { MuseumRoutes } from './index.ts';
import { sendList } from './page.schemas.ts';
import { SECURITY } from './staff/auth.ts';
import { type BoughtTicket, insertTicket, listTickets } from './tickets.queries.ts';
import {
  purposeOf,
  type TicketConfirmation,
  TicketPurchase,
  TicketQuery,
  Tickets,
} from './tickets.schemas.ts';

const MESSAGES = {
  event: 'Museum special event ticket purchased',
  general: 'Museum general entry ticket purchased',
};

/** Dates that a problem lists; an event can have many more. */
const DATES_SHOWN = 10;

const notHeld = (dates: string[]) => {
  const shown = dates.slice(0, DATES_SHOWN).join(', ');
  const more = dates.length > DATES_SHOWN ? ` and ${dates.length - DATES_SHOWN} more dates` : '';
  return invalidRequest([
    { pointer: '/ticketDate', detail: `must be a date of the event: ${shown}${more}` },
  ]);
};

/** Buys the ticket under a code that no other has; throws what the buyer has to mend. */
async function buyTicket(
  db: Db | Tx,
  purchase: TicketPurchase,
): Promise<BoughtTicket & { code: string }> {
  for (;;) {
    const code = newConfirmationCode(purchase.ticketType);
    const outcome = await insertTicket(db, purchase, code);
    if ('ticket' in outcome) return { ...outcome.ticket, code };
    if (outcome.refused === 'no-event')
      throw notFound(`There is no special event ${outcome.eventId}.`);
    if (outcome.refused === 'not-held') throw notHeld(outcome.dates);
  }
}

export const ticketRoutes: FastifyPluginAsyncTypebox<MuseumRoutes> = async (
  app,
  { database, baseUrl, publicUrl },
) => {
  app.addSchema(Tickets);

  app.post(
    '/tickets',
    {
      schema: {
        operationId: 'buyMuseumTickets',
        summary: 'Buy a museum ticket',
        description:
          'Buys a ticket for the museum, on any date, or for a special event, on one of its dates. No account is needed, and nothing is paid here. Whoever knows the `ticketId` has the ticket: with it come the ticket itself, its wallet pass and its QR code. Refused where there is no such event, or it is not held on that date.',
        tags: ['Tickets'],
        security: [],
        body: TicketPurchase,
        response: {
          201: Type.Ref('TicketConfirmation'),
          ...problemResponses(400, 401, 404, 413, 415, 422),
        },
      },
    },
    (request, reply) => {
      // A key is its sender's own: another with the same key must not be given this ticket.
      const caller = request.staff ? `staff ${request.staff}` : `guest ${addressKey(request.ip)}`;
      return answerOnce(database, caller, request, reply, (commit) =>
        commit(async (executor) => {
          const { ticketType } = request.body;
          const ticket = await buyTicket(executor, request.body);
          const confirmation: TicketConfirmation = {
            ticketId: ticket.id,
            confirmationCode: ticket.code,
            message: MESSAGES[ticketType],
            ticketDate: ticket.date,
            ...purposeOf(ticket),
          };
          const headers = { location: `${baseUrl}/tickets/${ticket.id}` };
          return { status: 201, headers, resource: confirmation };
        }),
      );
    },
  );

  app.get(
    '/tickets',
    {
      config: { staffOnly: true },
      schema: {
        operationId: 'listTickets',
        summary: 'List all tickets',
        description:
          'Every ticket that was bought, newest first, void ones as well. For the staff.',
        tags: ['Tickets'],
        security: SECURITY,
        querystring: TicketQuery,
        response: {
          200: { ...Type.Ref('Tickets'), headers: headersNamed('Link') },
          ...problemResponses(400, 401),
        },
      },
    },
    async (request, reply) => {
      const rows = await listTickets(database.reads, pageWindow(request.query));
      reply.header('cache-control', 'private, no-cache');
      const tickets = rows.map(({ eventId, ...ticket }) =>
        eventId === null ? ticket : { ...ticket, eventId },
      );
      return sendList(reply, tickets, request.query, publicUrl + request.url);
    },
  );
};
