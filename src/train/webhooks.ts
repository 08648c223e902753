import type { FastifyPluginAsync } from 'fastify';
import { callerOf } from '../platform/bearer.ts';
import type { Access } from '../webhooks/access.ts';
import { offerSubscriptions } from '../webhooks/routes.ts';
import type { Booking } from './bookings.schemas.ts';
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
  const example: Booking = {
    id: '1725ff48-ab45-4bb5-9d02-88745177dedb',
    trip_id: 'ea399ba1-6d95-433f-92d1-83f67b775594',
    passenger_name: 'John Doe',
    has_bicycle: true,
    has_dog: false,
    status: 'held',
    expires_at: '2024-02-01T10:00:00.000Z',
    price: 50,
    currency: 'eur',
    links: { self: `${baseUrl}/bookings/1725ff48-ab45-4bb5-9d02-88745177dedb` },
  };
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
    example,
  });
};
