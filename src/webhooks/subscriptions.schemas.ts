import { type Static, Type } from '@sinclair/typebox';
import { ignored } from '../platform/documents/read-only.ts';

const Url = Type.String({
  maxLength: 2048,
  description:
    'Where events are sent, by POST; https outside of a network of your own. It must lead to public addresses, now and whenever it is connected to.',
  examples: ['https://example.com/webhooks'],
});
const Description = Type.String({
  maxLength: 500,
  pattern: '^[^\\p{Cc}\\p{Cs}]*$',
  'x-takes': 'text without control characters',
  description: 'A note of yours.',
});
const Headers = Type.Record(
  Type.String(),
  Type.String({
    maxLength: 1024,
    pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
    'x-takes': 'printable ASCII that neither begins nor ends with a space',
  }),
  {
    maxProperties: 20,
    description: 'Sent along with every request, beside those that are always sent.',
    examples: [{ 'X-Tenant': 'blue' }],
  },
);
const Enabled = Type.Boolean({
  description:
    'Whether events are sent. While it is false nothing is lost: what waited is sent when it is true again, and `recover` sends what happened meanwhile.',
});

export const Disabled = Type.Object(
  {
    time: Type.String({ format: 'date-time', description: 'Since when.' }),
    reason: Type.String({ description: 'Why: its owner, its target, or what went wrong.' }),
  },
  {
    $id: 'Subscription-Disabled',
    readOnly: true,
    description: 'Since when and why nothing is sent; only while it is not enabled.',
  },
);

export const SubscriptionLinks = Type.Object(
  {
    self: Type.String({ format: 'uri', description: 'This subscription.' }),
    deliveries: Type.String({ format: 'uri', description: 'The log of its deliveries.' }),
  },
  {
    $id: 'Links-Subscription',
    readOnly: true,
    description: 'Where it is, and the log of its deliveries.',
  },
);

const shown = {
  id: Type.String({ format: 'uuid', readOnly: true, description: 'Identifier.' }),
  url: Type.String({ format: 'uri', description: 'Where events are sent, by POST.' }),
  description: Type.Optional(Type.String({ description: 'A note of yours.' })),
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'Sent along with every request.',
  }),
  enabled: Enabled,
  disabled: Type.Optional(Type.Unsafe<Static<typeof Disabled>>(Type.Ref('Subscription-Disabled'))),
  created: Type.String({ format: 'date-time', readOnly: true, description: 'When it was made.' }),
  links: Type.Unsafe<Static<typeof SubscriptionLinks>>(Type.Ref('Links-Subscription')),
};

export const Subscription = Type.Object(shown, {
  $id: 'Subscription',
  description: 'Events of one kind, sent to one address.',
});
export type Subscription = Static<typeof Subscription>;

const Secret = Type.String({
  readOnly: true,
  description:
    'The key of the signatures, as Standard Webhooks libraries take it. It is shown this once.',
  examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDq1Wn8TzLx4E='],
});

export const SubscriptionWithSecret = Type.Intersect(
  [Type.Ref('Subscription'), Type.Object({ secret: Secret })],
  { $id: 'Subscription-With-Secret', description: 'A new subscription, with its secret.' },
);

export const NewSecret = Type.Object(
  {
    secret: Secret,
    overlap: Type.String({
      format: 'date-time',
      description: 'Until then requests are signed with the secret before it, too.',
    }),
  },
  { $id: 'Subscription-Secret', description: 'The new secret of a subscription.' },
);

export const SubscriptionCollection = Type.Object(
  {
    data: Type.Array(Type.Ref('Subscription'), { description: 'The subscriptions of this page.' }),
    links: Type.Ref('Links-Pagination'),
  },
  { $id: 'Subscription-Collection', description: 'One page of your subscriptions, newest first.' },
);

const readOnly = {
  id: ignored(shown.id),
  disabled: ignored(shown.disabled),
  created: ignored(shown.created),
  links: ignored(shown.links),
  secret: ignored(Secret),
};

export const NewSubscription = Type.Object(
  {
    url: Url,
    description: Type.Optional(Description),
    headers: Type.Optional(Headers),
    enabled: Type.Optional(Type.Boolean({ ...Enabled, default: true })),
    ...readOnly,
  },
  { $id: 'New-Subscription', additionalProperties: false, description: 'What to subscribe.' },
);

export const SubscriptionUpdate = Type.Object(
  {
    url: Type.Optional(Url),
    description: Type.Optional(Description),
    headers: Type.Optional(Headers),
    enabled: Type.Optional(Enabled),
    ...readOnly,
  },
  {
    $id: 'Subscription-Update',
    additionalProperties: false,
    description: 'What to change; the rest stays. `headers` are replaced as a whole.',
  },
);

export const SubscriptionParams = Type.Object({
  subscriptionId: Type.String({
    format: 'uuid',
    description: 'Identifier of the subscription.',
    examples: ['0194c0e2-9f3a-7b10-9d52-1f0a7c3e8b64'],
  }),
});
