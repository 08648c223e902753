import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Logger } from 'pino';
import { SharedClient } from './clients.ts';
import type { Db, Tables } from './database.ts';

/** One connection of one's own, for what belongs to a connection: advisory locks and LISTEN. */
export interface Session {
  /** Single statements on this connection; they fail while it is lost. */
  db: Db;
  isOpen(): boolean;
  close(): Promise<void>;
}

export interface SessionOptions {
  /** Runs on every new connection, before anything else does. */
  setUp: (db: Db) => Promise<void>;
  /** The same, but only where the connection is not everybody's, as that of the embedded engine is. */
  tune?: (db: Db) => Promise<void>;
  /** The session can be used: soon after it was asked for, and again after each loss. */
  onOpen: () => void;
  /** A NOTIFY for what the connection listens to. */
  onNotification: (payload: string) => void;
}

const RECONNECT_MS = 500;

/** Opens a session on PostgreSQL; one that is lost is opened anew until it is closed. */
export function openPostgresSession(
  config: pg.ClientConfig,
  { setUp, tune, onOpen, onNotification }: SessionOptions,
  log: Logger,
): Session {
  let client: SharedClient | undefined;
  let closed = false;

  const over = (open: () => SharedClient): Db =>
    new Kysely<Tables>({
      dialect: new PostgresDialect({
        pool: {
          options: {},
          connect: async () => open(),
          end: async () => undefined,
        } as unknown as pg.Pool,
      }),
    });

  async function connect(): Promise<void> {
    const fresh = new SharedClient({ ...config, pipeline: true } as pg.ClientConfig);
    fresh.on('notification', ({ payload }) => onNotification(payload ?? ''));
    fresh.on('error', (error) => log.warn({ err: error }, 'database session lost'));
    const lost = new Promise<void>((resolve) => void fresh.once('end', resolve));
    await fresh.connect();
    try {
      await setUp(over(() => fresh));
      await tune?.(over(() => fresh));
    } catch (error) {
      await fresh.end();
      throw error;
    }
    if (closed) return fresh.end(); // meanwhile: nobody would end it any more
    client = fresh;
    onOpen();
    await lost;
  }

  async function keepOpen(): Promise<void> {
    while (!closed) {
      try {
        await connect();
      } catch (error) {
        log.warn({ err: error }, 'no database session');
      }
      client = undefined;
      if (!closed) await sleep(RECONNECT_MS);
    }
  }
  const kept = keepOpen();

  return {
    db: over(() => {
      if (!client) throw new Error('Connection terminated: the session is being opened anew.');
      return client;
    }),
    isOpen: () => client !== undefined,
    async close() {
      closed = true;
      await client?.end();
      await kept;
    },
  };
}
