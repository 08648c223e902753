import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { AttemptLog, EventType } from './tables.ts';

/** First half of the advisory locks by which dispatchers show that they live; "webh". */
const LOCK_CLASS = 0x77656268;

/** Longer than any attempt: only a claim whose owner hangs or is cut off gets that old. */
const LEASE_SECONDS = 60;

/** A number for this process, which no living dispatcher has. */
export async function nextDispatcher(db: Db): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    select nextval('webhooks.dispatchers')::int as number`.execute(db);
  return rows[0]?.number ?? 0;
}

/**
 * On a connection of its own: shows that the dispatcher lives, and listens to `wakeOthers`. The lock
 * is shared with the connection before this one, which the server may take for alive for hours.
 */
export async function showAlive(session: Db, dispatcher: number): Promise<void> {
  await sql`select pg_advisory_lock_shared(${LOCK_CLASS}::int, ${dispatcher}::int)`.execute(
    session,
  );
  await sql`listen webhooks`.execute(session);
}

/**
 * For a connection that nothing else uses. Its statements find few rows of many; plans are kept, and
 * those made while there were few deliveries would go on reading all of them. And they wait for no
 * disk: a crash of the database may take the last half second of them along, and what was sent in
 * it is sent once more.
 */
export async function tuneForDispatch(session: Db): Promise<void> {
  await sql`set enable_seqscan = off`.execute(session);
  await sql`set synchronous_commit = off`.execute(session);
}

/** Tells every dispatcher but this one that something is due. */
export async function wakeOthers(db: Db, dispatcher: number): Promise<void> {
  await sql`select pg_notify('webhooks', ${String(dispatcher)})`.execute(db);
}

/** A delivery that is ours to attempt, with all that its request is made of. */
export interface Claimed {
  id: string;
  claim_id: string;
  step: number;
  is_test: boolean;
  /** The last attempt of its subscription failed. */
  is_failing: boolean;
  subscription_id: string;
  event_id: string;
  type: EventType;
  payload: unknown;
  url: string;
  headers: Record<string, string>;
  secret: Buffer;
  previous_secret: Buffer | null;
}

/** How many deliveries of a subscription run at a time in one process. */
export interface ClaimLimits {
  total: number;
  /** Of a subscription whose last attempt succeeded. */
  healthy: number;
  /** Of one that fails at the moment: it must not hold what others need. */
  failing: number;
}

/**
 * Claims what is due: the oldest of each subscription in turns, so that a long queue of one delays
 * no other. `running` counts the attempts that this process has under way, by subscription.
 *
 * The first CTE hops from one subscription with waiting deliveries to the next, by one look into
 * the index each, however long their queues are.
 */
export async function claimDue(
  session: Db,
  dispatcher: number,
  claimId: string,
  running: Map<string, number>,
  { total, healthy, failing }: ClaimLimits,
): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with recursive waiting as (
      (select d.subscription_id from webhooks.deliveries d
       where d.state = 'pending' and d.claim_id is null
       order by d.subscription_id limit 1)
      union all
      select (select d.subscription_id from webhooks.deliveries d
              where d.state = 'pending' and d.claim_id is null
                and d.subscription_id > w.subscription_id
              order by d.subscription_id limit 1)
      from waiting w where w.subscription_id is not null
    ), subscriber as (
      select s.id, s.url, s.headers, s.secret,
             case when s.previous_secret_until > now() then s.previous_secret end as previous_secret,
             case when s.failing_since is null then ${healthy}::int else ${failing}::int end
               - coalesce(r.count, 0) as room,
             s.failing_since is not null as is_failing
      from waiting w
        join webhooks.subscriptions s on s.id = w.subscription_id
        left join unnest(${[...running.keys()]}::uuid[], ${[...running.values()]}::int[])
          r (id, count) on r.id = s.id
      where s.is_enabled
    ), turn as (
      select due.id
      from subscriber s, lateral (
        select locked.id, row_number() over (order by locked.due_at) as turn
        from (
          select d.id, d.due_at from webhooks.deliveries d
          where d.subscription_id = s.id and d.state = 'pending' and d.claim_id is null
            and d.due_at <= now()
          order by d.due_at
          limit greatest(s.room, 0)
          for update skip locked
        ) locked
      ) due
      order by due.turn, due.id
      limit ${total}::int
    ), claimed as (
      update webhooks.deliveries d
      set claim_id = ${claimId}::uuid, claimed_by = ${dispatcher}::int,
          claimed_until = now() + ${LEASE_SECONDS}::int * interval '1 second'
      -- As an array: joined, the planner would read the whole index, not knowing how few they are.
      where d.id = any (array(select turn.id from turn))
      returning d.id, d.claim_id, d.event_id, d.subscription_id, d.step, d.is_test
    )
    select c.id, c.claim_id, c.step, c.is_test, c.subscription_id, c.event_id, e.type, e.payload,
           s.url, s.headers, s.secret, s.previous_secret, s.is_failing
    from claimed c
      join webhooks.events e on e.id = c.event_id
      join subscriber s on s.id = c.subscription_id
    -- Those that work are sent to first: the others open connections, mostly.
    order by s.is_failing`.execute(session);
  return rows;
}

