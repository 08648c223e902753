create extension if not exists pg_trgm;

create schema platform;

-- UUIDv7 for rows that are made by the thousand in SQL; PostgreSQL has its own from 18 on only.
create function platform.uuid_v7() returns uuid language sql volatile parallel safe as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
        from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
$$;

create table platform.idempotency_keys (
  key_hash bytea primary key,
  fingerprint bytea not null,
  claim_id uuid not null unique,
  claimed_until timestamptz not null,
  -- The stored answer; all three are null while the first request runs.
  status smallint,
  headers jsonb,
  body text,
  created_at timestamptz not null default now()
);
create index on platform.idempotency_keys (created_at);

-- What was seeded, by the hash of its source: a start does nothing where it is there already.
create table platform.seeds (
  name text primary key,
  hash text not null,
  seeded_at timestamptz not null default now()
);
