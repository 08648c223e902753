import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import { SharedClient } from './clients.ts';
import type { Db, Tables } from './database.ts';

/**
 * Single statements over a few shared connections in pipeline mode: one is sent without waiting for
 * the answers before it, so many share a round trip, and each commits by itself. A transaction
 * would mix with the others' statements; it is refused.
 */
export function openPipeline(
  config: pg.ClientConfig,
  connections: number,
  log: Logger,
): { db: Db; close(): Promise<void> } {
  const clients: (Promise<SharedClient> | undefined)[] = Array(connections).fill(undefined);
  let turn = 0;

  /** Opens a connection for `slot`, which it leaves when it is lost; others may be there by then. */
  function connect(slot: number): Promise<SharedClient> {
    const client = new SharedClient({ ...config, pipeline: true } as pg.ClientConfig);
    const opened = client.connect().then(() => client);
    const leave = () => {
      if (clients[slot] === opened) clients[slot] = undefined;
    };
    client.on('error', (error) => {
      log.warn({ err: error }, 'database connection lost');
      leave();
    });
    client.once('end', leave);
    opened.catch(leave);
    return opened;
  }

  function client(): Promise<SharedClient> {
    const slot = turn++ % connections;
    return (clients[slot] ??= connect(slot));
  }

  const db: Db = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        connect: client,
        end: async () => undefined,
      } as unknown as pg.Pool,
    }),
  });
  db.transaction = () => {
    throw new Error('A pipeline has no transactions; use the pool.');
  };

  return {
    db,
    async close() {
      await Promise.all(clients.map(async (open) => (await open?.catch(() => undefined))?.end()));
    },
  };
}
