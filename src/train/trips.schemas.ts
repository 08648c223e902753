import { type Static, Type } from '@sinclair/typebox';
import { PageQuery } from '../platform/pagination.ts';

export const Trip = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Identifier of the trip.' }),
    origin: Type.String({ format: 'uuid', description: 'The station it leaves.' }),
    destination: Type.String({ format: 'uuid', description: 'The station it goes to.' }),
    departure_time: Type.String({ format: 'date-time', description: 'When it leaves, in UTC.' }),
    arrival_time: Type.String({ format: 'date-time', description: 'When it arrives, in UTC.' }),
    operator: Type.String({ description: 'The company that runs the train.' }),
    price: Type.Number({ description: 'Price of a seat.' }),
    currency: Type.String({ description: 'Currency of the price, ISO 4217 in lower case.' }),
    bicycles_allowed: Type.Boolean({ description: 'Whether bicycles are taken.' }),
    dogs_allowed: Type.Boolean({ description: 'Whether dogs are taken.' }),
    seats_available: Type.Integer({ description: 'Seats that are neither held nor booked.' }),
    links: Type.Object(
      {
        self: Type.String({ format: 'uri', description: 'This trip.' }),
        origin: Type.String({ format: 'uri', description: 'The station it leaves.' }),
        destination: Type.String({ format: 'uri', description: 'The station it goes to.' }),
      },
      { readOnly: true },
    ),
  },
  { $id: 'Trip', description: 'A train on one day, from one station to another.' },
);
export type Trip = Static<typeof Trip>;

export const TripCollection = Type.Object(
  { data: Type.Array(Type.Ref('Trip')), links: Type.Ref('Links-Pagination') },
  { $id: 'Trip-Collection', description: 'One page of trips.' },
);

export const TripParams = Type.Object({
  tripId: Type.String({ format: 'uuid', description: 'Identifier of the trip.' }),
});

export const TripQuery = Type.Object({
  ...PageQuery,
  origin: Type.String({
    format: 'uuid',
    description: 'The station to leave from.',
    examples: ['efdbb9d1-02c2-4bc3-afb7-6788d8782b1e'],
  }),
  destination: Type.String({
    format: 'uuid',
    description: 'The station to go to.',
    examples: ['b2e783e1-c824-4d63-b37a-d8d698862f1d'],
  }),
  date: Type.Unsafe<string>({
    type: 'string',
    anyOf: [{ format: 'date' }, { format: 'date-time' }],
    description:
      "A calendar date at the origin station, or an instant: then trips that leave on that day of the origin's clock, not before it.",
    examples: ['2024-02-01', '2024-02-01T09:00:00Z'],
  }),
  bicycles: Type.Optional(Type.Boolean({ description: 'true: only trips that take bicycles.' })),
  dogs: Type.Optional(Type.Boolean({ description: 'true: only trips that take dogs.' })),
});
export type TripQuery = Static<typeof TripQuery>;
