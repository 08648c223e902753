import { execFileSync } from 'node:child_process';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedApp, startApp, type TestApp } from '../harness.ts';
import { drip, pour, startRaw } from './raw.ts';
import { startReceiver } from './receiver.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const MEGABYTE = Buffer.alloc(1_048_576, 'x');
const BOMB = gzipSync(Buffer.alloc(100 * MEGABYTE.length));

/** A certificate that nobody signed but itself; answers PEM. */
function selfSigned(): { key: string; cert: string } {
  const made = execFileSync(
    'openssl',
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout - -days 1 -subj /CN=localhost
     -addext subjectAltName=DNS:localhost,IP:127.0.0.1`.split(/\s+/),
    { stdio: ['ignore', 'pipe', 'ignore'] },
  ).toString();
  const [key = '', cert = ''] = made.split(/(?=-----BEGIN CERTIFICATE)/);
  return { key, cert };
}

interface Case {
  answer(socket: Socket): unknown;
  status?: number;
  error?: RegExp;
  response?: RegExp | string;
  /** Bytes that an attempt reads at most, with what the system buffers on the way. */
  reads?: number;
  scheme?: 'https';
  tls?: boolean;
}

const DEADLINE = /^The answer was not complete within 1 s\.$/;
const CLOSED = /^The connection was closed before the answer was complete\.$/;
const NOT_HTTP = /^The answer is not HTTP\/1\.1\.$/;
const FULL = /^x{16384}$/;
const BUFFERED = 16 * 1_048_576;

const CASES: Record<string, Case> = {
  hangs: { answer: () => undefined, error: DEADLINE },
  'drips its head': { answer: (s) => drip(s, `${OK}content-length: 0\r\n\r\n`), error: DEADLINE },
  'drips its body': {
    answer: (s) =>
      drip(s.writable && s.write(`${OK}content-length: 50\r\n\r\n`) ? s : s, 'y'.repeat(50)),
    ...{ status: 200, error: DEADLINE, response: /^y{1,3}$/ },
  },
  'drips chunks': {
    answer: (s) => {
      s.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
      const timer = setInterval(() => s.write('1\r\nz\r\n'), 100);
      s.on('close', () => clearInterval(timer));
    },
    ...{ status: 200, error: DEADLINE, response: /^z{2,12}$/ },
  },
  'answers a gigabyte': {
    answer: (s) => s.write(`${OK}content-length: 1073741824\r\n\r\n`) && pour(s, MEGABYTE),
    ...{ status: 200, response: FULL, reads: BUFFERED },
  },
  'never ends its answer': {
    answer: (s) => s.write(`${OK}connection: close\r\n\r\n`) && pour(s, MEGABYTE),
    ...{ status: 200, response: FULL, reads: BUFFERED },
  },
  'refuses by a gigabyte': {
    answer: (s) => s.write(`HTTP/1.1 500 No\r\n\r\n`) && pour(s, MEGABYTE),
    ...{ status: 500, error: /^The answer was 500; only 2xx/, response: FULL, reads: BUFFERED },
  },
  'answers a gzip bomb': {
    answer: (s) =>
      s.write(`${OK}content-encoding: gzip\r\ncontent-length: ${BOMB.length}\r\n\r\n`) &&
      s.write(BOMB),
    ...{ status: 200, response: /^\u001f\ufffd\b/, reads: BOMB.length + 200 },
  },
  'closes at once': { answer: (s) => s.end(), error: CLOSED },
  'resets the connection': { answer: (s) => s.resetAndDestroy(), error: CLOSED },
  'closes within its head': { answer: (s) => s.end('HTTP/1.1 200 OK\r\nx: y'), error: CLOSED },
  'closes before the end it promised': {
    answer: (s) => s.end(`${OK}content-length: 100\r\n\r\nshort`),
    ...{ status: 200, error: CLOSED, response: 'short' },
  },
  'closes within a chunk': {
    answer: (s) => s.end(`${OK}transfer-encoding: chunked\r\n\r\n5\r\nsho`),
    ...{ status: 200, error: CLOSED, response: 'sho' },
  },
  'says more than it promised': {
    answer: (s) => s.write(`${OK}content-length: 2\r\n\r\nokHTTP/1.1 500 No\r\n\r\n`),
    ...{ status: 200, response: 'ok' },
  },
  'has a head of megabytes': {
    answer: (s) => s.write(OK) && pour(s, `x-more: ${'y'.repeat(1000)}\r\n`),
    ...{ error: /^The answer has too many headers\.$/, reads: BUFFERED },
  },
  'has one header without end': {
    answer: (s) => s.write(`${OK}x-more: `) && pour(s, MEGABYTE),
    ...{ error: /^The answer has too many headers\.$/, reads: BUFFERED },
  },
  'continues for ever': { answer: (s) => pour(s, 'HTTP/1.1 100 Continue\r\n\r\n'), error: /./ },
  'hints for ever': {
    answer: (s) => pour(s, 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'),
    error: /./,
  },
  'switches protocols': {
    answer: (s) =>
      s.write(
        'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
      ),
    error: /./,
  },
  'speaks SSH': { answer: (s) => s.write('SSH-2.0-OpenSSH_9.2p1\r\n'), error: NOT_HTTP },
  'speaks noise': { answer: (s) => pour(s, Buffer.from([0, 255, 22, 3, 1])), error: NOT_HTTP },
  'has two lengths': {
    answer: (s) => s.write(`${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nok!`),
    error: NOT_HTTP,
  },
  'has a length and chunks': {
    answer: (s) => s.write(`${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    error: NOT_HTTP,
  },
  'has a negative length': {
    answer: (s) => s.write(`${OK}content-length: -1\r\n\r\n`),
    error: NOT_HTTP,
  },
  'has a status of its own': {
    answer: (s) => s.end('HTTP/1.1 999 Whatever\r\n\r\n'),
    ...{ status: 999, error: /^The answer was 999; only 2xx/, response: '' },
  },
  'answers bytes that are no text': {
    answer: (s) =>
      s.end(Buffer.concat([Buffer.from(`${OK}\r\n`), Buffer.from([0, 255, 0xed, 0xa0, 0x80, 65])])),
    ...{ status: 200, response: /^\ufffd+A$/ },
  },
  'speaks HTTP/1.0': {
    answer: (s) => s.end('HTTP/1.0 200 OK\r\n\r\nold'),
    status: 200,
    response: 'old',
  },
  'has a certificate of its own': {
    answer: (s) => s.end(`${OK}\r\n`),
    ...{
      scheme: 'https',
      tls: true,
      error: /^The attempt failed \(DEPTH_ZERO_SELF_SIGNED_CERT\)\.$/,
    },
  },
  'has no TLS': {
    answer: (s) => s.end(`${OK}\r\n`),
    scheme: 'https',
    error: /^The attempt failed \(ERR_SSL_/,
  },
};

interface Attempt {
  url: string;
  status: number | null;
  error: string | null;
  response: string;
  milliseconds: number;
}

const findAttempts = async ({ db }: TestApp): Promise<Attempt[]> =>
  (
    await sql<Attempt>`
      select s.url, a.status, a.error, a.response, a.milliseconds
      from webhooks.attempts a join webhooks.deliveries d on d.id = a.delivery_id
        join webhooks.subscriptions s on s.id = d.subscription_id order by a.id`.execute(db)
  ).rows;

async function book(t: TestApp, subject: string, count: number): Promise<void> {
  const payload = { trip_id: await t.given.trip({ seats: count }), passenger_name: 'John Doe' };
  const headers = await t.as(subject);
  for (let n = 0; n < count; n += 1) {
    const answer = await t.inject({ method: 'POST', url: '/bookings', headers, payload });
    expect(answer.statusCode).toBe(201);
  }
}

describe('a receiver that', async () => {
  const t = await sharedApp({ env: { WEBHOOK_TIMEOUT: '1', WEBHOOK_RETRY_SCHEDULE: '1h' } });
  const servers = new Map<string, Awaited<ReturnType<typeof startRaw>>>();
  const attempts = new Map<string, Attempt[]>();
  let grown = 0;

  beforeAll(async () => {
    for (const [name, { answer, tls, scheme = 'http' }] of Object.entries(CASES)) {
      const server = await startRaw(answer, tls ? createTlsServer(selfSigned()) : undefined);
      servers.set(name, server);
      await t.given.subscription({ owner: 'ann', url: `${scheme}://127.0.0.1:${server.port}/` });
    }
    await book(t, 'ann', 2);
    global.gc?.();
    const before = process.memoryUsage.rss();
    await t.quartet.webhooks.start();
    const isDone = async () => (await findAttempts(t)).length >= Object.keys(CASES).length * 2;
    await expect.poll(isDone, { timeout: 20_000 }).toBe(true);
    grown = process.memoryUsage.rss() - before;
    for (const attempt of await findAttempts(t))
      attempts.set(attempt.url, [...(attempts.get(attempt.url) ?? []), attempt]);
  }, 60_000);
  afterAll(async () => {
    await t.quartet.webhooks.stop();
    for (const server of servers.values()) await server[Symbol.asyncDispose]();
  });

  it.each(Object.entries(CASES))('%s ends by the deadline, and is told', (name, expected) => {
    const server = servers.get(name);
    const { scheme = 'http', status = null, error, response = '', reads = 1_048_576 } = expected;
    const made = attempts.get(`${scheme}://127.0.0.1:${server?.port}/`) ?? [];
    expect(made).toHaveLength(2);
    for (const attempt of made) {
      expect(attempt).toMatchObject({
        status,
        error: error ? expect.stringMatching(error) : null,
        response: typeof response === 'string' ? response : expect.stringMatching(response),
      });
      expect(Buffer.byteLength(attempt.response)).toBeLessThanOrEqual(3 * 16_384);
      expect(attempt.milliseconds).toBeLessThan(5000);
    }
    console.log(
      name,
      made[0]?.error,
      made[0]?.milliseconds,
      server?.written(),
      server?.connections(),
    );
    expect(server?.written()).toBeLessThan(2 * reads);
  });

  it('does any of this costs little memory', () => {
    console.log('grown', grown / 1e6);
    expect(grown).toBeLessThan(150 * 1_048_576);
  });
});
