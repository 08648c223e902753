import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { BookingStatus } from '../tables.ts';

export interface TicketStation {
  name: string;
  address: string;
  timezone: string;
  latitude: number;
  longitude: number;
}

export interface TicketRow {
  id: string;
  subject: string;
  passenger_name: string;
  has_bicycle: boolean;
  has_dog: boolean;
  status: BookingStatus;
  price_cents: number;
  currency: string;
  operator: string;
  departure_time: Date;
  arrival_time: Date;
  origin: TicketStation;
  destination: TicketStation;
  /** When it was paid; until then, when it was made. */
  paid_at: Date;
}

const station = (alias: string) => {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql`jsonb_build_object(
    'name', ${column('name')}, 'address', ${column('address')}, 'timezone', ${column('timezone')},
    'latitude', ${column('latitude')}, 'longitude', ${column('longitude')})`;
};

/** A booking with all that its ticket shows. A hold past its time is expired, swept up or not. */
export async function findTicket(db: Db, bookingId: string): Promise<TicketRow | undefined> {
  const { rows } = await sql<TicketRow>`
    select b.id, b.subject, b.passenger_name, b.has_bicycle, b.has_dog,
           case when b.status = 'held' and b.expires_at <= now() then 'expired'
                else b.status end as status,
           b.price_cents, b.currency, t.operator, t.departure_time, t.arrival_time,
           ${station('o')} as origin, ${station('d')} as destination, 
           coalesce(p.created_at, b.created_at) as paid_at
    from train.bookings b
    join train.trips t on t.id = b.trip_id
    join train.stations o on o.id = t.origin_id
    join train.stations d on d.id = t.destination_id
    left join train.payments p on p.booking_id = b.id and p.status = 'succeeded'
    where b.id = ${bookingId}`.execute(db);
  return rows[0];
}