/** What came of an attempt. */
export interface Attempt {
  delivery: string;
  claim: string;
  log: AttemptLog;
  outcome: 'succeeded' | 'failed' | 'gone';
  /** Seconds until the next attempt of what failed; null: there is none. */
  retry_in: number | null;
  is_test: boolean;
}

/** Attempts that a delivery keeps, from the latest. */
const ATTEMPTS_KEPT = 20;

/**
 * Writes down attempts and what follows from them: the delivery's state, and the health of its
 * subscription. Whoever lost the claim meanwhile adds to the log only. Answers the subscriptions
 * that this disabled.
 */
export async function settle(
  db: Db,
  attempts: Attempt[],
  disableAfterSeconds: number,
): Promise<{ id: string; disabled_reason: string }[]> {
  /** Why subscription `s` with the health `h` is to be disabled; null where it is not. */
  const reason = sql`case
    when h.is_gone then 'The target answered 410 Gone.'
    when h.is_failing and not h.is_healthy
      and s.failing_since <= now() - ${disableAfterSeconds}::float8 * interval '1 second'
    then 'Every attempt failed since '
      || to_char(s.failing_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || '.'
  end`;
  const { rows } = await sql<{ id: string; disabled_reason: string }>`
    with attempt as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(attempts)}::jsonb) a (
        delivery uuid, claim uuid, log jsonb, outcome text, retry_in float8, is_test boolean)
    ), settled as (
      update webhooks.deliveries d
      -- It may stand there already: the answer to the statement that wrote it was lost.
      set attempts = case when d.attempts @> jsonb_build_array(a.log) then d.attempts
            else jsonb_path_query_array(
              jsonb_build_array(a.log) || d.attempts, ${sql.lit(`$[0 to ${ATTEMPTS_KEPT - 1}]`)}) end,
          state = case when d.claim_id is distinct from a.claim then d.state
                       when a.outcome = 'succeeded' then 'succeeded'
                       when a.retry_in is null then 'failed' else 'pending' end,
          step = case when d.claim_id = a.claim then d.step + 1 else d.step end,
          due_at = case when d.claim_id = a.claim
                        then now() + coalesce(a.retry_in, 0) * interval '1 second'
                        else d.due_at end,
          claim_id = nullif(d.claim_id, a.claim),
          claimed_by = case when d.claim_id is distinct from a.claim then d.claimed_by end,
          claimed_until = case when d.claim_id is distinct from a.claim then d.claimed_until end
      from attempt a
      where d.id = a.delivery and d.id = any (array(select delivery from attempt))
      returning d.subscription_id, a.outcome, a.is_test
    ), health as (
      select subscription_id as id,
             bool_or(outcome = 'succeeded') as is_healthy,
             bool_or(outcome = 'gone') as is_gone,
             bool_or(outcome <> 'succeeded' and not is_test) as is_failing
      from settled group by subscription_id
    ), changed as (
      -- Over the row as it is once it is locked: its owner may have changed it meanwhile.
      update webhooks.subscriptions s
      set failing_since = case when h.is_healthy then null
                               when h.is_failing then coalesce(s.failing_since, now())
                               else s.failing_since end,
          is_enabled = s.is_enabled and (${reason}) is null,
          disabled_reason = case when s.is_enabled then ${reason} else s.disabled_reason end,
          disabled_at = case when s.is_enabled and (${reason}) is not null then now()
                             else s.disabled_at end
      from health h
      where s.id = h.id and (
        (h.is_healthy and s.failing_since is not null)
        or (h.is_failing and not h.is_healthy and s.failing_since is null)
        or (s.is_enabled and (${reason}) is not null))
      returning s.id, s.disabled_reason, s.disabled_at
    )
    select id, disabled_reason from changed where disabled_at = now()`.execute(db);
  return rows;
}

