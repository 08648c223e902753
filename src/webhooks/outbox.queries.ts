import { type RawBuilder, sql } from 'kysely';

/** One event, as SQL expressions over the row of the statement that it is written in. */
export interface OutboxEvent {
  /** UUIDv7, also the `webhook-id` of its deliveries. */
  id: string;
  type: 'newBooking' | 'publishNewEvent';
  /** Whose subscriptions get it, besides those that receive everybody's. */
  owner: string;
  /** The JSON body, an expression over `from`. */
  payload: RawBuilder<unknown>;
  /** A CTE of the statement; the event is written where it has a row. */
  from: RawBuilder<unknown>;
}

/**
 * Two CTEs, `event` and `deliveries`, for the statement that makes a change: the event and one
 * delivery a subscription commit with it, in the same round trip.
 */
export const writeEvent = ({ id, type, owner, payload, from }: OutboxEvent) => sql`
  event as (
    insert into webhooks.events (id, type, owner, payload)
    select ${id}::uuid, ${type}::text, ${owner}::text, ${payload} from ${from}
    returning id
  ), deliveries as (
    insert into webhooks.deliveries (event_id, subscription_id)
    select event.id, s.id
    from event, webhooks.subscriptions s
    where s.event_type = ${type}::text and s.is_enabled
      and (s.owner = ${owner}::text or s.receives_all)
    -- One that is being deleted is waited for, and then gets nothing.
    for key share of s
  )`;
