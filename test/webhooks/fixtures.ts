import { sql } from 'kysely';
import type { Db } from '../../src/platform/database/database.ts';
import { exampleDeliveries, exampleSubscription } from '../../src/webhooks/examples.ts';
import { WEBHOOK_SECRET } from '../given.ts';

type Where = Parameters<typeof exampleSubscription>[0];

/** Puts the subscription of the examples and its deliveries where they are shown, and no other. */
export async function resetSubscriptions(db: Db, owner: string, where: Where): Promise<void> {
  const { id, url, description, headers, created } = exampleSubscription(where);
  const { eventType } = where;
  await sql`delete from webhooks.subscriptions where owner = ${owner}`.execute(db);
  await sql`delete from webhooks.events where owner = ${owner}`.execute(db);
  await sql`
    insert into webhooks.subscriptions (id, event_type, owner, url, description, headers, secret,
                                        created_at)
    values (${id}, ${eventType}, ${owner}, ${url}, ${description}, ${JSON.stringify(headers)},
            ${WEBHOOK_SECRET}, ${created})`.execute(db);
  for (const { id: delivery, event, state, created: at, attempts } of exampleDeliveries(where)) {
    await sql`
      insert into webhooks.events (id, type, owner, payload, created_at)
      values (${event.id}, ${event.type}, ${owner}, '{}', ${at})`.execute(db);
    await sql`
      insert into webhooks.deliveries (id, event_id, subscription_id, state, created_at, attempts)
      values (${delivery}, ${event.id}, ${id}, ${state}, ${at},
              ${JSON.stringify(attempts)})`.execute(db);
  }
}

/** What the examples of operations on subscriptions take for granted beside that. */
export function prepareWebhooks(
  db: Db,
  owner: string,
  where: Where & { operationId: (kebab: string) => string },
): Record<string, () => Promise<unknown>> {
  const { id } = exampleSubscription(where);
  const { operationId, eventType } = where;
  const disable = () =>
    sql`
      update webhooks.subscriptions
      set is_enabled = false, disabled_at = '2024-02-03T11:20:00Z',
          disabled_reason = 'The target answered 410 Gone.'
      where id = ${id}`.execute(db);
  const subscribeAll = () =>
    sql`
      insert into webhooks.subscriptions (id, event_type, owner, url, secret)
      select platform.uuid_v7(), ${eventType}, ${owner}, 'http://127.0.0.1:1/', ${WEBHOOK_SECRET}
      from generate_series(2, 50)`.execute(db);
  return {
    [`${operationId('create-subscription')} too-many-subscriptions`]: subscribeAll,
    [`${operationId('get-subscription')} disabled`]: disable,
    [`${operationId('test-subscription')} subscription-disabled`]: disable,
    [`${operationId('redeliver-delivery')} subscription-disabled`]: disable,
    [`${operationId('recover-deliveries')} subscription-disabled`]: disable,
  };
}
