import { type Static, Type } from '@sinclair/typebox';
import { Id } from './fields.ts';

const GREATEST_INT32 = 2_147_483_647;

const STATUSES = ['placed', 'approved', 'delivered'] as const;
export type OrderStatus = (typeof STATUSES)[number];

const petId = Id('The pet that is ordered.');
const quantity = Type.Integer({
  format: 'int32',
  minimum: 1,
  maximum: GREATEST_INT32,
  default: 1,
  description: 'How many.',
});
const shipDate = Type.Optional(
  Type.String({ format: 'date-time', description: 'When it is shipped; answered in UTC.' }),
);
const status = Type.Unsafe<OrderStatus>({
  type: 'string',
  enum: [...STATUSES],
  default: 'placed',
  description: 'How far the order is.',
});
const complete = Type.Boolean({
  default: false,
  description: 'Whether nothing is left to be done.',
});

const ORDER = { additionalProperties: false, xml: { name: 'order' } };

export const Order = Type.Object(
  { id: Id('Number of the order.'), petId, quantity, shipDate, status, complete },
  {
    $id: 'Order',
    ...ORDER,
    description: 'An order for a pet.',
    examples: [
      {
        id: 11,
        petId: 1,
        quantity: 7,
        shipDate: '2026-07-31T09:30:00.000Z',
        status: 'approved',
        complete: true,
      },
    ],
  },
);
export type Order = Static<typeof Order>;

export const NewOrder = Type.Object(
  {
    id: Type.Optional(
      Id('Number that the order is to have. Without one, it is given a free one from 11 on.'),
    ),
    petId,
    quantity: Type.Optional(quantity),
    shipDate,
    status: Type.Optional(status),
    complete: Type.Optional(complete),
  },
  {
    $id: 'New-Order',
    ...ORDER,
    description: 'What is to be ordered.',
    examples: [{ petId: 1, quantity: 7, shipDate: '2026-07-31T09:30:00Z' }],
  },
);
export type NewOrder = Static<typeof NewOrder>;

export const Inventory = Type.Record(
  Type.String(),
  Type.Integer({ format: 'int32', minimum: 0, maximum: GREATEST_INT32 }),
  {
    description:
      'What is ordered, by the status of the order. More than an int32 holds is shown as its greatest value.',
    examples: [{ placed: 100, approved: 50, delivered: 50 }],
  },
);

export const ReadableOrder = Type.Object({
  orderId: Type.Unsafe<number>({
    ...Id('Number of the order. Valid are integers up to 5, and those above 10.'),
    not: { minimum: 6, maximum: 10 },
  }),
});

export const DeletableOrder = Type.Object({
  orderId: Type.Unsafe<number>({
    ...Id('Number of the order. Valid are integers below 1000.'),
    maximum: 999,
  }),
});
