import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { watchProcess } from '../conformance/watch.ts';
import { ENGINE } from '../harness.ts';
import { freePort } from '../processes.ts';
import { onServer, SCRATCH, serverUrl } from '../template.ts';

const START = fileURLToPath(new URL('../../src/start.mjs', import.meta.url));

/** The program as an operator starts it, ready or not. */
export interface Program extends AsyncDisposable {
  url: string;
  pid: number;
  stdout(): string;
  stderr(): string;
  /** Resolves when it serves; throws what it said where it ends before. */
  ready(): Promise<void>;
  /** Its exit code once it has ended; null where a signal killed it. */
  exited: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts the program with nothing of this process's environment but what `env` says. */
export async function startProgram(env: Record<string, string>): Promise<Program> {
  const port = env['PORT'] ?? String(await freePort());
  const child = spawn(process.execPath, [START], {
    cwd: tmpdir(), // where no .env is
    env: { PATH: process.env['PATH'], PORT: port, TIMETABLE_DAYS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => {
      output[name] += chunk;
    });
  // "close": its streams have ended too, so all that it said is here.
  const exited = once(child, 'close').then(() => child.exitCode);
  const url = `http://127.0.0.1:${port}`;
  await watchProcess(child, url, env);
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  return {
    url,
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    exited,
    kill: (signal) => void child.kill(signal),
    async ready() {
      while (!(await isReady())) {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(
            `The program ended (${child.exitCode ?? child.signalCode}): ${output.stderr}`,
          );
        await sleep(20);
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** An empty database of the engine under test: a directory that does not exist yet, or a new one. */
export async function emptyDatabase(): Promise<{ env: Record<string, string> } & AsyncDisposable> {
  if (ENGINE === 'postgresql') {
    const name = `quartet_test_${randomUUID().replaceAll('-', '')}`;
    await onServer(`create database ${name}`);
    return {
      env: { DATABASE_URL: serverUrl(name) },
      [Symbol.asyncDispose]: () => onServer(`drop database ${name} with (force)`),
    };
  }
  const parent = await mkdtemp(join(SCRATCH, 'quartet-test-'));
  return {
    env: { DATA_DIR: join(parent, 'deep', 'data') },
    [Symbol.asyncDispose]: () => rm(parent, { recursive: true, force: true }),
  };
}

/** Headers with a token that the demo client got from this very program. */
export async function demoToken(url: string): Promise<{ authorization: string }> {
  const response = await requestDemoToken(url);
  const { access_token } = (await response.json()) as { access_token: string };
  return { authorization: `Bearer ${access_token}` };
}

export const requestDemoToken = (url: string): Promise<Response> =>
  fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('quartet-demo:demo-secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'read write' }),
  });

/** Books a seat over HTTP; the trip of the published examples unless another is given. */
export const book = (
  url: string,
  headers: { authorization: string },
  tripId: string,
  extra: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${url}/bookings`, {
    method: 'POST',
    headers: { ...headers, ...extra, 'content-type': 'application/json' },
    body: JSON.stringify({ trip_id: tripId, passenger_name: 'John Doe' }),
  });
