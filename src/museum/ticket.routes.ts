import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { batchById } from '../platform/database/batch.ts';
import { headersNamed } from '../platform/documents/headers.ts';
import { type ProblemResponse, problemResponses } from '../platform/documents/problem-responses.ts';
import { toProblem } from '../platform/http/errors.ts';
import { notModified, entityTag, sendTaggedText } from '../platform/http/etag.ts';
import { sendFile } from '../platform/http/files.ts';
import { negotiate } from '../platform/http/negotiation.ts';
import { PASS_MEDIA_TYPE } from '../platform/passes/passes.ts';
import { qrPng } from '../platform/passes/qr.ts';
import { notFound } from '../platform/problems/problems.ts';
import type { MuseumRoutes } from './index.ts';
import { isVoid, ticketDesign, toPassState } from './ticket-pass.ts';
import { sendFaultPage, sendTicketPage } from './ticket-page.ts';
import { findTickets, type TicketRow } from './tickets.queries.ts';
import { PassFile, purposeOf, Ticket, TicketParams } from './tickets.schemas.ts';

const PAGE_OR_JSON = ['application/json', 'text/html'] as const;
const PASS_OR_JSON = [PASS_MEDIA_TYPE, 'application/json'] as const;

/** The QR ticket gave way to the wallet pass, and goes away (RFC 9745 and RFC 8594). */
const DEPRECATED_AT = '@1767225600'; // 2026-01-01
const SUNSET_AT = 'Sun, 31 Dec 2028 23:59:59 GMT';

const FILE_HEADERS = headersNamed('Content-Disposition', 'Last-Modified');
const GOING = headersNamed('Deprecation', 'Sunset', 'Link');

const PAGE = { 'text/html': { schema: Type.String({ description: 'A page for people.' }) } };

/** These problems come as a page where a browser asks. */
const withPage = (responses: Record<number, ProblemResponse>, ...statuses: number[]) => ({
  ...responses,
  ...Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => statuses.includes(Number(status)))
      .map(([status, { content, ...rest }]) => [
        status,
        { ...rest, content: { ...content, ...PAGE } },
      ]),
  ),
});

/** The Ticket of the API. */
const toTicket = (row: TicketRow): Ticket => ({
  ticketId: row.id,
  ticketDate: row.date,
  ...purposeOf(row),
  confirmationCode: row.confirmation_code,
  status: isVoid(row) ? 'void' : 'valid',
});

