import { sql } from 'kysely';
import type { Db, Tx } from '../platform/database/database.ts';

const SESSION_SECONDS = 3600;

/** Whose session a token belongs to. */
export interface Session {
  tokenHash: Buffer;
  userId: number;
  usernameKey: string;
}

/**
 * Begins a session of the user, if the user still is there and has the password that was checked;
 * answers its end. The lock holds off whoever is about to delete the user or change the password.
 */
export async function insertSession(
  db: Db,
  { userId, passwordHash, tokenHash }: { userId: number; passwordHash: string; tokenHash: Buffer },
): Promise<Date | undefined> {
  const { rows } = await sql<{ expires_at: Date }>`
    with holder as materialized (
      select u.id from petstore.users u
      where u.id = ${userId} and u.password_hash = ${passwordHash}
      for share
    )
    insert into petstore.sessions (token_hash, user_id, expires_at)
    select ${tokenHash}, holder.id,
           date_trunc('seconds', now()) + ${SESSION_SECONDS} * interval '1 second'
    from holder
    returning expires_at`.execute(db);
  return rows[0]?.expires_at;
}

/** The session, while it lasts. Those of demonstration users do not exist unless `withDemo`. */
export async function findSession(
  db: Db,
  tokenHash: Buffer,
  withDemo: boolean,
): Promise<Session | undefined> {
  const { rows } = await sql<{ user_id: number; username_key: string }>`
    select s.user_id, u.username_key
    from petstore.sessions s join petstore.users u on u.id = s.user_id
    where s.token_hash = ${tokenHash} and s.expires_at > now()
      and (${withDemo}::boolean or not u.is_demo)`.execute(db);
  const [row] = rows;
  return row && { tokenHash, userId: row.user_id, usernameKey: row.username_key };
}

export async function deleteSession(db: Db, tokenHash: Buffer): Promise<void> {
  await sql`delete from petstore.sessions where token_hash = ${tokenHash}`.execute(db);
}

/** Ends the user's sessions but this one; the user is locked, so no other begins meanwhile. */
export async function deleteOtherSessions(tx: Tx, { userId, tokenHash }: Session): Promise<void> {
  await sql`
    delete from petstore.sessions
    where user_id = ${userId} and token_hash <> ${tokenHash}`.execute(tx);
}

/** Deletes sessions that have ended, a thousand at a time; answers how many. */
export async function deleteEndedSessions(db: Db): Promise<number> {
  const { rows } = await sql`
    delete from petstore.sessions where token_hash in (
      select token_hash from petstore.sessions where expires_at <= now() limit 1000)
    returning 1`.execute(db);
  return rows.length;
}
