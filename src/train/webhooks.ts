import type { FastifyPluginAsync } from 'fastify';
import { callerOf } from '../platform/access/bearer.ts';
import type { Access } from '../webhooks/access.ts';
import { offerSubscriptions } from '../webhooks/routes.ts';
import { exampleBooking } from './examples.ts';
import type { TrainRoutes } from './index.ts';

/** For clients that the operator registered with it: they hear of everybody's bookings. */
const EVERYBODYS = 'bookings:all';

const access = (scope: string): Access => ({
  config: { scope },
  security: [{ OAuth2: [scope] }],
});

/** Subscriptions to newBooking: whoever makes one hears of the bookings of the same subject. */
export const bookingWebhooks: FastifyPluginAsync<TrainRoutes> = async (
  app,
  { database, webhooks, publicUrl, baseUrl },
) => {
  await offerSubscriptions(app, {
    database,
    webhooks,
    publicUrl,
    baseUrl,
    eventType: 'newBooking',
    access: { read: access('read'), write: access('write') },
    refusals: [401, 403],
    holderOf(request) {
      const { subject, scopes } = callerOf(request);
      return { owner: subject, receivesAll: scopes.has(EVERYBODYS) };
    },
    operationId: (kebab) => kebab,
    example: exampleBooking(baseUrl),
  });
};
