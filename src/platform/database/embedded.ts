import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import type pg from 'pg';
import type { Logger } from 'pino';
import { EmbeddedError } from './embedded-error.ts';
import { poll } from '../poller.ts';

/** The PostgreSQL that the embedded engine is; its directories open with no other major version. */
const MAJOR = '18';

/**
 * Holds `directory` for this process alone, by something that the kernel drops when the process
 * ends, however it ends: two processes on one directory destroy it.
 */
async function lock(directory: string): Promise<{ release(): Promise<void> }> {
  const taken = new EmbeddedError(
    `Another process is using ${directory}. Stop it, give this one a DATA_DIR of its own, or set DATABASE_URL to share a PostgreSQL.`,
  );
  if (process.platform === 'linux' || process.platform === 'win32') {
    const name = `quartet-${createHash('sha256').update(realpathSync(directory)).digest('hex')}`;
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'EADDRINUSE' ? taken : error),
      );
      server.listen(process.platform === 'linux' ? `\0${name}` : `\\\\.\\pipe\\${name}`, resolve);
    });
    server.unref();
    return {
      release: () => new Promise((resolve) => void server.close(() => resolve())),
    };
  }
  const O_EXLOCK = 0x20; // macOS and the BSDs: open and lock in one step
  const file = await open(
    join(directory, 'quartet.lock'),
    O_EXLOCK | constants.O_NONBLOCK | constants.O_CREAT | constants.O_RDWR,
    0o600,
  ).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EAGAIN' ? taken : error;
  });
  return { release: () => file.close() };
}

/** What PostgreSQL, or we, put at the top of a data directory. */
const OURS = /^(base|global|pg_.*|PG_VERSION|postgresql\..*|postmaster\..*|quartet\.lock)$/;

/** The directory's real path; made where it does not exist, for nobody else to read. */
function makeDirectory(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new EmbeddedError(`DATA_DIR is no directory to write in (${code}): ${dataDir}.`);
  }
  if (!readdirSync(dataDir).every((name) => OURS.test(name)))
    throw new EmbeddedError(`DATA_DIR holds other files already: ${dataDir}. Name an empty one.`);
  chmodSync(dataDir, 0o700); // the keys that sign tokens are in there
  return realpathSync(dataDir);
}

function checkMajorVersion(directory: string): void {
  const file = join(directory, 'PG_VERSION');
  const found = existsSync(file) ? readFileSync(file, 'utf8').trim() : MAJOR;
  if (found === MAJOR) return;
  throw new EmbeddedError(
    `${directory} was written by an embedded PostgreSQL ${found}; this one is ${MAJOR}. Export it with the version of Quartet that wrote it, or move it away to start anew.`,
  );
}

export interface Embedded {
  clientConfig: pg.ClientConfig;
  startMaintenance(pool: pg.Pool): { stop(): Promise<void> };
  close(): Promise<void>;
}

/**
 * Opens the embedded engine on `dataDir` (made, 0700, where it does not exist). It survives a crash
 * of the process, not of the power: it never calls fsync.
 */
export async function openEmbedded(dataDir: string, log: Logger): Promise<Embedded> {
  const inMemory = dataDir.startsWith('memory://');
  const directory = inMemory ? dataDir : makeDirectory(dataDir);
  const held = inMemory ? undefined : await lock(directory);
  try {
    if (!inMemory) checkMajorVersion(directory);
    if (!existsSync(join(directory, 'PG_VERSION'))) {
      log.info('making a new database, which takes some seconds');
      log.flush(); // nothing else is written while the engine is busy
    }
    const pglite = new PGlite({
      dataDir: directory,
      extensions: { pg_trgm },
      postgresqlconf: ['max_wal_size = 64MB', 'shared_buffers = 16MB'],
    });
    await pglite.waitReady;
    return {
      clientConfig: createPgConfig(pglite) as unknown as pg.ClientConfig,
      startMaintenance(pool) {
        // No background processes exist in the engine: nobody else writes checkpoints or vacuums.
        const checkpoint = poll('embedded checkpoint', 60, () => pool.query('checkpoint'), log);
        const vacuum = poll('embedded vacuum', 3600, () => pool.query('vacuum (analyze)'), log);
        return {
          async stop() {
            await Promise.all([checkpoint.stop(), vacuum.stop()]);
          },
        };
      },
      async close() {
        await pglite.close();
        await held?.release();
      },
    };
  } catch (error) {
    await held?.release();
    throw error;
  }
}
