import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import { ping } from './health.queries.ts';
import { pendingMigrations } from '../database/migrations.ts';
import { unavailable } from '../problems/problems.ts';

export interface Readiness {
  /** From now on not ready: the process stops, and wants no new requests. */
  stopping(): void;
  /** Also not ready while `isWorking` is false; `fault` says what then does not work. */
  require(isWorking: () => boolean, fault: string): void;
}

/** /livez: the process answers. /readyz: it can serve; database, migrations and workers work. */
export function serveHealth(app: FastifyInstance, { db }: Database): Readiness {
  let stopping = false;
  let migrated = false;
  const required: { isWorking: () => boolean; fault: string }[] = [];
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async () => {
    if (stopping) throw unavailable('The process is stopping.');
    if (!migrated) {
      const pending = await pendingMigrations(db);
      if (pending.length > 0) throw unavailable(`Migrations are missing: ${pending.join(', ')}.`);
      migrated = true;
    } else await ping(db);
    for (const { isWorking, fault } of required) if (!isWorking()) throw unavailable(fault);
    return { status: 'ok' };
  });
  return {
    stopping: () => void (stopping = true),
    require: (isWorking, fault) => void required.push({ isWorking, fault }),
  };
}
