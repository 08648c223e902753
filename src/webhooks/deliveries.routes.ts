import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { headersNamed } from '../platform/documents/headers.ts';
import { problemResponses } from '../platform/documents/problem-responses.ts';
import { notModified, sendTagged } from '../platform/http/etag.ts';
import { answerOnce } from '../platform/http/idempotency.ts';
import { PageQuery, pageWindow, paginate } from '../platform/http/pagination.ts';
import { notFound } from '../platform/problems/problems.ts';
import {
  getEnabledSubscription,
  getSubscription,
  type SubscriptionOptions,
  subscriptionAccess,
} from './access.ts';
import {
  type DeliveryRow,
  findDelivery,
  insertTestDelivery,
  listDeliveries,
  recoverDeliveries,
  restartDelivery,
} from './deliveries.queries.ts';
import { DELIVERY_STATES, type Delivery, DeliveryParams, Recovery } from './deliveries.schemas.ts';
import { SubscriptionParams } from './subscriptions.schemas.ts';

/** The Delivery of the API. */
const toDelivery = (row: DeliveryRow, subscriptionUrl: string): Delivery => ({
  id: row.id,
  event: { id: row.event_id, type: row.type },
  state: row.state,
  test: row.is_test,
  created: row.created_at.toISOString(),
  ...(row.state === 'pending' && { due: row.due_at.toISOString() }),
  attempts: row.attempts,
  links: { self: `${subscriptionUrl}/deliveries/${row.id}`, subscription: subscriptionUrl },
});

/** The log of a subscription's deliveries, and what its owner can set in motion. */
export const deliveryRoutes: FastifyPluginAsyncTypebox<SubscriptionOptions> = async (
  app,
  options,
) => {
  const { database, webhooks, publicUrl, access, refusals, example } = options;
  const { db, reads } = database;
  const { path, url, holder, describe } = subscriptionAccess(options);

  async function getDelivery(subscriptionId: string, id: string): Promise<Delivery> {
    const row = await findDelivery(db, subscriptionId, id);
    if (!row) throw notFound(`The subscription has no delivery ${id}.`);
    return toDelivery(row, `${url}/${subscriptionId}`);
  }

  app.post(
    `${path}/:subscriptionId/test`,
    {
      config: access.write.config,
      schema: {
        ...describe(
          'write',
          'test-subscription',
          'Send an example',
          'Sends a signed example of the event to the target, once, with the header `webhook-test: true`; the answer does not wait for that. Read the delivery, where `Location` leads, to see what came of it. Refused while the subscription is disabled.',
        ),
        params: SubscriptionParams,
        response: {
          202: { ...Type.Ref('Delivery'), headers: headersNamed('Location') },
          ...problemResponses(400, ...refusals, 404, 'subscription-disabled', 422),
        },
      },
    },
    async (request, reply) => {
      const caller = holder(request);
      const { id } = await getEnabledSubscription(db, caller, request.params.subscriptionId);
      const answer = await answerOnce(database, caller.owner, request, reply, (commit) =>
        commit(async (executor) => {
          const delivery = await insertTestDelivery(executor, caller, id, example);
          const row = await findDelivery(executor, id, delivery);
          if (!row) throw notFound(`You have no subscription ${id}.`);
          const resource = toDelivery(row, `${url}/${id}`);
          return { status: 202, headers: { location: resource.links.self }, resource };
        }),
      );
      webhooks.announce();
      return answer;
    },
  );

  app.get(
    `${path}/:subscriptionId/deliveries`,
    {
      config: access.read.config,
      schema: {
        ...describe(
          'read',
          'get-deliveries',
          'List deliveries',
          'What was sent to the subscription and what is to be sent, newest first, each with its attempts: when, how long, and what the target answered. They are kept for a month.',
        ),
        params: SubscriptionParams,
        querystring: Type.Object({
          ...PageQuery,
          state: Type.Optional(
            Type.Unsafe<(typeof DELIVERY_STATES)[number]>({
              type: 'string',
              enum: DELIVERY_STATES,
              description: 'Only deliveries in this state.',
              examples: ['failed'],
            }),
          ),
        }),
        response: {
          200: Type.Ref('Delivery-Collection'),
          ...problemResponses(400, ...refusals, 404),
        },
      },
    },
    async (request, reply) => {
      const { id } = await getSubscription(reads, holder(request), request.params.subscriptionId);
      const window = { ...pageWindow(request.query), state: request.query.state };
      const rows = await listDeliveries(reads, id, window);
      reply.header('cache-control', 'private, no-cache');
      const deliveries = rows.map((row) => toDelivery(row, `${url}/${id}`));
      return paginate(deliveries, request.query, publicUrl + request.url);
    },
  );

  app.get(
    `${path}/:subscriptionId/deliveries/:deliveryId`,
    {
      config: access.read.config,
      schema: {
        ...describe(
          'read',
          'get-delivery',
          'Get a delivery',
          'One delivery with its attempts, latest first. While it is pending, `due` says when the next one comes.',
        ),
        params: DeliveryParams,
        response: {
          200: Type.Ref('Delivery'),
          ...notModified,
          ...problemResponses(400, ...refusals, 404),
        },
      },
    },
    async (request, reply) => {
      const { subscriptionId, deliveryId } = request.params;
      const { id } = await getSubscription(reads, holder(request), subscriptionId);
      reply.header('cache-control', 'private, no-cache');
      return sendTagged(request, reply, await getDelivery(id, deliveryId));
    },
  );

  app.post(
    `${path}/:subscriptionId/deliveries/:deliveryId/redeliver`,
    {
      config: access.write.config,
      schema: {
        ...describe(
          'write',
          'redeliver-delivery',
          'Deliver once more',
          'The delivery is due now and its schedule of retries begins anew, whatever came of it before; the answer does not wait for it. The `webhook-id` stays, so that a receiver knows the repetition. Refused while the subscription is disabled.',
        ),
        params: DeliveryParams,
        response: {
          202: { ...Type.Ref('Delivery'), headers: headersNamed('Location') },
          ...problemResponses(400, ...refusals, 404, 'subscription-disabled'),
        },
      },
    },
    async (request, reply) => {
      const { subscriptionId, deliveryId } = request.params;
      const { id } = await getEnabledSubscription(db, holder(request), subscriptionId);
      await restartDelivery(db, id, deliveryId);
      const delivery = await getDelivery(id, deliveryId);
      webhooks.announce();
      return reply.code(202).header('location', delivery.links.self).send(delivery);
    },
  );

  app.post(
    `${path}/:subscriptionId/recover`,
    {
      config: access.write.config,
      schema: {
        ...describe(
          'write',
          'recover-deliveries',
          'Deliver what failed',
          'Makes due again every delivery that failed since a time, and delivers what happened while the subscription was disabled; tests are left out. The answer says how many that are. Refused while the subscription is disabled.',
        ),
        params: SubscriptionParams,
        body: Recovery,
        response: {
          202: Type.Ref('Recovered'),
          ...problemResponses(400, ...refusals, 404, 'subscription-disabled'),
        },
      },
    },
    async (request, reply) => {
      const { subscriptionId } = request.params;
      const { id } = await getEnabledSubscription(db, holder(request), subscriptionId);
      const deliveries = await recoverDeliveries(db, id, request.body.since);
      webhooks.announce();
      return reply.code(202).send({ deliveries });
    },
  );
};
