import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import { NamingClient } from './clients.ts';
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
  const clients: (Promise<NamingClient> | undefined)[] = Array(connections).fill(undefined);
  let turn = 0;

  /** Opens a connection for `slot`, which it leaves when it is lost; others may be there by then. */
  function connect(slot: number): Promise<NamingClient> {
    const client = new NamingClient({ ...config, pipeline: true } as pg.ClientConfig);
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

  function client(): Promise<NamingClient> {
    const slot = turn++ % connections;
    return (clients[slot] ??= connect(slot));
  }

  const db: Db = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        async connect() {
          const shared = await client();
          return {
            query: (text: string, values: unknown[]) => shared.query(text, values),
            release() {},
          } as unknown as pg.PoolClient;
        },
        async end() {},
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
