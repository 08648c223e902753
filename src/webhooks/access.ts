import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import type { Database, Db } from '../platform/database/database.ts';
import { notFound, Problem } from '../platform/problems/problems.ts';
import type { Webhooks } from './index.ts';
import { findSubscription, type Holder, type SubscriptionRow } from './subscriptions.queries.ts';

/** What operations that only read, or that change something, ask of the caller. */
export interface Access {
  config: FastifyContextConfig;
  security: Record<string, string[]>[];
}

/** How a service offers subscriptions to its event. */
export interface SubscriptionOptions {
  database: Database;
  webhooks: Webhooks;
  /** Origin of absolute links. */
  publicUrl: string;
  /** Origin and base path of the service. */
  baseUrl: string;
  eventType: Holder['eventType'];
  access: { read: Access; write: Access };
  /** Statuses of wrong or insufficient credentials. */
  refusals: (401 | 403)[];
  /** Who calls: the owner of what is made. `receivesAll`: everybody's events, not the own alone. */
  holderOf: (request: FastifyRequest) => { owner: string; receivesAll: boolean };
  /** The service's way to write an operationId, such as `create-subscription`. */
  operationId: (kebab: string) => string;
  /** What a test delivers. */
  example: unknown;
}

/** Path of the subscriptions, and what every operation on them shares. */
export function subscriptionAccess(options: SubscriptionOptions) {
  const { baseUrl, eventType, holderOf, access, operationId } = options;
  const path = `/webhooks/${eventType}/subscriptions`;
  return {
    path,
    url: baseUrl + path,
    holder: (request: FastifyRequest): Holder => ({ eventType, owner: holderOf(request).owner }),
    describe: (kind: 'read' | 'write', id: string, summary: string, description: string) => ({
      operationId: operationId(id),
      summary,
      description,
      tags: ['Webhooks'],
      security: access[kind].security,
    }),
  };
}

export const noSubscription = (id: string) => notFound(`You have no subscription ${id}.`);

/** The caller's subscription; throws 404 where there is none. */
export async function getSubscription(
  db: Db,
  holder: Holder,
  id: string,
  lock = false,
): Promise<SubscriptionRow> {
  const row = await findSubscription(db, holder, id, lock);
  if (!row) throw noSubscription(id);
  return row;
}

/** The same, for what only makes sense while it is enabled. */
export async function getEnabledSubscription(
  db: Db,
  holder: Holder,
  id: string,
): Promise<SubscriptionRow> {
  const row = await getSubscription(db, holder, id);
  if (!row.is_enabled)
    throw new Problem(
      'subscription-disabled',
      'The subscription is disabled, so nothing would be sent; PATCH it with "enabled": true first.',
    );
  return row;
}
