import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import type { TicketPurchase, TicketType } from './tickets.schemas.ts';

/** A local time of `timezone` as RFC 3339 has it: with the offset of that moment. */
const zoned = (local: RawBuilder<unknown>, timezone: string) => sql`(
  select to_char(l, 'YYYY-MM-DD"T"HH24:MI:SS') || case when d < interval '0' then '-' else '+' end
         || to_char(greatest(d, -d), 'HH24:MI')
  from (select l, l - (l at time zone ${timezone} at time zone 'UTC') as d
        from (select ${local} as l) as local) as zoned)`;

/** A ticket with all that is shown of it. */
export interface TicketRow {
  id: string;
  type: TicketType;
  /** YYYY-MM-DD. */
  date: string;
  confirmation_code: string;
  event_id: string | null;
  event_name: string | null;
  event_location: string | null;
  event_description: string | null;
  is_cancelled: boolean;
  /** The event, cancelled or not, is held on the date; so is general admission. */
  is_held: boolean;
  /** HH:mm of that date, null where the museum is closed. */
  time_open: string | null;
  time_close: string | null;
  /** RFC 3339 with the museum's offset: when the date begins, the doors open, the date is over. */
  starts_at: string;
  opens_at: string | null;
  ends_at: string;
  created_at: Date;
  /** When anything of the above last changed. */
  changed_at: Date;
}

export async function findTickets(
  db: Db,
  ids: readonly string[],
  timezone: string,
): Promise<TicketRow[]> {
  const { rows } = await sql<TicketRow>`
    select t.id, t.type, to_char(t.date, 'YYYY-MM-DD') as date, t.confirmation_code,
           t.event_id, e.name as event_name, e.location as event_location,
           e.description as event_description,
           e.cancelled_at is not null as is_cancelled,
           e.id is null or t.date = any(e.dates) as is_held,
           left(h.time_open::text, 5) as time_open, left(h.time_close::text, 5) as time_close,
           ${zoned(sql`t.date::timestamp`, timezone)} as starts_at,
           ${zoned(sql`t.date + h.time_open`, timezone)} as opens_at,
           ${zoned(sql`(t.date + 1)::timestamp`, timezone)} as ends_at,
           t.created_at, greatest(t.created_at, e.updated_at, w.changed_at) as changed_at
    from museum.tickets t
      join museum.weekly_hours w on w.weekday = extract(isodow from t.date)
      left join museum.hours_exceptions x on x.date = t.date
      cross join lateral (
        select case when x.date is null then w.time_open else x.time_open end as time_open,
               case when x.date is null then w.time_close else x.time_close end as time_close
      ) h
      left join museum.events e on e.id = t.event_id
    where t.id = any(${ids})`.execute(db);
  return rows;
}

export interface ListedTicket {
  ticketId: string;
  ticketDate: string;
  ticketType: TicketType;
  eventId: string | null;
}

/** All tickets, newest first. */
export async function listTickets(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<ListedTicket[]> {
  const { rows } = await sql<ListedTicket>`
    select id as "ticketId", to_char(date, 'YYYY-MM-DD') as "ticketDate", type as "ticketType",
           event_id as "eventId"
    from museum.tickets
    order by id desc
    limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

export interface BoughtTicket {
  id: string;
  date: string;
  event_id: string | null;
  event_name: string | null;
}

/** What became of an attempt to buy a ticket; `dates` are those on which the event is held. */
export type PurchaseOutcome =
  | { ticket: BoughtTicket }
  | { refused: 'no-event'; eventId: string }
  | { refused: 'not-held'; dates: string[] }
  | { refused: 'code-taken' };

/**
 * Inserts a ticket, in one statement. No lock is taken on the event: one that is cancelled at the
 * same moment voids the ticket, in whichever order the two commit.
 */
export async function insertTicket(
  db: Db | Tx,
  purchase: TicketPurchase,
  confirmationCode: string,
): Promise<PurchaseOutcome> {
  const { ticketType, ticketDate, email, phone } = purchase;
  const eventId = purchase.ticketType === 'event' ? purchase.eventId : null;
  const { rows } = await sql<
    { is_known: boolean; dates: string[] | null } & Record<keyof BoughtTicket, string | null>
  >`
    with event as (
      select e.id, e.name, e.dates from museum.events e
      where e.id = ${eventId} and e.cancelled_at is null
    ), ticket as (
      insert into museum.tickets (id, type, date, event_id, confirmation_code, email, phone)
      select ${newId()}, ${ticketType}, ${ticketDate}::date, ${eventId}::uuid,
             ${confirmationCode}, ${email ?? null}, ${phone ?? null}
      where ${eventId}::uuid is null
         or exists (select from event where ${ticketDate}::date = any(event.dates))
      on conflict (confirmation_code) do nothing
      returning id, date, event_id
    )
    select t.id, to_char(t.date, 'YYYY-MM-DD') as date, t.event_id, event.name as event_name,
           ${eventId}::uuid is null or event.id is not null as is_known,
           case when not ${ticketDate}::date = any(event.dates) then to_json(event.dates) end as dates
    from (select) as one left join event on true left join ticket t on true`.execute(db);
  const [row] = rows;
  if (eventId !== null && !row?.is_known) return { refused: 'no-event', eventId };
  if (row?.dates) return { refused: 'not-held', dates: row.dates };
  if (!row?.id || !row.date) return { refused: 'code-taken' };
  const { id, date, event_id, event_name } = row;
  return { ticket: { id, date, event_id, event_name } };
}