/**
 * Gives back what dispatchers claimed that are dead or cut off, and the claims `lost`; answers how
 * many deliveries.
 */
export async function releaseAbandoned(session: Db, lost: string[]): Promise<number> {
  const { rows } = await sql`
    update webhooks.deliveries
    set claim_id = null, claimed_by = null, claimed_until = null
    where claim_id is not null
      and (claimed_until < now() or claim_id = any(${lost}::uuid[]) or claimed_by <> all (array(
        select l.objid::int from pg_locks l
        where l.locktype = 'advisory' and l.classid = ${LOCK_CLASS}::int::oid and l.objsubid = 2
          and l.database = (select oid from pg_database where datname = current_database()))))
    returning id`.execute(session);
  return rows.length;
}

/** Gives back what this dispatcher claimed and will not attempt any more. */
export async function releaseOwn(db: Db, dispatcher: number): Promise<void> {
  await sql`
    update webhooks.deliveries
    set claim_id = null, claimed_by = null, claimed_until = null
    where claimed_by = ${dispatcher} and claim_id is not null`.execute(db);
}

/** Seconds that the oldest delivery which is due has waited; 0 where none is. */
export async function findLag(db: Db): Promise<number> {
  const { rows } = await sql<{ lag: number }>`
    select coalesce(extract(epoch from now() - min(d.due_at)), 0)::float8 as lag
    from webhooks.subscriptions s, lateral (
      select d.due_at from webhooks.deliveries d
      where d.subscription_id = s.id and d.state = 'pending' and d.claim_id is null
        and d.due_at <= now()
      order by d.due_at limit 1
    ) d
    where s.is_enabled`.execute(db);
  return rows[0]?.lag ?? 0;
}

/**
 * Deletes up to `limit` deliveries, and as many events that nobody waits for. Ids rise with time, so
 * the oldest are found without an index on it.
 */
export async function deleteOld(db: Db, days: number, limit: number): Promise<number> {
  const isOld = sql`created_at < now() - ${days}::int * interval '1 day'`;
  const { rows } = await sql<{ deleted: number }>`
    with oldest as (
      select id, created_at, claim_id from webhooks.deliveries order by id limit ${limit}
    ), deliveries as (
      delete from webhooks.deliveries d using oldest o
      where d.id = o.id and o.${isOld} and o.claim_id is null
      returning d.id
    ), events as (
      delete from webhooks.events e where e.id in (
        select e.id from webhooks.events e
        where e.${isOld} and not exists (select from webhooks.deliveries d where d.event_id = e.id)
        order by e.created_at limit ${limit})
      returning e.id
    )
    select greatest((select count(*) from deliveries), (select count(*) from events))::int
      as deleted`.execute(db);
  return rows[0]?.deleted ?? 0;
}
