import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { onEnd } from './cleanup.ts';
import { freePort } from './processes.ts';

/** A PostgreSQL of this run's own; it ends with the process. */
export interface Cluster {
  /** A directory that the server's user may read. */
  directory: string;
  port: number;
  pid: number;
  /** Version and settings, for the reader of the figures. */
  about: string;
  url: (database: string) => string;
  /** Runs a program of PostgreSQL as the user that the server runs as. */
  run: (program: string, args: string[]) => SpawnSyncReturns<string>;
}

/**
 * Durable as a real one would be: PostgreSQL's defaults, but no checkpoint of its own in the middle
 * of a turn. Each turn begins with one, so every contender pays for the same full page images. When
 * a transaction was committed is kept, for what is measured from there.
 */
const SETTINGS = ['checkpoint_timeout=1h', 'max_wal_size=8GB', 'track_commit_timestamp=on'];
const SHOWN = ['fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers', 'autovacuum'];

const DEBIAN = '/usr/lib/postgresql';

function programs(): string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const newest = versions
    .sort((a, b) => Number(b) - Number(a))
    .find((version) => existsSync(join(DEBIAN, version, 'bin/pgbench')));
  // Elsewhere initdb and pgbench are found on the PATH.
  return newest === undefined ? '' : join(DEBIAN, newest, 'bin/');
}

/** PostgreSQL refuses to run as root; Debian's package brings the user `postgres`. */
const isRoot = process.getuid?.() === 0;

function idOfPostgres(flag: '-u' | '-g'): number {
  return Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
}

export async function startCluster(): Promise<Cluster> {
  const bin = programs();
  const run = (program: string, args: string[]) => {
    const command = [`${bin}${program}`, ...args];
    if (isRoot) command.unshift('runuser', '-u', 'postgres', '--');
    // A daemon that inherited a pipe would keep spawnSync waiting for its end: output is for pgbench.
    const stdout = program === 'pg_ctl' ? 'ignore' : 'pipe';
    const [file = '', ...rest] = command;
    const result = spawnSync(file, rest, {
      cwd: '/',
      encoding: 'utf8',
      stdio: ['ignore', stdout, stdout],
    });
    if (result.error) throw result.error;
    if (result.status !== 0) throw new Error(`${program} failed: ${result.stderr ?? ''}`);
    return result;
  };

  const directory = mkdtempSync(join(tmpdir(), 'quartet-bench-'));
  onEnd(() => rmSync(directory, { recursive: true, force: true }));
  chmodSync(directory, 0o711);
  const home = join(directory, 'postgres');
  mkdirSync(home, { mode: 0o700 });
  if (isRoot) chownSync(home, idOfPostgres('-u'), idOfPostgres('-g'));

  const data = join(home, 'data');
  const port = await freePort();
  run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']);
  const options = [`-p ${port} -k ${home}`, 'listen_addresses=127.0.0.1', ...SETTINGS].join(' -c ');
  onEnd(() => run('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']));
  run('pg_ctl', ['-D', data, '-l', join(home, 'log'), '-w', '-o', options, 'start']);

  const cluster = {
    directory,
    port,
    pid: Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]),
    about: '',
    url: (database: string) => `postgresql://postgres@127.0.0.1:${port}/${database}`,
    run,
  };
  cluster.about = await connected(cluster.url('postgres'), async (client) => {
    const { rows } = await client.query<{ about: string }>(
      `select 'PostgreSQL ' || current_setting('server_version') || ': ' ||
              string_agg(name || '=' || current_setting(name), ', ' order by at) as about
       from unnest($1::text[]) with ordinality setting (name, at)`,
      [[...SHOWN, 'checkpoint_timeout', 'max_wal_size']],
    );
    return rows[0]?.about ?? '';
  });
  return cluster;
}

/** Runs `work` on a connection of its own. */
export async function connected<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString });
  // The end of the cluster ends connections too; the query in flight reports it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
