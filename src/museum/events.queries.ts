import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { writeEvent } from '../webhooks/outbox.queries.ts';
import type { EXAMPLE_EVENTS } from './seed/examples.ts';
import type { NewSpecialEvent, SpecialEvent, SpecialEventChange } from './events.schemas.ts';

/** Whose events these are: the museum's, not those of one member of its staff. */
const OWNER = 'museum';

/** Event `e` as the API shows it; dates as text, so that no timezone shifts them. */
const columns = sql`
  e.id as "eventId", e.name, e.location, e.description as "eventDescription",
  to_json(e.dates) as dates, e.price_cents / 100.0::float8 as price`;

/** The same for the webhook. */
const payload = sql`
  json_build_object(
    'eventId', e.id, 'name', e.name, 'location', e.location, 'eventDescription', e.description,
    'dates', to_json(e.dates), 'price', trim_scale(e.price_cents / 100.0))`;

const publish = (from: RawBuilder<unknown>) =>
  writeEvent({ id: newId(), type: 'publishNewEvent', owner: OWNER, payload, from });

const cents = (price: number): number => Math.round(price * 100);
const sorted = (dates: readonly string[]): string[] => dates.toSorted();

/** Those that are not cancelled, by id. */
export async function findEvents(
  db: Db,
  ids: readonly string[],
): Promise<(SpecialEvent & { id: string })[]> {
  const { rows } = await sql<SpecialEvent & { id: string }>`
    select e.id, ${columns} from museum.events e
    where e.id = any(${ids}) and e.cancelled_at is null`.execute(db);
  return rows;
}

/** Events with a date in the range, by first date; a bound that is not given does not bind. */
export async function listEvents(
  db: Db,
  range: {
    startDate: string | undefined;
    endDate: string | undefined;
    limit: number;
    offset: number;
  },
): Promise<SpecialEvent[]> {
  const { startDate = '-infinity', endDate = 'infinity', limit, offset } = range;
  const { rows } = await sql<SpecialEvent>`
    select ${columns} from museum.events e
    where e.cancelled_at is null
      and e.first_date <= ${endDate}::date and e.last_date >= ${startDate}::date
      and exists (select from unnest(e.dates) day where day between ${startDate} and ${endDate})
    order by e.first_date, e.id
    limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/** Inserts the event and publishes it, in one statement. */
export async function insertEvent(db: Db | Tx, event: NewSpecialEvent): Promise<SpecialEvent> {
  const { rows } = await sql<SpecialEvent>`
    with created as (
      insert into museum.events (id, name, location, description, dates, price_cents)
      values (${newId()}, ${event.name}, ${event.location}, ${event.eventDescription},
              ${sorted(event.dates)}, ${cents(event.price)})
      returning *
    ), ${publish(sql`created e`)}
    select ${columns} from created e`.execute(db);
  return rows[0] as SpecialEvent;
}

/** Locks an event that is not cancelled; undefined where there is none. */
export async function lockEvent(tx: Tx, id: string): Promise<SpecialEvent | undefined> {
  const { rows } = await sql<SpecialEvent>`
    select ${columns} from museum.events e
    where e.id = ${id} and e.cancelled_at is null
    for no key update`.execute(tx);
  return rows[0];
}

/**
 * Changes what `change` names, and publishes the event if that makes a difference, in one
 * statement. Answers the event as it is then; undefined: there is none.
 */
export async function updateEvent(
  db: Db | Tx,
  id: string,
  { name, location, eventDescription, dates, price }: SpecialEventChange,
): Promise<SpecialEvent | undefined> {
  const { rows } = await sql<SpecialEvent>`
    with before as materialized (
      select e.id, e.name, e.location, e.description, e.dates, e.price_cents,
             coalesce(${name ?? null}, e.name) as new_name,
             coalesce(${location ?? null}, e.location) as new_location,
             coalesce(${eventDescription ?? null}, e.description) as new_description,
             coalesce(${dates ? sorted(dates) : null}::date[], e.dates) as new_dates,
             coalesce(${price === undefined ? null : cents(price)}, e.price_cents) as new_price_cents
      from museum.events e
      where e.id = ${id} and e.cancelled_at is null
      for no key update
    ), changed as (
      update museum.events e
      set name = b.new_name, location = b.new_location, description = b.new_description,
          dates = b.new_dates, price_cents = b.new_price_cents, updated_at = clock_timestamp()
      from before b
      where e.id = b.id
        and (b.name, b.location, b.description, b.dates, b.price_cents) is distinct from
            (b.new_name, b.new_location, b.new_description, b.new_dates, b.new_price_cents)
      returning e.*
    ), ${publish(sql`changed e`)}
    select ${columns} from changed e
    union all
    select ${columns} from before e where not exists (select from changed)`.execute(db);
  return rows[0];
}

/** Cancels the event; its tickets stay, and are void. False where there is none. */
export async function cancelEvent(db: Db | Tx, id: string): Promise<boolean> {
  const { rows } = await sql`
    update museum.events set cancelled_at = clock_timestamp(), updated_at = clock_timestamp()
    where id = ${id} and cancelled_at is null
    returning 1`.execute(db);
  return rows.length === 1;
}

/** Inserts example events; those that are there already, even cancelled, stay as they are. */
export async function insertExampleEvents(tx: Tx, events: typeof EXAMPLE_EVENTS): Promise<void> {
  for (const event of events)
    await sql`
      insert into museum.events (id, name, location, description, dates, price_cents)
      values (${event.eventId}, ${event.name}, ${event.location}, ${event.eventDescription},
              ${sorted(event.dates)}, ${cents(event.price)})
      on conflict (id) do nothing`.execute(tx);
}
