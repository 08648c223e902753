import { type Static, Type } from '@sinclair/typebox';
import { SubscriptionParams } from './subscriptions.schemas.ts';

export const DELIVERY_STATES = ['pending', 'succeeded', 'failed'] as const;

const Attempt = Type.Object(
  {
    time: Type.String({ format: 'date-time', description: 'When it began.' }),
    milliseconds: Type.Integer({ minimum: 0, description: 'How long it took.' }),
    status: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 999,
        description: 'The status of the answer; absent where none came.',
      }),
    ),
    error: Type.Optional(Type.String({ description: 'Why it failed; absent where it succeeded.' })),
    response: Type.String({ description: 'The first 16 KiB of the answer, as text.' }),
  },
  { $id: 'Delivery-Attempt', description: 'One request to the target, and what came of it.' },
);

export const Delivery = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Identifier.' }),
    event: Type.Object(
      {
        id: Type.String({
          format: 'uuid',
          description: 'The `webhook-id` of every attempt: a receiver knows repetitions by it.',
        }),
        type: Type.String({ description: 'The kind of event.' }),
      },
      { description: 'What is delivered.' },
    ),
    state: Type.Unsafe<(typeof DELIVERY_STATES)[number]>({
      type: 'string',
      enum: DELIVERY_STATES,
      description:
        'pending: it will be attempted, at `due`; succeeded: the target answered 2xx; failed: there are no more attempts, unless you ask for them.',
    }),
    test: Type.Boolean({ description: 'Whether you asked for it by `test`; attempted once.' }),
    created: Type.String({ format: 'date-time', description: 'When the event happened.' }),
    due: Type.Optional(
      Type.String({ format: 'date-time', description: 'The next attempt, while pending.' }),
    ),
    attempts: Type.Array(Type.Ref('Delivery-Attempt'), {
      maxItems: 20,
      description: 'The attempts so far, latest first, 20 at most.',
    }),
    links: Type.Object(
      {
        self: Type.String({ format: 'uri', description: 'This delivery.' }),
        subscription: Type.String({ format: 'uri', description: 'Its subscription.' }),
      },
      { description: 'Where it is, and its subscription.' },
    ),
  },
  { $id: 'Delivery', description: 'One event on its way to one subscription.' },
);
export type Delivery = Static<typeof Delivery>;

const DeliveryCollection = Type.Object(
  {
    data: Type.Array(Type.Ref('Delivery'), { description: 'The deliveries of this page.' }),
    links: Type.Ref('Links-Pagination'),
  },
  { $id: 'Delivery-Collection', description: 'One page of deliveries, newest first.' },
);

export const DELIVERY_SCHEMAS = [Attempt, Delivery, DeliveryCollection];

export const Recovery = Type.Object(
  {
    since: Type.String({
      format: 'date-time',
      description: 'From when on what failed is sent again, and what was missed is sent.',
      examples: ['2024-02-01T00:00:00Z'],
    }),
  },
  { $id: 'Recovery', additionalProperties: false, description: 'What to repeat.' },
);

export const Recovered = Type.Object(
  { deliveries: Type.Integer({ minimum: 0, description: 'How many deliveries are due again.' }) },
  { $id: 'Recovered', description: 'What a recovery set in motion.' },
);

export const DeliveryParams = Type.Object({
  ...SubscriptionParams.properties,
  deliveryId: Type.String({
    format: 'uuid',
    description: 'Identifier of the delivery.',
    examples: ['0194c0e2-d8b0-7f2a-8c41-6b1e9d27a3f5'],
  }),
});
