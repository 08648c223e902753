import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import type { Holder } from './subscriptions.queries.ts';
import type { AttemptLog, DeliveryState, EventType } from './tables.ts';

export interface DeliveryRow {
  id: string;
  event_id: string;
  type: EventType;
  state: DeliveryState;
  is_test: boolean;
  due_at: Date;
  created_at: Date;
  /** Latest first. */
  attempts: AttemptLog[];
}

const columns = sql`
  d.id, d.event_id, e.type, d.state, d.is_test, d.due_at, d.created_at, d.attempts`;

/** Newest first. The subscription is known to be the caller's. */
export async function listDeliveries(
  db: Db,
  subscriptionId: string,
  { state, limit, offset }: { state?: DeliveryState | undefined; limit: number; offset: number },
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select ${columns}
    from webhooks.deliveries d join webhooks.events e on e.id = d.event_id
    where d.subscription_id = ${subscriptionId}
      ${state ? sql`and d.state = ${sql.lit(state)}` : sql``}
    order by d.id desc
    limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

export async function findDelivery(
  db: Db,
  subscriptionId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`
    select ${columns}
    from webhooks.deliveries d join webhooks.events e on e.id = d.event_id
    where d.id = ${id} and d.subscription_id = ${subscriptionId}`.execute(db);
  return rows[0];
}

/** Writes an event for one subscription alone, that is attempted once; answers its delivery. */
export async function insertTestDelivery(
  db: Db,
  { eventType, owner }: Holder,
  subscriptionId: string,
  payload: unknown,
): Promise<string> {
  const id = newId();
  await sql`
    with event as (
      insert into webhooks.events (id, type, owner, payload)
      values (${newId()}, ${eventType}, ${owner}, ${JSON.stringify(payload)}::json)
      returning id
    )
    insert into webhooks.deliveries (id, event_id, subscription_id, is_test)
    select ${id}::uuid, event.id, ${subscriptionId}::uuid, true from event`.execute(db);
  return id;
}

/**
 * Makes the delivery due now, at the start of its schedule; one that is being attempted at this
 * moment stays as it is. False: there is none such.
 */
export async function restartDelivery(
  db: Db,
  subscriptionId: string,
  id: string,
): Promise<boolean> {
  const { rows } = await sql`
    with found as materialized (
      select id from webhooks.deliveries where id = ${id} and subscription_id = ${subscriptionId}
    ), restarted as (
      update webhooks.deliveries d set state = 'pending', step = 0, due_at = now()
      from found where d.id = found.id and d.claim_id is null
    )
    select 1 from found`.execute(db);
  return rows.length === 1;
}

/**
 * Makes due again what failed since `since`, and what never became a delivery because the
 * subscription was disabled. Tests are left out. Answers how many deliveries that is.
 */
export async function recoverDeliveries(
  db: Db,
  subscriptionId: string,
  since: string,
): Promise<number> {
  const { rows } = await sql<{ recovered: number }>`
    with restarted as (
      update webhooks.deliveries d set state = 'pending', step = 0, due_at = now()
      where d.subscription_id = ${subscriptionId} and d.state = 'failed' and not d.is_test
        and d.created_at >= ${since}::timestamptz
      returning d.id
    ), missed as (
      insert into webhooks.deliveries (event_id, subscription_id)
      select e.id, s.id
      from webhooks.subscriptions s
        join webhooks.events e on e.type = s.event_type and (e.owner = s.owner or s.receives_all)
      where s.id = ${subscriptionId}
        and e.created_at >= greatest(${since}::timestamptz, s.created_at)
        and not exists (select from webhooks.deliveries d
                        where d.event_id = e.id and (d.subscription_id = s.id or d.is_test))
      returning id
    )
    select ((select count(*) from restarted) + (select count(*) from missed))::int as recovered
  `.execute(db);
  return rows[0]?.recovered ?? 0;
}
