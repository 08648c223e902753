import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import type { Figure } from './figures.ts';
import { residentMegabytes, startQuartet } from './processes.ts';
import { median, spread } from './statistics.ts';

const STARTS = 5;
const IDLE_SECONDS = 5;

/** Milliseconds from the spawn to the first 200 of /readyz. */
async function startAndStop(env: Record<string, string>): Promise<number> {
  const server = await startQuartet(env);
  await server.stop();
  return server.startMs;
}

async function startsOf(env: Record<string, string>) {
  const times: number[] = [];
  for (let start = 0; start < STARTS; start += 1) times.push(await startAndStop(env));
  return { value: median(times) / 1000, unit: 's', note: spread(times.map((ms) => ms / 1000)) };
}

/** How long Quartet takes until it is ready, and how much memory it holds then. */
export async function benchStart(cluster: Cluster, databaseUrl: string): Promise<Figure[]> {
  const embedded = { DATA_DIR: join(cluster.directory, 'embedded') };
  const postgres = { DATABASE_URL: databaseUrl };
  const first = await startAndStop(embedded);
  const existing = await startsOf(embedded);
  const onPostgres = await startsOf(postgres);
  const idle = await startQuartet(postgres);
  await sleep(IDLE_SECONDS * 1000);
  const resident = residentMegabytes(idle.pid);
  await idle.stop();
  return [
    { name: 'First start, embedded, empty directory', value: first / 1000, unit: 's' },
    { name: 'Start, embedded, existing directory', ...existing, target: { atMost: 2 } },
    { name: 'Start, PostgreSQL, existing database', ...onPostgres, target: { atMost: 1.5 } },
    {
      name: `Resident memory, PostgreSQL, idle ${IDLE_SECONDS} s`,
      value: resident,
      unit: 'MB',
      target: { atMost: 150 },
    },
  ];
}
