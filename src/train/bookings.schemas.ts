import { type Static, Type } from '@sinclair/typebox';

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
    price: Type.Number({ readOnly: true, description: 'What is to be paid.' }),
    currency: Type.String({ readOnly: true, description: 'Currency of the price.' }),
    links: Type.Unsafe<{ self: string }>(Type.Ref('Links-Self')),
  },
  { $id: 'Booking', description: 'A seat on a trip, held for a while, or confirmed by payment.' },
);
export type Booking = Static<typeof Booking>;

export const BookingCollection = Type.Object(
  { data: Type.Array(Type.Ref('Booking')), links: Type.Ref('Links-Pagination') },
  { $id: 'Booking-Collection', description: "One page of the caller's bookings, newest first." },
);

/** Read-only members may be sent back as they came; they are ignored. */
const ignored = () => Type.Optional(Type.Unknown({ readOnly: true }));

export const NewBooking = Type.Object(
  {
    trip_id: Type.String({ format: 'uuid', description: 'The trip to book.' }),
    passenger_name: PassengerName,
    has_bicycle: has('bicycle'),
    has_dog: has('dog'),
    id: ignored(),
    status: ignored(),
    expires_at: ignored(),
    price: ignored(),
    currency: ignored(),
    links: ignored(),
  },
  { $id: 'New-Booking', additionalProperties: false, description: 'What to book, and for whom.' },
);
export type NewBooking = Static<typeof NewBooking>;

export const BookingParams = Type.Object({
  bookingId: Type.String({ format: 'uuid', description: 'Identifier of the booking.' }),
});
