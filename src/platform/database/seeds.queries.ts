import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tx } from './database.ts';

/**
 * Runs `seed` in a transaction unless the same `source` was seeded under `name` before. Processes
 * that start together wait for one another, so it runs once.
 */
export async function seedOnce(
  db: Db,
  name: string,
  source: string,
  seed: (tx: Tx) => Promise<void>,
): Promise<void> {
  const hash = createHash('sha256').update(source).digest('hex');
  const isSeeded = async (executor: Db) =>
    (
      await sql`select 1 from platform.seeds where name = ${name} and hash = ${hash}`.execute(
        executor,
      )
    ).rows.length > 0;
  if (await isSeeded(db)) return;
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`seed ${name}`}, 0))`.execute(tx);
    if (await isSeeded(tx)) return;
    await seed(tx);
    await sql`
      insert into platform.seeds (name, hash) values (${name}, ${hash})
      on conflict (name) do update set hash = excluded.hash, seeded_at = now()`.execute(tx);
  });
}
