import { type RawBuilder, sql } from 'kysely';
import type { EventType } from './tables.ts';

/** One event, as SQL expressions over the row of the statement that it is written in. */
export interface OutboxEvent {
  /** UUIDv7, also the `webhook-id` of its deliveries. */
  id: string;
  type: EventType;
  /** Whose subscriptions get it, besides those that receive everybody's. */
  owner: string;
  /** The JSON body, an expression over `from`. */
  payload: RawBuilder<unknown>;
  /** A CTE of the statement; the event is written where it has a row. */
  from: RawBuilder<unknown>;
}

/**
 * Three CTEs for the statement that makes a change: `subscribers` are those who want the event;
 * where there are any, `event` is the event, and `deliveries` holds one for each of them that is
 * enabled. All of it commits with the change, in the same round trip. Who runs the statement says
 * so to `Webhooks.announce` once it is committed.
 */
export const writeEvent = ({ id, type, owner, payload, from }: OutboxEvent) => sql`
  subscribers as materialized (
    select s.id, s.is_enabled
    from webhooks.subscriptions s
    where s.event_type = ${type}::text and (s.owner = ${owner}::text or s.receives_all)
    -- One that is being deleted is waited for, and then gets nothing.
    for key share of s
  ), event as (
    insert into webhooks.events (id, type, owner, payload)
    select ${id}::uuid, ${type}::text, ${owner}::text, (${payload})::json from ${from}
    where exists (select from subscribers)
    returning id
  ), deliveries as (
    insert into webhooks.deliveries (event_id, subscription_id)
    select event.id, s.id from event, subscribers s where s.is_enabled
    returning id
  )`;
