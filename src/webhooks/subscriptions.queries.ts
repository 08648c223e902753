import { type Selectable, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { EventType, SubscriptionsTable } from './tables.ts';

export type SubscriptionRow = Pick<
  Selectable<SubscriptionsTable>,
  'id' | 'url' | 'description' | 'headers' | 'is_enabled' | 'created_at'
> & { disabled_reason: string | null; disabled_at: Date | null };

/** Whose subscriptions, and to which event. */
export interface Holder {
  eventType: EventType;
  owner: string;
}

const columns = sql`
  s.id, s.url, s.description, s.headers, s.is_enabled, s.disabled_reason, s.disabled_at, s.created_at`;

const held = ({ eventType, owner }: Holder) =>
  sql`s.event_type = ${eventType} and s.owner = ${owner}`;

export interface NewSubscription {
  id: string;
  url: string;
  description: string | null;
  headers: Record<string, string>;
  isEnabled: boolean;
  secret: Buffer;
  receivesAll: boolean;
}

const BY_OWNER = 'Disabled by its owner.';

/** Undefined where the owner has `most` of them already; the lock makes that certain. */
export async function insertSubscription(
  db: Db,
  holder: Holder,
  wanted: NewSubscription,
  most: number,
): Promise<SubscriptionRow | undefined> {
  const { id, url, description, headers, isEnabled, secret, receivesAll } = wanted;
  const { rows } = await sql<SubscriptionRow>`
    with locked as materialized (
      select pg_advisory_xact_lock(hashtextextended(${`subscriptions ${holder.owner}`}, 0))
    ), s as (
      insert into webhooks.subscriptions
        (id, event_type, owner, receives_all, url, description, headers, secret, is_enabled,
         disabled_reason, disabled_at)
      select ${id}::uuid, ${holder.eventType}::text, ${holder.owner}::text, ${receivesAll}::boolean,
             ${url}::text, ${description}::text, ${JSON.stringify(headers)}::jsonb,
             ${secret}::bytea, ${isEnabled}::boolean,
             case when not ${isEnabled}::boolean then ${BY_OWNER}::text end,
             case when not ${isEnabled}::boolean then now() end
      from locked
      where webhooks.count_subscriptions(${holder.eventType}, ${holder.owner}) < ${most}::int
      returning *
    )
    select ${columns} from s`.execute(db);
  return rows[0];
}

export async function listSubscriptions(
  db: Db,
  holder: Holder,
  { limit, offset }: { limit: number; offset: number },
): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`
    select ${columns} from webhooks.subscriptions s
    where ${held(holder)} order by s.id desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/** `lock`: nobody else changes it until the transaction ends. */
export async function findSubscription(
  db: Db,
  holder: Holder,
  id: string,
  lock = false,
): Promise<SubscriptionRow | undefined> {
  const { rows } = await sql<SubscriptionRow>`
    select ${columns} from webhooks.subscriptions s
    where s.id = ${id} and ${held(holder)} ${lock ? sql`for update` : sql``}`.execute(db);
  return rows[0];
}

export interface SubscriptionChanges {
  url?: string;
  description?: string;
  headers?: Record<string, string>;
  enabled?: boolean;
}

/**
 * Changes what is given. Enabled again, it starts with what waited while it was disabled: one that
 * failed has its time from now on, and is taken for one that works when it has received something.
 */
export async function updateSubscription(
  db: Db,
  holder: Holder,
  id: string,
  changes: SubscriptionChanges,
): Promise<SubscriptionRow | undefined> {
  const { url, description, headers, enabled } = changes;
  const isEnabled = enabled === undefined ? sql`s.is_enabled` : sql`${enabled}::boolean`;
  const { rows } = await sql<SubscriptionRow>`
    update webhooks.subscriptions s
    set url = coalesce(${url ?? null}::text, s.url),
        description = coalesce(${description ?? null}::text, s.description),
        headers = coalesce(${headers ? JSON.stringify(headers) : null}::jsonb, s.headers),
        is_enabled = ${isEnabled},
        failing_since = case when ${enabled ?? false}::boolean and s.failing_since is not null
                             then now() else s.failing_since end,
        disabled_reason = case when not ${isEnabled} then coalesce(s.disabled_reason, ${BY_OWNER}) end,
        disabled_at = case when not ${isEnabled} then coalesce(s.disabled_at, now()) end
    where s.id = ${id} and ${held(holder)}
    returning ${columns}`.execute(db);
  return rows[0];
}

export async function deleteSubscription(db: Db, holder: Holder, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from webhooks.subscriptions s where s.id = ${id} and ${held(holder)}
    returning 1`.execute(db);
  return rows.length === 1;
}

/**
 * The secret so far signs beside the new one for `overlapSeconds`; answers until when. Undefined:
 * there is no such subscription.
 */
export async function rotateSecret(
  db: Db,
  holder: Holder,
  id: string,
  secret: Buffer,
  overlapSeconds: number,
): Promise<Date | undefined> {
  const { rows } = await sql<{ previous_secret_until: Date }>`
    update webhooks.subscriptions s
    set previous_secret = s.secret, secret = ${secret},
        previous_secret_until = now() + ${overlapSeconds}::int * interval '1 second'
    where s.id = ${id} and ${held(holder)}
    returning s.previous_secret_until`.execute(db);
  return rows[0]?.previous_secret_until;
}
