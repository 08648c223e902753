import { join } from 'node:path';
import { surviveKills } from '../test/webhooks/kills.ts';
import { type Cluster, connected } from './cluster.ts';
import type { Figure } from './figures.ts';
import { startQuartet } from './processes.ts';

const KILLS = 200;

/** What SIGKILL at random moments costs, on both engines; some ten minutes each. */
export async function benchCrash(cluster: Cluster): Promise<Figure[]> {
  await connected(cluster.url('postgres'), (client) => client.query('create database crash'));
  const engines = {
    PostgreSQL: { DATABASE_URL: cluster.url('crash') },
    embedded: { DATA_DIR: join(cluster.directory, 'crash') },
  };
  const figures: Figure[] = [];
  const onKill = (kill: number) => process.stdout.write(`\r${kill} of ${KILLS} kills `);
  for (const [engine, env] of Object.entries(engines)) {
    const server = await startQuartet({ TIMETABLE_DAYS: '3', ...env });
    await server.stop(); // it is migrated and seeded
    const { acknowledged, redelivered, slowest, repetitions, faults } = await surviveKills(
      env,
      KILLS,
      onKill,
    );
    const wrong = Object.entries(faults).map(([name, ids]) => `${name} ${ids.length}`);
    figures.push(
      {
        name: `Lost, made up or doubled by ${KILLS} times kill -9, ${engine}`,
        value: Object.values(faults).flat().length,
        unit: '(must be 0)',
        note: `${acknowledged} bookings; ${wrong.join(', ')}`,
      },
      {
        name: '  slowest redelivery after the restart',
        value: slowest / 1000,
        unit: 's',
        target: { atMost: 5 },
        note: `${redelivered} redelivered, ${repetitions} received again`,
      },
    );
  }
  return figures;
}
