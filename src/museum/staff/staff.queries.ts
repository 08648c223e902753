import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';

export interface Credential {
  /** The member's name, in the form of `staffName`. */
  id: string;
  password_hash: string;
}

/** Hashes of those of `names` that exist; `withDemo` false: demo staff does not. */
export async function findCredentials(
  db: Db,
  names: readonly string[],
  withDemo: boolean,
): Promise<Credential[]> {
  const { rows } = await sql<Credential>`
    select name as id, password_hash from museum.staff
    where name = any(${names}) and (${withDemo}::boolean or not is_demo)`.execute(db);
  return rows;
}

/** False where the name is taken. */
export async function insertStaff(
  db: Db,
  { name, passwordHash, isDemo }: { name: string; passwordHash: string; isDemo: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    insert into museum.staff (name, password_hash, is_demo)
    values (${name}, ${passwordHash}, ${isDemo})
    on conflict (name) do nothing returning 1`.execute(db);
  return rows.length === 1;
}

/** Who gets a password of their own is no demo any more. False where nobody has the name. */
export async function setStaffPassword(
  db: Db,
  name: string,
  passwordHash: string,
): Promise<boolean> {
  const { rows } = await sql`
    update museum.staff set password_hash = ${passwordHash}, is_demo = false
    where name = ${name} returning 1`.execute(db);
  return rows.length === 1;
}

/** Who is removed gets no webhooks any more either. False where nobody has the name. */
export async function deleteStaff(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`
    with removed as (
      delete from museum.staff where name = ${name} returning name
    ), unsubscribed as (
      delete from webhooks.subscriptions s using removed
      where s.event_type = 'publishNewEvent' and s.owner = removed.name
    )
    select from removed`.execute(db);
  return rows.length === 1;
}

/** All of them, by name. */
export async function listStaff(
  db: Db,
): Promise<{ name: string; is_demo: boolean; created_at: Date }[]> {
  const { rows } = await sql<{ name: string; is_demo: boolean; created_at: Date }>`
    select name, is_demo, created_at from museum.staff order by name`.execute(db);
  return rows;
}
