-- The certificate that signs wallet passes where none of Apple's is configured, with its key. All
-- processes share it. The key of the authority that issued it is not kept.
create table platform.pass_certificates (
  id uuid primary key,
  -- PEM, each of them.
  certificate text not null,
  private_key text not null,
  issuer text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
