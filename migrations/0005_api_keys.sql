-- Keys that programs send instead of a token, for the services that know no other credentials.
create table platform.api_keys (
  id uuid primary key,
  service text not null,
  -- Whose it is, for the operator.
  name text not null,
  key_hash bytea not null unique,
  is_demo boolean not null default false,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
