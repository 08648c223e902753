import { type Static, Type } from '@sinclair/typebox';
import { CalendarDate } from './dates.schemas.ts';
import { MuseumPage } from './page.schemas.ts';

const TICKET_TYPES = ['event', 'general'] as const;
export type TicketType = (typeof TICKET_TYPES)[number];

const members = {
  ticketId: Type.String({
    format: 'uuid',
    readOnly: true,
    description: 'Identifier of the ticket, and what its code says at the door. Keep it secret.',
  }),
  ticketType: Type.Unsafe<TicketType>({
    type: 'string',
    enum: [...TICKET_TYPES],
    description: 'event: for a special event; general: for the museum.',
    examples: ['event'],
  }),
  ticketDate: CalendarDate({
    description: 'The date that it is valid on.',
    examples: ['2023-09-05'],
  }),
  eventId: Type.String({ format: 'uuid', description: 'The event, for a ticket of type event.' }),
  eventName: Type.String({ readOnly: true, description: 'What the event is called now.' }),
  confirmationCode: Type.String({
    readOnly: true,
    pattern: '^ticket-(event|general)-[a-z0-9]{6}-[a-z0-9]{5}$',
    description: 'What the purchase is called when people talk about it.',
  }),
};
const { ticketId, ticketType, ticketDate, confirmationCode } = members;
const eventId = Type.Optional(members.eventId);
const eventName = Type.Optional(members.eventName);

/** Read-only members may be sent back as they came; they are ignored. */
const ignored = () => Type.Optional(Type.Unknown({ readOnly: true }));

export const TicketPurchase = Type.Object(
  {
    ticketType,
    ticketDate,
    eventId: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'The event: required for ticketType event, and not allowed for general.',
      }),
    ),
    email: Type.Optional(
      Type.String({ format: 'email', maxLength: 254, description: 'E-mail address of the buyer.' }),
    ),
    phone: Type.Optional(
      Type.String({
        pattern: '^\\+?[().\\/ -]{0,3}[0-9][0-9().\\/ -]{2,28}$',
        'x-takes': 'a phone number such as +1(234)-567-8910',
        description: 'Phone number of the buyer.',
        examples: ['+1(234)-567-8910'],
      }),
    ),
    ticketId: ignored(),
    eventName: ignored(),
    confirmationCode: ignored(),
    message: ignored(),
    status: ignored(),
  },
  {
    $id: 'TicketPurchase',
    additionalProperties: false,
    description: 'What to buy.',
    allOf: [
      {
        if: { properties: { ticketType: { const: 'event' } }, required: ['ticketType'] },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: { required: ['eventId'] },
      },
      {
        if: { properties: { ticketType: { const: 'general' } }, required: ['ticketType'] },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: { properties: { eventId: false } },
      },
    ],
    examples: [
      {
        ticketType: 'event',
        eventId: 'dad4bce8-f5cb-4078-a211-995864315e39',
        ticketDate: '2023-09-05',
        email: 'todd@example.com',
      },
      { ticketType: 'general', ticketDate: '2023-09-07', email: 'todd@example.com' },
    ],
  },
);
export type TicketPurchase = Static<typeof TicketPurchase>;

export const TicketConfirmation = Type.Object(
  {
    ticketId,
    confirmationCode,
    message: Type.String({ readOnly: true, description: 'What was bought, in a sentence.' }),
    ticketType,
    ticketDate,
    eventId,
    eventName,
  },
  {
    $id: 'TicketConfirmation',
    description: 'A ticket that was bought.',
    examples: [
      {
        ticketId: 'b811f723-17b2-44f7-8952-24b03e43d8a9',
        confirmationCode: 'ticket-event-9c55eg-8v82a',
        message: 'Museum special event ticket purchased',
        ticketType: 'event',
        ticketDate: '2023-09-05',
        eventId: 'dad4bce8-f5cb-4078-a211-995864315e39',
        eventName: 'Mermaid Treasure Identification and Analysis',
      },
    ],
  },
);
export type TicketConfirmation = Static<typeof TicketConfirmation>;

export const Ticket = Type.Object(
  {
    ticketId,
    ticketType,
    ticketDate,
    eventId,
    eventName,
    confirmationCode,
    status: Type.Unsafe<'valid' | 'void'>({
      type: 'string',
      enum: ['valid', 'void'],
      readOnly: true,
      description: 'void: the event was cancelled, or is no longer held on that date.',
    }),
  },
  { $id: 'Ticket', description: 'A ticket.' },
);
export type Ticket = Static<typeof Ticket>;

export const Tickets = Type.Array(Type.Object({ ticketId, ticketDate, ticketType, eventId }), {
  $id: 'Tickets',
  description: 'One page of tickets, newest first.',
});

export const TicketQuery = Type.Object(MuseumPage);

export const TicketParams = Type.Object({
  ticketId: Type.String({ format: 'uuid', description: 'Identifier of the ticket.' }),
});

export const PassFile = Type.Object(
  {
    ticketId,
    eventName,
    ticketDate,
    pkpassFile: Type.String({
      contentEncoding: 'base64',
      contentMediaType: 'application/vnd.apple.pkpass',
      description: 'The signed pass.',
    }),
  },
  { $id: 'PassFile', description: 'A wallet pass, for clients that take only JSON.' },
);
