import type { FastifyInstance } from 'fastify';
import type { SubscriptionOptions } from './access.ts';
import { deliveryRoutes } from './deliveries.routes.ts';
import { DELIVERY_SCHEMAS, Recovered } from './deliveries.schemas.ts';
import { subscriptionRoutes } from './subscriptions.routes.ts';
import {
  Disabled,
  NewSecret,
  Subscription,
  SubscriptionCollection,
  SubscriptionLinks,
  SubscriptionWithSecret,
} from './subscriptions.schemas.ts';

/** What the routes refer to; a service adds them to its own, beside `Links-Pagination`. */
export const WEBHOOK_SCHEMAS = [
  Disabled,
  SubscriptionLinks,
  Subscription,
  SubscriptionWithSecret,
  NewSecret,
  SubscriptionCollection,
  ...DELIVERY_SCHEMAS,
  Recovered,
];

/** Subscriptions to an event of the service `app`, and their deliveries. */
export async function offerSubscriptions(
  app: FastifyInstance,
  options: SubscriptionOptions,
): Promise<void> {
  await app.register(subscriptionRoutes, options);
  await app.register(deliveryRoutes, options);
}
