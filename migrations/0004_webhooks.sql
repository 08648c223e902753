create schema webhooks;

create table webhooks.subscriptions (
  id uuid primary key,
  event_type text not null,
  -- Whose events arrive here: the subject of an access token, or a museum's staff.
  owner text not null,
  -- Everybody's events: for clients that the operator registered for it.
  receives_all boolean not null default false,
  url text not null,
  description text,
  headers jsonb not null default '{}',
  is_enabled boolean not null default true,
  created_at timestamptz not null default now()
);
create index on webhooks.subscriptions (event_type, owner);
create index on webhooks.subscriptions (event_type) where receives_all;

-- Written in the transaction of the change that caused it: committed together or not at all.
create table webhooks.events (
  id uuid primary key,
  type text not null,
  owner text not null,
  payload jsonb not null,
  created_at timestamptz not null default now()
);
create index on webhooks.events (created_at);

create table webhooks.deliveries (
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null references webhooks.events on delete cascade,
  subscription_id uuid not null references webhooks.subscriptions on delete cascade,
  state text not null default 'pending' check (state in ('pending', 'succeeded', 'failed')),
  due_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index on webhooks.deliveries (due_at) where state = 'pending';
create index on webhooks.deliveries (subscription_id, id desc);
create index on webhooks.deliveries (event_id);
