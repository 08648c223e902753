create schema museum;

create table museum.staff (
  -- In NFC and lower case, so that a name has one spelling.
  name text primary key,
  password_hash text not null,
  is_demo boolean not null default false,
  created_at timestamptz not null default now()
);

-- One row a weekday, 1 is Monday; without times the museum is closed.
create table museum.weekly_hours (
  weekday smallint primary key check (weekday between 1 and 7),
  time_open time,
  time_close time,
  -- When the hours of this weekday, or an exception on one of its dates, last changed.
  changed_at timestamptz not null default now(),
  check ((time_open is null) = (time_close is null)),
  check (time_open < time_close)
);
insert into museum.weekly_hours (weekday, time_open, time_close) values
  (1, '09:00', '18:00'), (2, '09:00', '18:00'), (3, '09:00', '18:00'), (4, '09:00', '18:00'),
  (5, '10:00', '16:00'), (6, null, null), (7, null, null);

-- What is true on that date instead of its weekday's hours.
create table museum.hours_exceptions (
  date date primary key check (date between '0001-01-01' and '9999-12-31'),
  time_open time,
  time_close time,
  reason text,
  check ((time_open is null) = (time_close is null)),
  check (time_open < time_close)
);

create table museum.events (
  id uuid primary key,
  name text not null,
  location text not null,
  description text not null,
  -- Ascending, each once.
  dates date[] not null check (cardinality(dates) between 1 and 366),
  first_date date not null generated always as (dates[1]) stored,
  last_date date not null generated always as (dates[cardinality(dates)]) stored,
  price_cents integer not null check (price_cents >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A cancelled event is gone for everybody but those who have a ticket for it.
  cancelled_at timestamptz
);
create index on museum.events (first_date, id) where cancelled_at is null;

create table museum.tickets (
  id uuid primary key,
  type text not null check (type in ('event', 'general')),
  date date not null,
  event_id uuid references museum.events check ((event_id is not null) = (type = 'event')),
  confirmation_code text not null unique,
  email text,
  phone text,
  created_at timestamptz not null default now()
);
