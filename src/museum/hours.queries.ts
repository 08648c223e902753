import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { MuseumDailyHours } from './hours.schemas.ts';

export interface OpenDays {
  /** YYYY-MM-DD; without it today on the clock of `timezone`. */
  startDate: string | undefined;
  timezone: string;
  limit: number;
  offset: number;
}

/**
 * The dates from `startDate` on when the museum is open, exceptions included, up to the year 9999.
 *
 * A page far ahead costs what the first one does: whole weeks are skipped by arithmetic (`jump`),
 * and only as many days are looked at as can hold the rest. An exception shifts the count by one,
 * so the jump stops short by those that add a day, and the look goes on past all of them.
 */
export async function listOpenDays(
  db: Db,
  { startDate, timezone, limit, offset }: OpenDays,
): Promise<MuseumDailyHours[]> {
  const { rows } = await sql<MuseumDailyHours>`
    with start as (
      select coalesce(${startDate ?? null}::date, (now() at time zone ${timezone})::date) as day
    ), exceptions as (
      select x.date, x.time_open, x.time_close, w.time_open is not null as is_open_weekday
      from start, museum.hours_exceptions x
        join museum.weekly_hours w on w.weekday = extract(isodow from x.date)
      where x.date >= start.day
    ), ahead as (
      select count(*) filter (where time_open is not null and not is_open_weekday) as added,
             count(*) filter (where time_open is null and is_open_weekday) as taken,
             (select count(time_open) from museum.weekly_hours) as weekly
      from exceptions
    ), jump as materialized (
      select weeks, start.day + least(7 * weeks, date '10000-01-01' - start.day)::int as day,
             case when weekly = 0 then 0
                  else 7 * ((added + taken + weekly + ${limit}::bigint) / weekly + 2) end as look
      from start, ahead,
        lateral (select coalesce(greatest(0, ${offset}::bigint - added) / nullif(weekly, 0), 0)) w (weeks)
    ), skipped as (
      select jump.weeks * ahead.weekly
             + (select count(*) filter (where time_open is not null and not is_open_weekday)
                       - count(*) filter (where time_open is null and is_open_weekday)
                from exceptions where date < jump.day) as days
      from jump, ahead
    ), open as (
      select jump.day + n::int as date, w.time_open, w.time_close
      from jump, generate_series(0, jump.look - 1) n, museum.weekly_hours w
      where w.weekday = extract(isodow from jump.day + n::int) and w.time_open is not null
        and not exists (select from exceptions x where x.date = jump.day + n::int)
      union all
      select x.date, x.time_open, x.time_close
      from exceptions x, jump
      where x.date >= jump.day and x.time_open is not null
    )
    select to_char(date, 'YYYY-MM-DD') as date, left(time_open::text, 5) as "timeOpen",
           left(time_close::text, 5) as "timeClose"
    from open
    where date <= date '9999-12-31'
    order by open.date
    limit ${limit} offset (select ${offset}::bigint - days from skipped)`.execute(db);
  return rows;
}

/** Times as HH:mm; null: closed. */
export type Hours = { open: string; close: string } | null;

/** Sets the hours of a weekday; 1 is Monday. */
export async function setWeeklyHours(db: Db, weekday: number, hours: Hours): Promise<void> {
  await sql`
    update museum.weekly_hours
    set time_open = ${hours?.open ?? null}, time_close = ${hours?.close ?? null}, changed_at = now()
    where weekday = ${weekday}`.execute(db);
}

/** Sets the hours of one date, whatever its weekday's are. */
export async function setException(
  db: Db,
  date: string,
  hours: Hours,
  reason: string | undefined,
): Promise<void> {
  await sql`
    with exception as (
      insert into museum.hours_exceptions (date, time_open, time_close, reason)
      values (${date}, ${hours?.open ?? null}, ${hours?.close ?? null}, ${reason ?? null})
      on conflict (date) do update set time_open = excluded.time_open,
        time_close = excluded.time_close, reason = excluded.reason
      returning date
    )
    update museum.weekly_hours w set changed_at = now()
    from exception where w.weekday = extract(isodow from exception.date)`.execute(db);
}

/** The date has its weekday's hours again; false where it had no others. */
export async function removeException(db: Db, date: string): Promise<boolean> {
  const { rows } = await sql`
    with exception as (
      delete from museum.hours_exceptions where date = ${date} returning date
    )
    update museum.weekly_hours w set changed_at = now()
    from exception where w.weekday = extract(isodow from exception.date)
    returning 1`.execute(db);
  return rows.length === 1;
}

interface ListedHours {
  open: string | null;
  close: string | null;
}

/** The week from Monday on. */
export async function listWeeklyHours(db: Db): Promise<(ListedHours & { weekday: number })[]> {
  const { rows } = await sql<ListedHours & { weekday: number }>`
    select weekday, left(time_open::text, 5) as open, left(time_close::text, 5) as close
    from museum.weekly_hours order by weekday`.execute(db);
  return rows;
}

/** Exceptions from today on, in order. */
export async function listExceptions(
  db: Db,
  timezone: string,
): Promise<(ListedHours & { date: string; reason: string | null })[]> {
  const { rows } = await sql<ListedHours & { date: string; reason: string | null }>`
    select to_char(date, 'YYYY-MM-DD') as date, left(time_open::text, 5) as open,
           left(time_close::text, 5) as close, reason
    from museum.hours_exceptions
    where date >= (now() at time zone ${timezone})::date
    order by hours_exceptions.date`.execute(db);
  return rows;
}

/** Today on the clock of `timezone`, as YYYY-MM-DD. */
export async function findToday(db: Db, timezone: string): Promise<string> {
  const { rows } = await sql<{ today: string }>`
    select to_char(now() at time zone ${timezone}, 'YYYY-MM-DD') as today`.execute(db);
  return rows[0]?.today ?? '';
}
