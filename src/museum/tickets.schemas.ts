import { type Static, Type } from '@sinclair/typebox';
import { ignored } from '../platform/documents/read-only.ts';
import { CalendarDate } from './dates.schemas.ts';
import { MuseumPage } from './page.schemas.ts';

export type TicketType = 'event' | 'general';

const TICKET_ID = 'b811f723-17b2-44f7-8952-24b03e43d8a9';

const ticketId = Type.String({
  format: 'uuid',
  readOnly: true,
  description: 'Identifier of the ticket, and what its code says at the door. Keep it secret.',
});
const ticketDate = CalendarDate({
  description: 'The date that it is valid on.',
  examples: ['2023-09-05'],
});
const eventId = Type.String({ format: 'uuid', description: 'The event that it is for.' });
const eventName = Type.String({ readOnly: true, description: 'What the event is called now.' });
const confirmationCode = Type.String({
  readOnly: true,
  pattern: '^ticket-(event|general)-[a-z0-9]{6}-[a-z0-9]{5}$',
  description: 'What the purchase is called when people talk about it.',
});
const message = Type.String({ readOnly: true, description: 'What was bought, in a sentence.' });
const status = Type.Unsafe<'valid' | 'void'>({
  type: 'string',
  enum: ['valid', 'void'],
  readOnly: true,
  description: 'void: the event was cancelled, or is no longer held on that date.',
});
const forEvent = Type.Literal('event', { description: 'It is for a special event.' });
const forMuseum = Type.Literal('general', { description: 'It is for the museum.' });

const PURCHASE = {
  ticketDate,
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
  ticketId: ignored(ticketId),
  eventName: ignored(eventName),
  confirmationCode: ignored(confirmationCode),
  message: ignored(message),
  status: ignored(status),
};

const EventTicketPurchase = Type.Object(
  { ticketType: forEvent, eventId, ...PURCHASE },
  {
    $id: 'EventTicketPurchase',
    additionalProperties: false,
    description: 'A ticket for a special event, on one of its dates.',
  },
);

const GeneralTicketPurchase = Type.Object(
  { ticketType: forMuseum, ...PURCHASE },
  {
    $id: 'GeneralTicketPurchase',
    additionalProperties: false,
    description: 'A ticket for the museum, on any date; it takes no `eventId`.',
  },
);

const discriminator = { propertyName: 'ticketType' };

export const TicketPurchase = Type.Unsafe<
  Static<typeof EventTicketPurchase> | Static<typeof GeneralTicketPurchase>
>({
  $id: 'TicketPurchase',
  oneOf: [EventTicketPurchase, GeneralTicketPurchase],
  discriminator,
  description: 'What to buy.',
});
export type TicketPurchase = Static<typeof TicketPurchase>;

export const EventTicketConfirmation = Type.Object(
  { ticketId, confirmationCode, message, ticketType: forEvent, ticketDate, eventId, eventName },
  { $id: 'EventTicketConfirmation', description: 'A ticket for an event that was bought.' },
);
export const GeneralTicketConfirmation = Type.Object(
  { ticketId, confirmationCode, message, ticketType: forMuseum, ticketDate },
  { $id: 'GeneralTicketConfirmation', description: 'A ticket for the museum that was bought.' },
);
export type TicketConfirmation =
  | Static<typeof EventTicketConfirmation>
  | Static<typeof GeneralTicketConfirmation>;
export const TicketConfirmation = Type.Unsafe<TicketConfirmation>({
  $id: 'TicketConfirmation',
  oneOf: [Type.Ref('EventTicketConfirmation'), Type.Ref('GeneralTicketConfirmation')],
  discriminator,
  description: 'A ticket that was bought.',
});

export const EventTicket = Type.Object(
  { ticketId, ticketType: forEvent, ticketDate, eventId, eventName, confirmationCode, status },
  { $id: 'EventTicket', description: 'A ticket for a special event.' },
);
export const GeneralTicket = Type.Object(
  { ticketId, ticketType: forMuseum, ticketDate, confirmationCode, status },
  { $id: 'GeneralTicket', description: 'A ticket for the museum.' },
);
export type Ticket = Static<typeof EventTicket> | Static<typeof GeneralTicket>;
export const Ticket = Type.Unsafe<Ticket>({
  $id: 'Ticket',
  oneOf: [Type.Ref('EventTicket'), Type.Ref('GeneralTicket')],
  discriminator,
  description: 'A ticket.',
});

/** What a ticket is for, as answers say it; ids and names of events come together. */
export const purposeOf = (event: { event_id: string | null; event_name: string | null }) =>
  event.event_id === null || event.event_name === null
    ? { ticketType: 'general' as const }
    : { ticketType: 'event' as const, eventId: event.event_id, eventName: event.event_name };

export const ListedTicket = Type.Object(
  {
    ticketId,
    ticketDate,
    ticketType: Type.Unsafe<TicketType>({
      type: 'string',
      enum: ['event', 'general'],
      description: 'event: for a special event; general: for the museum.',
    }),
    eventId: Type.Optional({ ...eventId, description: 'The event, for a ticket of type event.' }),
  },
  { $id: 'ListedTicket', description: 'A ticket, as the list of all has it.' },
);

export const Tickets = Type.Array(Type.Ref('ListedTicket'), {
  $id: 'Tickets',
  description: 'One page of tickets, newest first.',
});

export const TicketQuery = Type.Object(MuseumPage);

export const TicketParams = Type.Object({
  ticketId: Type.String({
    format: 'uuid',
    description: 'Identifier of the ticket.',
    examples: [TICKET_ID],
  }),
});

export const PassFile = Type.Object(
  {
    ticketId,
    eventName: Type.Optional({
      ...eventName,
      description: 'What the event is called now, for a ticket of type event.',
    }),
    ticketDate,
    pkpassFile: Type.String({
      contentEncoding: 'base64',
      contentMediaType: 'application/vnd.apple.pkpass',
      description: 'The signed pass.',
    }),
  },
  { $id: 'PassFile', description: 'A wallet pass, for clients that take only JSON.' },
);
export type PassFile = Static<typeof PassFile>;
