import { sql } from 'kysely';
import type { Db } from '../database/database.ts';

/** Major version of the PostgreSQL that answers. */
export async function findMajorVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: string }>`
    select current_setting('server_version_num') as version`.execute(db);
  return Math.floor(Number(rows[0]?.version) / 10_000);
}

/** Throws unless the database answers. */
export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}
