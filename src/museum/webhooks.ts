import type { FastifyPluginAsync } from 'fastify';
import type { Access } from '../webhooks/access.ts';
import { offerSubscriptions } from '../webhooks/routes.ts';
import type { MuseumRoutes } from './index.ts';
import { EXAMPLE_EVENTS } from './seed/examples.ts';
import { SECURITY, staffOf } from './staff/auth.ts';

/** How the museum writes an operationId. */
export const inCamelCase = (kebab: string): string =>
  kebab.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

const STAFF_ONLY: Access = { config: { staffOnly: true }, security: SECURITY };

/** Subscriptions to publishNewEvent: each its maker's, and all of them get every event. */
export const eventWebhooks: FastifyPluginAsync<MuseumRoutes> = async (
  app,
  { database, webhooks, publicUrl, baseUrl },
) =>
  offerSubscriptions(app, {
    database,
    webhooks,
    publicUrl,
    baseUrl,
    eventType: 'publishNewEvent',
    access: { read: STAFF_ONLY, write: STAFF_ONLY },
    refusals: [401],
    holderOf: (request) => ({ owner: staffOf(request), receivesAll: true }),
    operationId: inCamelCase,
    example: EXAMPLE_EVENTS[0],
  });
