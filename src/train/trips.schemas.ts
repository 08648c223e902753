import { type Static, Type } from '@sinclair/typebox';
import { PageQuery } from '../platform/http/pagination.ts';
import { Currency } from './currency.schemas.ts';

export const Trip = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Identifier of the trip.' }),
    origin: Type.String({ format: 'uuid', description: 'The station it leaves.' }),
    destination: Type.String({ format: 'uuid', description: 'The station it goes to.' }),
    departure_time: Type.String({ format: 'date-time', description: 'When it leaves, in UTC.' }),
    arrival_time: Type.String({ format: 'date-time', description: 'When it arrives, in UTC.' }),
    operator: Type.String({ description: 'The company that runs the train.' }),
    price: Type.Number({ exclusiveMinimum: 0, description: 'Price of a seat, in `currency`.' }),
    currency: Currency,
    bicycles_allowed: Type.Boolean({ description: 'Whether bicycles are taken.' }),
    dogs_allowed: Type.Boolean({ description: 'Whether dogs are taken.' }),
    seats_available: Type.Integer({
      minimum: 0,
      description: 'Seats that are neither held nor booked.',
    }),
    links: Type.Object(
      {
        self: Type.String({ format: 'uri', description: 'This trip.' }),
        origin: Type.String({ format: 'uri', description: 'The station it leaves.' }),
        destination: Type.String({ format: 'uri', description: 'The station it goes to.' }),
      },
      { readOnly: true, description: 'Where the trip and its two stations are.' },
    ),
  },
  { $id: 'Trip', description: 'A train on one day, from one station to another.' },
);
export type Trip = Static<typeof Trip>;

export const TripCollection = Type.Object(
  {
    data: Type.Array(Type.Ref('Trip'), { description: 'The trips of this page.' }),
    links: Type.Ref('Links-Pagination'),
  },
  { $id: 'Trip-Collection', description: 'One page of trips, by departure.' },
);

export const TripParams = Type.Object({
  tripId: Type.String({
    format: 'uuid',
    description: 'Identifier of the trip.',
    examples: ['ea399ba1-6d95-433f-92d1-83f67b775594'],
  }),
});

const onlyWith = (what: string) =>
  Type.Optional(
    Type.Boolean({
      default: false,
      description: `Whether to list only trips that take ${what}.`,
      examples: [true],
    }),
  );

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
    anyOf: [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'date-time' },
    ],
    description:
      'The day of departure, on the calendar of the origin station. An instant (RFC 3339) stands for its day there, and trips that leave before it are left out.',
    examples: ['2024-02-01', '2024-02-01T09:00:00Z'],
  }),
  bicycles: onlyWith('bicycles'),
  dogs: onlyWith('dogs'),
});
export type TripQuery = Static<typeof TripQuery>;
