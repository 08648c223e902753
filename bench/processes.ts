import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onEnd } from './cleanup.ts';

const ROOT = join(import.meta.dirname, '..');

/** A server under test, in a process of its own. */
export interface Server {
  pid: number;
  url: string;
  /** From its spawn to its first good answer. */
  startMs: number;
  stop(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

const answers = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    // No kept connection: one that was made while the server started might hide a later refusal.
    get(url, { agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => resolve(false));
  });

/** Starts `script` (below the repository's root) and waits until `path` answers 200. */
async function start(args: string[], env: Record<string, string>, path: string): Promise<Server> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const begin = performance.now();
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: ROOT,
    // Nothing of this shell's: what a developer has exported must not change a figure.
    env: { PATH: process.env['PATH'], PORT: String(port), ...env },
    // The log is written, to /dev/null.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onEnd(() => child.kill('SIGKILL'));
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  while (!(await answers(url + path))) {
    if (ended()) throw new Error(`${args.at(-1)} ended before it was ready.`);
    await sleep(5);
  }
  return {
    pid: child.pid ?? 0,
    url,
    startMs: performance.now() - begin,
    async stop() {
      if (ended()) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** What `npm start` gives to node. */
const START_ARGS = (
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } }
).scripts.start
  .split(' ')
  .slice(1);

/** Quartet with everything on: only the rate limit's number is one that no turn reaches. */
export const startQuartet = (env: Record<string, string>): Promise<Server> =>
  start(START_ARGS, { RATE_LIMIT_MAX: '1000000000', ...env }, '/readyz');

export const startFloor = (databaseUrl: string): Promise<Server> =>
  start(['bench/floor.ts'], { DATABASE_URL: databaseUrl }, '/');

/** USER_HZ, which is 100 on every Linux. */
const TICKS_PER_SECOND = 100;

/** CPU that a process, its ended children and, with `children`, its living ones have used. */
export function cpuSeconds(pid: number, { children = false } = {}): number {
  // After the name, which is in brackets and may hold spaces, utime is the 12th field.
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/^.*\) /s);
  const ticks = fields.split(' ').slice(11, 15).map(Number);
  const own = ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
  if (!children) return own;
  const living = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return living
    .split(' ')
    .filter(Boolean)
    .reduce((sum, child) => {
      try {
        return sum + cpuSeconds(Number(child));
      } catch {
        return sum; // ended between the two reads
      }
    }, own);
}

/** CPU that the whole machine has used. */
export function machineCpuSeconds(): number {
  // user nice system idle iowait irq softirq
  const [, user, nice, system, , , irq, soft] = readFileSync('/proc/stat', 'utf8').split(/\s+/);
  const ticks = [user, nice, system, irq, soft].map(Number);
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kilobytes?.[1]) / 1024;
}
