import type { EventEmitter } from 'node:events';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { NamingClient, YieldingClient } from './clients.ts';
import { openPipeline } from './pipeline.ts';
import { openPostgresSession, type Session, type SessionOptions } from './session.ts';

/** Every table, by its qualified name; each service adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Tables {}

/** The pool or a transaction: for queries that are right in either. */
export type Db = Kysely<Tables>;

/** A transaction: for queries that must not stand alone. Passing the pool does not compile. */
export type Tx = Transaction<Tables>;

export interface Database {
  db: Db;
  /** For single statements that read; they share connections, and have no transactions. */
  reads: Db;
  /** The same for single statements that write, apart so that no lock they wait for delays a read. */
  writes: Db;
  engine: 'postgresql' | 'embedded';
  pool: pg.Pool;
  /** A connection of one's own; the embedded engine has but one, and is that session itself. */
  openSession(options: SessionOptions): Promise<Session>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  DATABASE_URL?: string;
  DATABASE_POOL_SIZE: number;
  DATABASE_TIMEOUT: number;
  DATA_DIR: string;
}

/** One slow read holds up half of the others at most. */
const READ_CONNECTIONS = 2;
/** As many commits share a flush of the log; with more, PostgreSQL's switching costs more than that. */
const WRITE_CONNECTIONS = 6;

const kysely = (pool: pg.Pool): Db =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });

/** An idle connection that breaks must not end the process; the next query gets a new one. */
const logErrors = (emitter: EventEmitter, log: Logger) =>
  emitter.on('error', (error: Error) => log.warn({ err: error }, 'database connection lost'));

/** Opens PostgreSQL where DATABASE_URL names one, else the embedded engine under DATA_DIR. */
export async function openDatabase(options: DatabaseOptions, log: Logger): Promise<Database> {
  if (options.DATABASE_URL === undefined) {
    // Only where it is used: the engine takes memory by being loaded.
    const { openEmbedded } = await import('./embedded.ts');
    const embedded = await openEmbedded(options.DATA_DIR, log);
    const pool = new pg.Pool({
      ...embedded.clientConfig,
      max: 1,
      // Kept for good: a query that comes while an idle connection is being closed never ends.
      idleTimeoutMillis: 0,
      Client: YieldingClient,
    });
    logErrors(pool, log);
    const db = kysely(pool);
    const maintenance = embedded.startMaintenance(pool);
    return {
      db,
      reads: db,
      writes: db,
      engine: 'embedded',
      pool,
      async openSession({ setUp, onOpen }) {
        await setUp(db);
        setImmediate(onOpen);
        return { db, isOpen: () => true, close: async () => undefined };
      },
      async close() {
        await maintenance.stop();
        await db.destroy();
        await embedded.close();
      },
    };
  }
  const clientConfig: pg.ClientConfig = {
    connectionString: options.DATABASE_URL,
    application_name: 'quartet',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    query_timeout: options.DATABASE_TIMEOUT * 1000,
  };
  const pool = new pg.Pool({
    ...clientConfig,
    max: options.DATABASE_POOL_SIZE,
    Client: NamingClient,
  });
  logErrors(pool, log);
  // The pool listens to idle connections only. One that breaks while a query runs fails the query;
  // without a listener it would end the process too.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const reads = openPipeline(clientConfig, READ_CONNECTIONS, log);
  const writes = openPipeline(clientConfig, WRITE_CONNECTIONS, log);
  const db = kysely(pool);
  return {
    db,
    reads: reads.db,
    writes: writes.db,
    engine: 'postgresql',
    pool,
    openSession: async (session) => openPostgresSession(clientConfig, session, log),
    async close() {
      await Promise.all([reads.close(), writes.close()]);
      await db.destroy();
    },
  };
}
