import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchProcess } from './conformance/watch.ts';
import { TEST_ENV } from './template.ts';

/** Quartet as a process of its own, as an operator starts it. */
export interface Server extends AsyncDisposable {
  url: string;
  child: ChildProcess;
  /** What it wrote so far, both streams. */
  output(): string;
  /** Ends it with `signal`; answers its exit code, null where the signal killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts Quartet and waits until it is ready; throws what it wrote where it ends before that. */
export async function startServer(env: Record<string, string>): Promise<Server> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['src/start.mjs'], {
    env: { PATH: process.env['PATH'], ...TEST_ENV, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, 'exit');
    }
    return child.exitCode;
  };
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await watchProcess(child, url, env);
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`Quartet ended (${child.exitCode}): ${output}`);
    await sleep(20);
  }
  return {
    url,
    child,
    output: () => output,
    end,
    [Symbol.asyncDispose]: async () => void (await end('SIGKILL')),
  };
}

/** Runs the command line as an operator does. */
export async function quartet(env: Record<string, string>, args: string[], input = '') {
  const child = spawn(process.execPath, ['src/quartet.mjs', ...args], {
    env: { PATH: process.env['PATH'], ...TEST_ENV, ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  child.stdin.end(input);
  const [exitCode] = await once(child, 'close');
  return { exitCode, stdout, stderr };
}
