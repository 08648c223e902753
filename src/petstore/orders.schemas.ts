import { type Static, Type } from '@sinclair/typebox';
import { Id } from './fields.ts';

const GREATEST_INT32 = 2_147_483_647;

const STATUSES = ['placed', 'approved', 'delivered'] as const;
export type OrderStatus = (typeof STATUSES)[number];

const petId = Id('Number of the pet that is ordered.', 1);
const quantity = Type.Integer({
  format: 'int32',
  minimum: 1,
  maximum: GREATEST_INT32,
  default: 1,
  description: 'How many.',
  examples: [2],
});
const shipDate = Type.Optional(
  Type.String({
    format: 'date-time',
    description: 'When it is shipped; answered in UTC.',
    examples: ['2026-07-31T09:30:00Z'],
  }),
);
const status = Type.Unsafe<OrderStatus>({
  type: 'string',
  enum: [...STATUSES],
  default: 'placed',
  description: 'How far the order is.',
  examples: ['placed'],
});
const complete = Type.Boolean({
  default: false,
  description: 'Whether nothing is left to be done.',
  examples: [false],
});

const ORDER = { additionalProperties: false, xml: { name: 'order' } };

export const Order = Type.Object(
  { id: Id('Number of the order.', 1), petId, quantity, shipDate, status, complete },
  {
    $id: 'Order',
    ...ORDER,
    description: 'An order for a pet.',
  },
);
export type Order = Static<typeof Order>;

export const NewOrder = Type.Object(
  {
    id: Type.Optional(
      Id(
        'Number that the order is to have. Without one, it is given a free one, from 11 on.',
        198_773,
      ),
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
  },
);
export type NewOrder = Static<typeof NewOrder>;

export const Inventory = Type.Unsafe<Record<string, number>>({
  type: 'object',
  propertyNames: { enum: [...STATUSES] },
  minProperties: STATUSES.length,
  additionalProperties: { type: 'integer', format: 'int32', minimum: 0, maximum: GREATEST_INT32 },
  description:
    'Quantities that are ordered, by the status of the order: each status is there, also with 0. More than an int32 holds is shown as its greatest value.',
});

export const ReadableOrder = Type.Object({
  orderId: Type.Unsafe<number>({
    ...Id('Number of the order. Valid are integers up to 5, and those above 10.', 1),
    not: { type: 'integer', minimum: 6, maximum: 10 },
  }),
});

export const DeletableOrder = Type.Object({
  orderId: Type.Unsafe<number>({
    ...Id('Number of the order. Valid are integers below 1000.', 3),
    maximum: 999,
  }),
});
