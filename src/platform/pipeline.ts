import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import { NamingClient } from './clients.ts';
import type { Db, Tables } from './database.ts';

/** Connections that all reads share; two keep one slow read from holding up every other. */
const CONNECTIONS = 2;

/**
 * Autocommit reads over shared connections in pipeline mode: a statement is sent without waiting
 * for the answers before it, so many share one round trip. A transaction would mix with the others'
 * statements; it is refused.
 */
export function openPipeline(
  config: pg.ClientConfig,
  log: Logger,
): { db: Db; close(): Promise<void> } {
  const clients: (Promise<NamingClient> | undefined)[] = Array(CONNECTIONS).fill(undefined);
  let turn = 0;

  async function connect(slot: number): Promise<NamingClient> {
    const client = new NamingClient({ ...config, pipeline: true } as pg.ClientConfig);
    client.on('error', (error) => {
      log.warn({ err: error }, 'database connection lost');
      clients[slot] = undefined;
    });
    client.once('end', () => {
      clients[slot] = undefined;
    });
    await client.connect();
    return client;
  }

  async function client(): Promise<NamingClient> {
    const slot = turn++ % CONNECTIONS;
    clients[slot] ??= connect(slot);
    try {
      return await clients[slot];
    } catch (error) {
      clients[slot] = undefined;
      throw error;
    }
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
    throw new Error('The read pipeline has no transactions; use the pool.');
  };

  return {
    db,
    async close() {
      await Promise.all(clients.map(async (open) => (await open?.catch(() => undefined))?.end()));
    },
  };
}
