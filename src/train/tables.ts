import type { Generated } from 'kysely';

/** Rows as PostgreSQL holds them; money in cents, `date` as YYYY-MM-DD text. */
interface StationsTable {
  id: string;
  name: string;
  address: string;
  country_code: string;
  timezone: string;
  latitude: number;
  longitude: number;
  search_name: string;
  search_text: string;
  departures: Generated<number>;
}

export interface TripsTable {
  id: string;
  service_id: string | null;
  service_date: string;
  origin_id: string;
  destination_id: string;
  departure_time: Date;
  arrival_time: Date;
  operator: string;
  price_cents: number;
  currency: string;
  bicycles_allowed: boolean;
  dogs_allowed: boolean;
  capacity: number;
  seats_left: number;
  is_bookable_after_departure: Generated<boolean>;
}

export type BookingStatus = 'held' | 'confirmed' | 'expired';

export interface BookingsTable {
  id: string;
  trip_id: string;
  subject: string;
  passenger_name: string;
  has_bicycle: boolean;
  has_dog: boolean;
  status: BookingStatus;
  expires_at: Date;
  price_cents: number;
  currency: string;
  created_at: Generated<Date>;
}

export interface PaymentsTable {
  id: string;
  booking_id: string;
  amount_cents: number;
  currency: string;
  source: Record<string, unknown>;
  status: 'pending' | 'succeeded' | 'failed';
  failure_reason: string | null;
  created_at: Generated<Date>;
}

declare module '../platform/database/database.ts' {
  interface Tables {
    'train.stations': StationsTable;
    'train.trips': TripsTable;
    'train.bookings': BookingsTable;
    'train.payments': PaymentsTable;
  }
}