/** One ticket: as JSON, as a page, as a wallet pass and as a QR code. Its id is all that it takes. */
export const oneTicketRoutes: FastifyPluginAsyncTypebox<MuseumRoutes> = async (
  app,
  { database: { reads }, baseUrl, timezone, passes },
) => {
  const find = batchById((ids) => findTickets(reads, ids, timezone));
  app.addSchema(PassFile);
  const operation = { tags: ['Tickets'], security: [], params: TicketParams };

  async function getTicket(id: string): Promise<TicketRow> {
    const row = await find(id);
    if (!row) throw notFound(`There is no ticket ${id}.`);
    return row;
  }

  app.get(
    '/tickets/:ticketId',
    {
      config: { mediaTypes: PAGE_OR_JSON },
      schema: {
        operationId: 'getTicket',
        summary: 'Get a ticket',
        description:
          'The ticket as JSON or, where `Accept` prefers `text/html`, as a page for people, with its QR code. No credentials: its id is all that it takes.',
        ...operation,
        response: {
          200: {
            description: 'The ticket.',
            content: {
              'application/json': { schema: Type.Ref('Ticket') },
              ...PAGE,
            },
          },
          ...notModified,
          ...withPage(problemResponses(400, 401, 404), 400, 404),
        },
      },
      errorHandler(error, request, reply) {
        const { status } = toProblem(error);
        const isOfTicket = status === 400 || status === 404;
        if (!isOfTicket || negotiate(request, reply, PAGE_OR_JSON) !== 'text/html') throw error;
        void sendFaultPage(reply, status);
      },
    },
    async (request, reply) => {
      const row = await getTicket(request.params.ticketId);
      const type = negotiate(request, reply, PAGE_OR_JSON);
      reply.header('cache-control', 'private, no-cache');
      if (type === 'text/html') return sendTicketPage(reply, row, baseUrl);
      return sendTaggedText(request, reply, reply.serializeInput(toTicket(row), Ticket));
    },
  );

  app.get(
    '/tickets/:ticketId/pkpass',
    {
      config: { mediaTypes: PASS_OR_JSON },
      schema: {
        operationId: 'getPkpass',
        summary: 'Get the wallet pass of a ticket',
        description:
          'A signed pass for Apple Wallet and all that reads its format, with the ticket id as a QR code; it works offline, and is void once the event is cancelled. Where `Accept` prefers `application/json`, the same pass in Base64. No credentials: the id of the ticket is all that it takes.',
        ...operation,
        response: {
          200: {
            description: 'The pass.',
            headers: FILE_HEADERS,
            content: {
              [PASS_MEDIA_TYPE]: { schema: Type.String({ format: 'binary' }) },
              'application/json': { schema: Type.Ref('PassFile') },
            },
          },
          304: { ...notModified[304], headers: headersNamed('Last-Modified') },
          ...problemResponses(400, 401, 404),
        },
      },
    },
    async (request, reply) => {
      const type = negotiate(request, reply, PASS_OR_JSON);
      const row = await getTicket(request.params.ticketId);
      const pass = passes.pass(ticketDesign, toPassState(row));
      reply.header('cache-control', 'private, no-cache');
      if (type === PASS_MEDIA_TYPE)
        return sendFile(request, reply, {
          type: PASS_MEDIA_TYPE,
          name: `${row.confirmation_code}.pkpass`,
          etag: pass.etag,
          lastModified: pass.lastModified,
          bytes: () => pass.build(),
        });
      const pkpassFile = (await pass.build()).toString('base64');
      reply.header('last-modified', pass.lastModified.toUTCString());
      const { id, date, event_name } = row;
      const file: PassFile = {
        ticketId: id,
        ...(event_name !== null && { eventName: event_name }),
        ticketDate: date,
        pkpassFile,
      };
      return sendTaggedText(request, reply, reply.serializeInput(file, PassFile));
    },
  );

  app.get(
    '/tickets/:ticketId/qr',
    {
      config: { mediaTypes: ['image/png'] },
      schema: {
        operationId: 'getTicketCode',
        summary: 'Get the QR code of a ticket',
        description:
          'The QR ticket of old, a PNG that says the id of the ticket. It is still valid at the door, and goes on the date in `Sunset`: use `getPkpass` instead, where `Link` leads.',
        deprecated: true,
        ...operation,
        response: {
          200: {
            description: 'The code, which says the ticketId.',
            headers: { ...FILE_HEADERS, ...GOING },
            content: { 'image/png': { schema: Type.String({ format: 'binary' }) } },
          },
          304: {
            ...notModified[304],
            headers: { ...headersNamed('Last-Modified'), ...GOING },
          },
          ...problemResponses(400, 401, 404),
        },
      },
    },
    async (request, reply) => {
      const row = await getTicket(request.params.ticketId);
      const png = qrPng(row.id);
      reply.headers({
        'cache-control': 'private, no-cache',
        deprecation: DEPRECATED_AT,
        sunset: SUNSET_AT,
        link: `<${baseUrl}/tickets/${row.id}/pkpass>; rel="successor-version"`,
      });
      return sendFile(request, reply, {
        type: 'image/png',
        name: `${row.confirmation_code}.png`,
        isInline: true,
        etag: entityTag(png),
        lastModified: row.created_at,
        bytes: () => png,
      });
    },
  );
};
