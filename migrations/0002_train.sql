create schema train;

create table train.stations (
  id uuid primary key,
  name text not null,
  address text not null,
  country_code char(2) not null,
  timezone text not null,
  latitude double precision not null,
  longitude double precision not null,
  -- Name and address in lower case without accents: what a search is compared with.
  search_name text not null,
  search_text text not null,
  -- Trains a week: of two stations that a search fits equally, the busier comes first.
  departures integer not null default 0
);

-- The days whose trips have been made from the services.
create table train.timetable_days (day date primary key);

-- A train that runs again and again between two stations. Dated trips are made from it.
create table train.services (
  id uuid primary key,
  operator text not null,
  origin_id uuid not null references train.stations,
  destination_id uuid not null references train.stations,
  -- On the origin's clock, also across daylight-saving changes.
  departs time not null,
  duration interval not null check (duration > interval '0'),
  -- ISO weekdays of the local date at the origin: 1 is Monday.
  weekdays smallint[] not null,
  price_cents integer not null check (price_cents > 0),
  currency char(3) not null default 'eur',
  capacity integer not null check (capacity > 0),
  bicycles_allowed boolean not null,
  dogs_allowed boolean not null,
  -- False once the catalogue no longer has it: no new trips.
  is_running boolean not null default true
);

create table train.trips (
  id uuid primary key,
  service_id uuid references train.services,
  -- The calendar date of departure on the origin's clock.
  service_date date not null,
  origin_id uuid not null references train.stations,
  destination_id uuid not null references train.stations,
  departure_time timestamptz not null,
  arrival_time timestamptz not null check (arrival_time > departure_time),
  operator text not null,
  price_cents integer not null check (price_cents > 0),
  currency char(3) not null,
  bicycles_allowed boolean not null,
  dogs_allowed boolean not null,
  capacity integer not null check (capacity > 0),
  -- capacity less the bookings that are held or confirmed. Holds that have expired and are not
  -- swept up yet count as taken here; readers add them.
  seats_left integer not null check (seats_left >= 0 and seats_left <= capacity),
  -- The published examples of 2024 can be booked although they have left.
  is_bookable_after_departure boolean not null default false,
  unique (service_id, service_date)
)
-- Room on each page for the seat counts that change: such updates touch no index.
with (fillfactor = 80);
create index on train.trips (origin_id, destination_id, departure_time);

create table train.bookings (
  id uuid primary key,
  trip_id uuid not null references train.trips,
  -- `sub` of the token that it was made with.
  subject text not null,
  passenger_name text not null,
  has_bicycle boolean not null,
  has_dog boolean not null,
  -- 'held' past expires_at is expired for every reader; the sweeper only writes it down.
  status text not null check (status in ('held', 'confirmed', 'expired')),
  expires_at timestamptz not null,
  price_cents integer not null,
  currency char(3) not null,
  created_at timestamptz not null default now()
)
with (fillfactor = 90);
create index on train.bookings (subject, id desc);
-- Holds only: what a trip gets back when they expire, and what the sweeper looks for.
create index on train.bookings (trip_id, expires_at) where status = 'held';
create index on train.bookings (expires_at) where status = 'held';
-- For the check that no booking is left when an old trip is deleted.
create index on train.bookings (trip_id);

create table train.payments (
  id uuid primary key,
  booking_id uuid not null references train.bookings on delete cascade,
  amount_cents integer not null check (amount_cents > 0),
  currency char(3) not null,
  -- Masked: of a number the last four digits, no verification code, no street.
  source jsonb not null,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  failure_reason text check ((failure_reason is not null) = (status = 'failed')),
  created_at timestamptz not null default now()
);
create index on train.payments (booking_id, id);
create unique index one_succeeded_payment on train.payments (booking_id) where status = 'succeeded';
create index on train.payments (created_at) where status = 'pending';
