import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import pg from 'pg';
import { buildApp, seed } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { createLog } from '../src/platform/operations/log.ts';
import { migrate } from '../src/platform/database/migrations.ts';

/** Room for the databases of a run. */
const ENOUGH_BYTES = 2 ** 31;

function isRoomy(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize > ENOUGH_BYTES;
  } catch {
    return false; // it does not exist
  }
}

/** Where the embedded engine's databases are: in memory if possible, where a copy is ten times faster. */
export const SCRATCH = isRoomy('/dev/shm') ? '/dev/shm' : tmpdir();

/** What a test's application runs with unless it says otherwise. */
export const TEST_ENV = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  RATE_LIMIT_MAX: '0',
  // Nothing is right only because the sweeper ran.
  SWEEP_SECONDS: '0',
  // Enough for every search here, and quick to copy.
  TIMETABLE_DAYS: '3',
};

/** Where a database of the test server is. */
export function serverUrl(database: string): string {
  const url = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  url.pathname = `/${database}`;
  return url.href;
}

/** Runs one statement on the test server, outside of any test's database. */
export async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Fills an empty database with everything that a start makes. */
export async function fillTemplate(env: Record<string, string>): Promise<void> {
  const config = loadConfig({ ...TEST_ENV, ...env });
  const log = createLog('silent');
  const database = await openDatabase(config, log);
  await migrate(database.db);
  const quartet = await buildApp({ config, database, log });
  await seed(quartet);
  await quartet.app.close();
  await quartet.oauth.stop();
  await database.close();
}
