create schema petstore;

-- Ids that the server gives. 1 to 10 are those of the published examples.
create sequence petstore.pets_id as bigint start 11 maxvalue 9007199254740991;
create sequence petstore.orders_id as bigint start 11 maxvalue 9007199254740991;
create sequence petstore.users_id as bigint start 11 maxvalue 9007199254740991;

-- The next id that no row of the table has: clients may give ids too. One that a client gives at the
-- same time is not seen here; then the insert meets it, and is tried again.
create function petstore.next_id(table_name text) returns bigint language plpgsql as $$
declare
  candidate bigint;
  is_taken boolean;
begin
  loop
    candidate := nextval(format('petstore.%I', table_name || '_id'));
    execute format('select exists (select from petstore.%I where id = $1)', table_name)
      into is_taken using candidate;
    exit when not is_taken;
  end loop;
  return candidate;
end
$$;

create table petstore.pets (
  id bigint primary key check (id between -9007199254740991 and 9007199254740991),
  name text not null,
  category jsonb,
  -- Images of ours stand here as paths below the base path, so that they lead home after a move.
  photo_urls text[] not null,
  tags jsonb,
  tag_names jsonb generated always as (jsonb_path_query_array(tags, '$[*].name')) stored,
  status text check (status in ('available', 'pending', 'sold')),
  created_at timestamptz not null default now()
);
create index on petstore.pets (status, id);
create index on petstore.pets using gin (tag_names);

create table petstore.images (
  id uuid primary key,
  pet_id bigint not null references petstore.pets on delete cascade,
  -- What the bytes are, not what the client called them.
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/gif', 'image/webp')),
  bytes bytea not null,
  sha256 bytea not null,
  metadata text,
  created_at timestamptz not null default now()
);
-- Not compressed (images are already), so that a part can be read without the whole.
alter table petstore.images alter column bytes set storage external;
create index on petstore.images (pet_id);

-- An image lives as long as its pet's photo_urls have its path. A trigger sees what was committed
-- while the update waited for the row; the update's own statement would not.
create function petstore.delete_unlisted_images() returns trigger language plpgsql as $$
begin
  delete from petstore.images i
  where i.pet_id = new.id
    and format('pets/%s/images/%s', i.pet_id, i.id) <> all (new.photo_urls);
  return null;
end
$$;
create trigger delete_unlisted_images after update of photo_urls on petstore.pets
  for each row when (old.photo_urls is distinct from new.photo_urls)
  execute function petstore.delete_unlisted_images();

create table petstore.orders (
  id bigint primary key check (id between -9007199254740991 and 9007199254740991),
  -- No foreign key: what was ordered stays on record when the pet goes.
  pet_id bigint not null,
  quantity integer not null check (quantity > 0),
  ship_date timestamptz,
  status text not null check (status in ('placed', 'approved', 'delivered')),
  complete boolean not null,
  created_at timestamptz not null default now()
);
-- For the inventory.
create index on petstore.orders (status) include (quantity);

create table petstore.users (
  id bigint primary key check (id between -9007199254740991 and 9007199254740991),
  username text not null,
  -- What usernames are compared by: without case, in Unicode's compatibility form.
  username_key text not null unique,
  first_name text,
  last_name text,
  email text,
  phone text,
  user_status integer,
  -- scrypt; null where no password was given: nobody can log in.
  password_hash text,
  is_demo boolean not null default false,
  created_at timestamptz not null default now()
);

create table petstore.sessions (
  -- SHA-256 of a random token of 256 bits.
  token_hash bytea primary key,
  user_id bigint not null references petstore.users on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index on petstore.sessions (user_id);
create index on petstore.sessions (expires_at);
