interface WebhookDescription {
  /** What happens when it comes. */
  summary: string;
  description: string;
  /** The status that a receiver answers with; any 2xx is taken. */
  status: number;
  /** Name of the payload's schema among the components. */
  schema: string;
  /** How it is secured besides its signature, by the schemes of the document. */
  security?: Record<string, string[]>[];
  example: { name: string; summary: string; value: unknown };
}

const header = (name: string, description: string, example: string) => ({
  in: 'header',
  name,
  description,
  required: /^webhook-(id|timestamp|signature)$/.test(name),
  schema: { type: 'string' },
  example,
});

const HEADERS = [
  header(
    'webhook-id',
    'Identifies the event; it stays the same when it is sent again. Drop what you have seen.',
    '0190f3a2-7c1e-7b4a-9d3e-5f6a7b8c9d0e',
  ),
  header(
    'webhook-timestamp',
    'Seconds since 1970 when this attempt was signed. Refuse what is older than five minutes.',
    '1706778000',
  ),
  header(
    'webhook-signature',
    '`v1,` and the Base64 of HMAC-SHA256 over `webhook-id.webhook-timestamp.body` with the secret of the subscription ([Standard Webhooks](https://www.standardwebhooks.com)). For a day after a rotation there are two, with a space between.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  header('webhook-test', '`true` on an example that a subscriber asked for; else missing.', 'true'),
  header(
    'Authorization',
    'A bearer token by our issuer, its audience the origin of your URL; the key set of the issuer checks it. It is missing where another issuer signs people in.',
    'Bearer eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9…',
  ),
];

/** The tag of an event and its subscriptions: what to do to receive it. */
export const webhookTag = (event: string, isSentWhen: string) => ({
  name: 'Webhooks',
  description: `${isSentWhen} Subscribe with \`POST /webhooks/${event}/subscriptions\`, keep the \`secret\` of the answer, and send yourself an example with \`…/test\`. A receiver takes an event in three steps:

1. Check \`webhook-signature\` with the secret and the body as it came, byte for byte: every [Standard Webhooks](https://www.standardwebhooks.com) library does it in one call.
2. Drop it where \`webhook-id\` has been seen before. An event is sent at least once, and may overtake another.
3. Answer with any 2xx within 15 seconds, and do what takes longer afterwards. All else is tried again, for three days; 410 ends the subscription.

\`…/deliveries\` is the log of every attempt and of what was answered; \`…/recover\` sends again what failed.`,
});

/** What `webhooks` of a document says of an event: what receivers get, and how they answer. */
export const webhookDocument = (event: string, described: WebhookDescription) => ({
  [event]: {
    post: {
      operationId: event,
      summary: described.summary,
      description: `${described.description} Subscribe with POST \`/webhooks/${event}/subscriptions\`. It is sent at least once, in no certain order, and again on a schedule of three days until it is taken.`,
      tags: ['Webhooks'],
      security: described.security ?? [],
      parameters: HEADERS,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${described.schema}` },
            examples: {
              [described.example.name]: {
                summary: described.example.summary,
                value: described.example.value,
              },
            },
          },
        },
      },
      responses: {
        [described.status]: { description: 'Taken. Any other 2xx does as well.' },
        410: { description: 'Wanted no more: the subscription is disabled.' },
        default: {
          description:
            'Not taken, also a redirect or no complete answer in 15 s: sent again later. Retry-After of a 429 or 503 is honoured.',
        },
      },
    },
  },
});
