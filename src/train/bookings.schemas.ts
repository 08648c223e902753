import { type Static, Type } from '@sinclair/typebox';
import { ignored } from '../platform/documents/read-only.ts';
import { Currency } from './currency.schemas.ts';

const PassengerName = Type.String({
  minLength: 1,
  maxLength: 200,
  // A letter or the like somewhere; no control characters and no half characters anywhere.
  pattern: '^(?=.*[^\\s\\p{C}])[^\\p{Cc}\\p{Cs}]*$',
  'x-takes': 'a name: not blank, and without control characters',
  description: 'Name of the passenger.',
  examples: ['John Doe'],
});

const has = (what: string) =>
  Type.Optional(
    Type.Boolean({ default: false, description: `Whether the passenger has a ${what}.` }),
  );

export const SelfLink = Type.Object(
  { self: Type.String({ format: 'uri', description: 'The address of this resource.' }) },
  { $id: 'Links-Self', readOnly: true, description: 'Where this resource is.' },
);

export const Booking = Type.Object(
  {
    id: Type.String({ format: 'uuid', readOnly: true, description: 'Identifier of the booking.' }),
    trip_id: Type.String({ format: 'uuid', description: 'The trip that is booked.' }),
    passenger_name: Type.String({ description: 'Name of the passenger.' }),
    has_bicycle: Type.Boolean({ description: 'Whether the passenger has a bicycle.' }),
    has_dog: Type.Boolean({ description: 'Whether the passenger has a dog.' }),
    status: Type.Unsafe<'held' | 'confirmed' | 'expired'>({
      type: 'string',
      enum: ['held', 'confirmed', 'expired'],
      readOnly: true,
      description:
        'held: the seat is kept until `expires_at`; confirmed: paid; expired: not paid in time, the seat is free again.',
    }),
    expires_at: Type.Optional(
      Type.String({
        format: 'date-time',
        readOnly: true,
        description: 'Until when the booking can be paid; only while it is held.',
      }),
    ),
    price: Type.Number({
      exclusiveMinimum: 0,
      readOnly: true,
      description: 'What is to be paid, in `currency`: the price of the trip when it was booked.',
    }),
    currency: { ...Currency, readOnly: true },
    links: Type.Unsafe<{ self: string }>(Type.Ref('Links-Self')),
  },
  { $id: 'Booking', description: 'A seat on a trip, held for a while, or confirmed by payment.' },
);
export type Booking = Static<typeof Booking>;

export const BookingCollection = Type.Object(
  {
    data: Type.Array(Type.Ref('Booking'), { description: 'The bookings of this page.' }),
    links: Type.Ref('Links-Pagination'),
  },
  { $id: 'Booking-Collection', description: "One page of the caller's bookings, newest first." },
);

const { id, status, expires_at, price, currency, links } = Booking.properties;

export const NewBooking = Type.Object(
  {
    trip_id: Type.String({
      format: 'uuid',
      description: 'The trip to book, as `GET /trips` lists it.',
    }),
    passenger_name: PassengerName,
    has_bicycle: has('bicycle'),
    has_dog: has('dog'),
    id: ignored(id),
    status: ignored(status),
    expires_at: ignored(expires_at),
    price: ignored(price),
    currency: ignored(currency),
    links: ignored(links),
  },
  { $id: 'New-Booking', additionalProperties: false, description: 'What to book, and for whom.' },
);
export type NewBooking = Static<typeof NewBooking>;

export const BookingParams = Type.Object({
  bookingId: Type.String({
    format: 'uuid',
    description: 'Identifier of the booking.',
    examples: ['1725ff48-ab45-4bb5-9d02-88745177dedb'],
  }),
});
