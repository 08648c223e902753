alter table webhooks.subscriptions
  -- 32 bytes, known to us and the subscriber only.
  add column secret bytea not null,
  -- After a rotation: signs too, until its time is over.
  add column previous_secret bytea,
  add column previous_secret_until timestamptz,
  -- Why it gets nothing; null while it is enabled.
  add column disabled_reason text,
  add column disabled_at timestamptz,
  -- The first failed attempt since one succeeded.
  add column failing_since timestamptz,
  add check (is_enabled = (disabled_reason is null)),
  add check (is_enabled = (disabled_at is null));

-- `json` keeps the order of the members: receivers see them as the API shows them.
-- Volatile, so that it counts what was committed while its statement waited for a lock.
create function webhooks.count_subscriptions(event_type text, owner text) returns bigint
language sql volatile as $$
  select count(*) from webhooks.subscriptions s
  where s.event_type = count_subscriptions.event_type and s.owner = count_subscriptions.owner
$$;

alter table webhooks.events alter column payload type json using payload::json;

alter table webhooks.deliveries
  -- Rising, so that the newest are found by the index on (subscription_id, id).
  alter column id set default platform.uuid_v7(),
  add column is_test boolean not null default false,
  -- Attempts since it was (re)started: its place in the schedule of retries.
  add column step smallint not null default 0,
  -- What came of the latest, latest first: [{time, milliseconds, status?, error?, response}].
  add column attempts jsonb not null default '[]',
  -- Who attempts it now, and until when that holds at most; null while nobody does.
  add column claim_id uuid,
  add column claimed_by integer,
  add column claimed_until timestamptz,
  add check ((claim_id is null) = (claimed_by is null)),
  add check ((claim_id is null) = (claimed_until is null)),
  add check (claim_id is null or state = 'pending');

drop index webhooks.deliveries_due_at_idx;
-- What waits, by subscription: the claim visits each subscription that has some, and takes its oldest.
create index deliveries_waiting on webhooks.deliveries (subscription_id, due_at)
  where state = 'pending' and claim_id is null;
create index deliveries_claimed on webhooks.deliveries (claimed_by) where claim_id is not null;
create index on webhooks.deliveries (subscription_id, id desc) where state = 'failed';

-- Numbers of the processes that deliver: each holds an advisory lock on its own while it lives.
create sequence webhooks.dispatchers as integer cycle;

-- Rows live through two updates within milliseconds; what they leave must not pile up.
alter table webhooks.deliveries set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
