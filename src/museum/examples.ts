import type { Example, Examples } from '../platform/documents/examples.ts';
import { problemExample } from '../platform/documents/problem-responses.ts';
import { webhookExamples } from '../webhooks/examples.ts';
import { EXAMPLE_EVENTS } from './seed/examples.ts';
import type { Ticket, TicketConfirmation } from './tickets.schemas.ts';
import { inCamelCase } from './webhooks.ts';

const [MERMAIDS, TELESCOPE] = EXAMPLE_EVENTS;
const { eventId: _, ...NEW_MERMAIDS } = MERMAIDS;

/** A ticket for a special event, and one for the museum. */
export const EXAMPLE_TICKETS = {
  event: {
    ticketId: 'b811f723-17b2-44f7-8952-24b03e43d8a9',
    ticketType: 'event',
    ticketDate: '2023-09-05',
    eventId: MERMAIDS.eventId,
    eventName: MERMAIDS.name,
    confirmationCode: 'ticket-event-9c55eg-8v82a',
    status: 'valid',
  },
  general: {
    ticketId: 'ac3a4f2e-1b9d-4c58-8e07-6f5d4c3b2a19',
    ticketType: 'general',
    ticketDate: '2023-09-07',
    confirmationCode: 'ticket-general-e5e5c6-dce78',
    status: 'valid',
  },
} as const satisfies Record<string, Ticket>;

const NOTHING = 'must have at least one of name, location, eventDescription, dates, price';

const HOURS: Examples = {
  getMuseumHours: [
    {
      name: 'week',
      summary: 'The first days of a week',
      query: { startDate: '2023-09-11', limit: 3 },
      status: 200,
      answer: [
        { date: '2023-09-11', timeOpen: '09:00', timeClose: '18:00' },
        { date: '2023-09-12', timeOpen: '09:00', timeClose: '18:00' },
        { date: '2023-09-13', timeOpen: '09:00', timeClose: '18:00' },
      ],
    },
  ],
};

const eventExamples = (publicUrl: string, events: string): Examples => ({
  listSpecialEvents: [
    {
      name: 'september',
      summary: 'The first events of a month',
      query: { startDate: '2023-09-01', endDate: '2023-09-30', limit: 2 },
      status: 200,
      answer: [MERMAIDS, TELESCOPE],
    },
  ],
  createSpecialEvent: [
    {
      name: 'mermaids',
      summary: 'An event on two dates',
      body: NEW_MERMAIDS,
      status: 201,
      answer: MERMAIDS,
    },
  ],
  getSpecialEvent: [{ name: 'mermaids', summary: 'An event', status: 200, answer: MERMAIDS }],
  updateSpecialEvent: [
    {
      name: 'beach',
      summary: 'Another place, another price',
      body: { location: 'On the beach.', price: 15 },
      status: 200,
      answer: { ...MERMAIDS, location: 'On the beach.', price: 15 },
    },
    problemExample('invalid-request', publicUrl, `${events}/${MERMAIDS.eventId}`, {
      summary: 'Nothing to change',
      body: {},
      answer: { detail: `The body ${NOTHING}`, errors: [{ pointer: '', detail: NOTHING }] },
    }),
  ],
  deleteSpecialEvent: [{ name: 'cancel', summary: 'It will not be held', status: 204 }],
});

const buyExamples = (publicUrl: string, tickets: string): Example[] => {
  const { event, general } = EXAMPLE_TICKETS;
  const forEvent = {
    ticketType: 'event',
    eventId: MERMAIDS.eventId,
    ticketDate: '2023-09-05',
    email: 'todd@example.com',
  };
  const bought = ({ status: _status, ...ticket }: Ticket, message: string): TicketConfirmation => ({
    ...ticket,
    message,
  });
  return [
    {
      name: 'event',
      summary: 'For a special event',
      body: forEvent,
      status: 201,
      answer: bought(event, 'Museum special event ticket purchased'),
    },
    {
      name: 'general',
      summary: 'For the museum',
      body: { ticketType: 'general', ticketDate: '2023-09-07', phone: '+1(234)-567-8910' },
      status: 201,
      answer: bought(general, 'Museum general entry ticket purchased'),
    },
    problemExample('invalid-request', publicUrl, tickets, {
      summary: 'The event is not held on that date',
      body: { ...forEvent, ticketDate: '2023-09-06' },
      answer: {
        detail: '/ticketDate must be a date of the event: 2023-09-05, 2023-09-08',
        errors: [
          {
            pointer: '/ticketDate',
            detail: 'must be a date of the event: 2023-09-05, 2023-09-08',
          },
        ],
      },
    }),
    problemExample('not-found', publicUrl, tickets, {
      summary: 'There is no such event',
      body: { ...forEvent, eventId: '0194a1f0-7a00-7000-8000-000000000000' },
      answer: { detail: 'There is no special event 0194a1f0-7a00-7000-8000-000000000000.' },
    }),
  ];
};

const ticketExamples = (publicUrl: string, tickets: string): Examples => {
  const { event, general } = EXAMPLE_TICKETS;
  const { ticketId, ticketDate, eventName } = event;
  const listed = ({ ticketId: id, ticketType, ticketDate: date }: Ticket) => ({
    ticketId: id,
    ticketDate: date,
    ticketType,
  });
  return {
    buyMuseumTickets: buyExamples(publicUrl, tickets),
    listTickets: [
      {
        name: 'all',
        summary: 'One ticket of each type',
        status: 200,
        answer: [{ ...listed(event), eventId: event.eventId }, listed(general)],
      },
    ],
    getTicket: [
      { name: 'event', summary: 'For a special event', status: 200, answer: event },
      {
        name: 'void',
        summary: 'For an event that was cancelled',
        status: 200,
        answer: { ...event, status: 'void' },
      },
      {
        name: 'general',
        summary: 'For the museum',
        path: { ticketId: general.ticketId },
        status: 200,
        answer: general,
      },
      { name: 'page', summary: 'A page for people', accept: 'text/html', status: 200 },
    ],
    getPkpass: [
      { name: 'pass', summary: 'A file for a wallet', status: 200 },
      {
        name: 'json',
        summary: 'The same in JSON',
        headers: { accept: 'application/json' },
        status: 200,
        answer: { ticketId, eventName, ticketDate, pkpassFile: 'UEsDBBQAAAAIAAAAIQ==' },
      },
    ],
    getTicketCode: [{ name: 'code', summary: 'A picture', accept: 'image/png', status: 200 }],
  };
};

/** Requests and answers that the document shows. */
export const museumExamples = (publicUrl: string, baseUrl: string): Examples => {
  const { pathname } = new URL(baseUrl);
  const base = pathname === '/' ? '' : pathname;
  return {
    ...HOURS,
    ...eventExamples(publicUrl, `${base}/special-events`),
    ...ticketExamples(publicUrl, `${base}/tickets`),
    ...webhookExamples({
      publicUrl,
      baseUrl,
      eventType: 'publishNewEvent',
      operationId: inCamelCase,
    }),
  };
};
