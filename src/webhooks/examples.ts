import type { Example, Examples } from '../platform/documents/examples.ts';
import { problemExample } from '../platform/documents/problem-responses.ts';
import type { ProblemSlug } from '../platform/problems/problem-types.ts';
import type { SubscriptionOptions } from './access.ts';
import type { Delivery } from './deliveries.schemas.ts';
import type { Subscription } from './subscriptions.schemas.ts';

const SUBSCRIPTION = '0194c0e2-9f3a-7b10-9d52-1f0a7c3e8b64';
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDq1Wn8TzLx4E=';

const WANTED = {
  url: 'https://example.com/webhooks',
  description: 'Tells the night shift',
  headers: { 'X-Tenant': 'blue' },
};

type Where = Pick<SubscriptionOptions, 'publicUrl' | 'baseUrl' | 'eventType'>;

const pathOf = ({ eventType }: Where) => `/webhooks/${eventType}/subscriptions`;

/** The subscription that every example is about. */
export function exampleSubscription(where: Where): Subscription {
  const self = `${where.baseUrl}${pathOf(where)}/${SUBSCRIPTION}`;
  return {
    id: SUBSCRIPTION,
    ...WANTED,
    enabled: true,
    created: '2024-02-01T08:30:00.000Z',
    links: { self, deliveries: `${self}/deliveries` },
  };
}

/** Its deliveries, newest first: one that failed, and one that arrived when it was tried again. */
export function exampleDeliveries(where: Where): [failed: Delivery, succeeded: Delivery] {
  const { links } = exampleSubscription(where);
  const delivery = (
    id: string,
    event: string,
  ): Omit<Delivery, 'state' | 'created' | 'attempts'> => ({
    id,
    event: { id: event, type: where.eventType },
    test: false,
    links: { self: `${links.deliveries}/${id}`, subscription: links.self },
  });
  return [
    {
      ...delivery('0194c0e9-4c10-7d3b-b5a6-92f8e3c7d104', '0194c0e9-4c0f-7a44-8e1d-5c6b7a8f9e02'),
      state: 'failed',
      created: '2024-02-01T09:07:00.000Z',
      attempts: [
        {
          time: '2024-02-01T09:07:00.125Z',
          milliseconds: 31,
          status: 404,
          error: 'The answer was 404; only 2xx counts as received.',
          response: 'Not found',
        },
      ],
    },
    {
      ...delivery('0194c0e2-d8b0-7f2a-8c41-6b1e9d27a3f5', '0194c0e2-d8af-7c05-a3f7-0d9e1b2c3a4f'),
      state: 'succeeded',
      created: '2024-02-01T09:00:00.000Z',
      attempts: [
        { time: '2024-02-01T09:00:05.480Z', milliseconds: 48, status: 200, response: 'ok' },
        {
          time: '2024-02-01T09:00:00.090Z',
          milliseconds: 12,
          error: 'The connection was refused.',
          response: '',
        },
      ],
    },
  ];
}

/** Requests and answers of all operations on subscriptions, as the document of a service shows them. */
export function webhookExamples(where: Where & Pick<SubscriptionOptions, 'operationId'>): Examples {
  const { publicUrl, baseUrl, operationId } = where;
  const subscription = exampleSubscription(where);
  const [failed, succeeded] = exampleDeliveries(where);
  const root = new URL(baseUrl + pathOf(where)).pathname;
  const one = `${root}/${SUBSCRIPTION}`;
  const refused = (slug: ProblemSlug, at: string, body?: unknown): Example =>
    problemExample(slug, publicUrl, at, body === undefined ? {} : { body });
  const since = { since: '2024-02-01T00:00:00Z' };
  const { event, links } = failed;
  const pending = {
    id: '0194c0f1-03e4-7b92-8d75-4a1c6e9b2f38',
    event: { ...event, id: '0194c0f1-03e3-7e61-9c28-7f3d5b1a8e46' },
    state: 'pending' as const,
    test: true,
    created: '2024-02-01T09:15:30.000Z',
    due: '2024-02-01T09:15:30.000Z',
    attempts: [],
    links: {
      ...links,
      self: `${subscription.links.deliveries}/0194c0f1-03e4-7b92-8d75-4a1c6e9b2f38`,
    },
  };

  const examples: Examples = {
    'create-subscription': [
      {
        name: 'subscribe',
        summary: 'A target with a header of its own',
        body: WANTED,
        status: 201,
        answer: { ...subscription, secret: SECRET },
      },
      refused('too-many-subscriptions', root, WANTED),
    ],
    'get-subscriptions': [
      {
        name: 'one',
        summary: 'One subscription',
        status: 200,
        answer: { data: [subscription], links: { self: baseUrl + pathOf(where) } },
      },
    ],
    'get-subscription': [
      { name: 'enabled', summary: 'A subscription', status: 200, answer: subscription },
      {
        name: 'disabled',
        summary: 'One whose target wanted no more',
        status: 200,
        answer: {
          ...subscription,
          enabled: false,
          disabled: { time: '2024-02-03T11:20:00.000Z', reason: 'The target answered 410 Gone.' },
        },
      },
    ],
    'update-subscription': [
      {
        name: 'move',
        summary: 'Another target, from now on',
        body: { url: 'https://example.com/hooks/v2' },
        status: 200,
        answer: { ...subscription, url: 'https://example.com/hooks/v2' },
      },
      {
        name: 'pause',
        summary: 'Nothing for a while',
        body: { enabled: false },
        status: 200,
        answer: {
          ...subscription,
          enabled: false,
          disabled: { time: '2024-02-03T11:20:00.000Z', reason: 'Disabled by its owner.' },
        },
      },
    ],
    'delete-subscription': [{ name: 'delete', summary: 'Send nothing any more', status: 204 }],
    'rotate-subscription-secret': [
      {
        name: 'rotate',
        summary: 'A new secret',
        status: 200,
        answer: { secret: SECRET, overlap: '2024-02-02T08:30:00.000Z' },
      },
    ],
    'test-subscription': [
      { name: 'test', summary: 'It will be sent at once', status: 202, answer: pending },
      refused('subscription-disabled', `${one}/test`),
    ],
    'get-deliveries': [
      {
        name: 'all',
        summary: 'One that failed, and one that came at the second attempt',
        status: 200,
        answer: { data: [failed, succeeded], links: { self: subscription.links.deliveries } },
      },
      {
        name: 'failed',
        summary: 'Those that failed',
        query: { state: 'failed' },
        status: 200,
        answer: {
          data: [failed],
          links: { self: `${subscription.links.deliveries}?state=failed` },
        },
      },
    ],
    'get-delivery': [{ name: 'succeeded', summary: 'A delivery', status: 200, answer: succeeded }],
    'redeliver-delivery': [
      {
        name: 'again',
        summary: 'It will be sent once more',
        path: { deliveryId: failed.id },
        status: 202,
        answer: { ...failed, state: 'pending', due: '2024-02-01T09:15:30.000Z' },
      },
      refused('subscription-disabled', `${one}/deliveries/${succeeded.id}/redeliver`),
    ],
    'recover-deliveries': [
      {
        name: 'recover',
        summary: 'What failed since a day began',
        body: since,
        status: 202,
        answer: { deliveries: 1 },
      },
      refused('subscription-disabled', `${one}/recover`, since),
    ],
  };
  return Object.fromEntries(
    Object.entries(examples).map(([kebab, each]) => [operationId(kebab), each]),
  );
}
