create schema oauth;

-- A key signs from signs_from on, published before that so that everybody has fetched it, and
-- verifies until verifies_until (null: no end set). Revoking sets verifies_until to now().
create table oauth.signing_keys (
  -- RFC 7638 thumbprint.
  kid text primary key,
  public_jwk jsonb not null,
  private_jwk jsonb not null,
  created_at timestamptz not null default now(),
  signs_from timestamptz not null default now(),
  verifies_until timestamptz
);

create table oauth.clients (
  -- Never a UUID: `sub` of a client's own token cannot be that of an account.
  client_id text primary key
    check (client_id ~ '^[A-Za-z0-9._~-]{1,100}$'
           and client_id !~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'),
  name text not null,
  -- SHA-256 of a generated secret of 256 bits; null for a public client.
  secret_hash bytea check (length(secret_hash) = 32),
  -- One that begins with a slash is a page of our own, under PUBLIC_URL.
  redirect_uris text[] not null default '{}',
  grant_types text[] not null,
  scopes text[] not null,
  -- Ours: its users are not asked for consent.
  is_first_party boolean not null default false,
  -- Exists outside production only.
  is_demo boolean not null default false,
  created_at timestamptz not null default now()
);

create table oauth.accounts (
  id uuid primary key,
  email text not null,
  -- scrypt; see docs/adr.
  password_hash text not null,
  is_demo boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index on oauth.accounts (lower(email));

-- What a user let a client do; asked once, until revoked.
create table oauth.consents (
  account_id uuid not null references oauth.accounts on delete cascade,
  client_id text not null references oauth.clients on delete cascade,
  scopes text[] not null,
  granted_at timestamptz not null default now(),
  primary key (account_id, client_id)
);

-- What the authorization server remembers: sessions, interactions, grants, codes, tokens.
create table oauth.artifacts (
  kind text not null,
  -- SHA-256 of the identifier, which is the secret itself: a leaked table holds no usable token.
  id_hash bytea not null,
  payload jsonb not null,
  -- SHA-256 of the identifier of the grant that it comes from; a grant has its own.
  grant_hash bytea,
  uid text,
  user_code_hash bytea,
  -- Set once. A second use is a replay.
  consumed_at timestamptz,
  expires_at timestamptz not null,
  primary key (kind, id_hash)
);
create index on oauth.artifacts (grant_hash) where grant_hash is not null;
create index on oauth.artifacts (uid) where uid is not null;
create index on oauth.artifacts (user_code_hash) where user_code_hash is not null;
create index on oauth.artifacts ((payload ->> 'accountId')) where kind = 'Grant';
create index on oauth.artifacts (expires_at);
