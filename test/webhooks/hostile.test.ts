import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sharedApp, startApp, type TestApp } from '../harness.ts';
import { type Attempt, findAttempts } from './attempts.ts';
import { type Behaviour, startHostileReceivers } from './hostile-receivers.ts';
import { startReceiver } from './receiver.ts';

interface Expected {
  status?: number;
  /** Undefined: the attempt succeeds. */
  error?: RegExp;
  response?: RegExp | string;
  scheme?: 'https';
}

const DEADLINE = /^The answer was not complete within 4 s\.$/;
const CLOSED = /^The connection was closed before the answer was complete\.$/;
const NOT_HTTP = /^The answer is not HTTP\/1\.1\.$/;
const PADDED = /^The answer is longer than 256 KiB without its content\.$/;
/** How gzip begins, as text: nothing unpacked it. */
const PACKED = new RegExp(`^${'\u001f\ufffd\b'}`);
const FULL = /^x{16384}$/;

const EXPECTED: Record<Behaviour, Expected> = {
  hangs: { error: DEADLINE },
  'drips its head': { error: DEADLINE },
  'drips its body': { status: 200, error: DEADLINE, response: /^y{1,12}$/ },
  'drips chunks': { status: 200, error: DEADLINE, response: /^z{1,12}$/ },
  'answers a gigabyte': { status: 200, response: FULL },
  'never ends its answer': { status: 200, response: FULL },
  'refuses by a gigabyte': { status: 500, error: /^The answer was 500; only 2xx/, response: FULL },
  'answers a gzip bomb': { status: 200, response: PACKED },
  'closes at once': { error: CLOSED },
  'resets the connection': { error: CLOSED },
  'closes within its head': { error: CLOSED },
  'closes before the end it promised': { status: 200, error: CLOSED, response: 'short' },
  'closes within a chunk': { status: 200, error: CLOSED, response: 'sho' },
  'says more than it promised': { status: 200, response: 'ok' },
  'has a head of megabytes': { error: /^The answer has too many headers\.$/ },
  'has one header without end': { error: /^The answer has too many headers\.$/ },
  'continues for ever': { error: CLOSED },
  'hints for ever': { error: PADDED },
  'extends its chunks': { status: 200, error: PADDED },
  'trails for ever': { status: 200, error: /^The answer has too many headers\.$/ },
  'switches protocols': { error: CLOSED },
  'speaks SSH': { error: NOT_HTTP },
  'speaks noise': { error: NOT_HTTP },
  'has two lengths': { error: NOT_HTTP },
  'has a length and chunks': { error: NOT_HTTP },
  'has a negative length': { error: NOT_HTTP },
  'has a status of its own': { status: 999, error: /^The answer was 999; only 2xx/ },
  'answers bytes that are no text': { status: 200, response: /^\ufffd+A$/ },
  'speaks HTTP/1.0': { status: 200, response: 'old' },
  'has a certificate of its own': { scheme: 'https', error: /\(DEPTH_ZERO_SELF_SIGNED_CERT\)/ },
  'has no TLS': { scheme: 'https', error: /^The attempt failed \(ERR_SSL_/ },
};
const BEHAVIOURS = Object.keys(EXPECTED) as Behaviour[];

/** What the system may have buffered of an answer that was broken off. */
const BUFFERED = 16 * 1_048_576;

async function book(t: TestApp, subject: string, count: number): Promise<void> {
  const payload = { trip_id: await t.given.trip({ seats: count }), passenger_name: 'John Doe' };
  const headers = await t.as(subject);
  for (let n = 0; n < count; n += 1) {
    const answer = await t.inject({ method: 'POST', url: '/bookings', headers, payload });
    expect(answer.statusCode).toBe(201);
  }
  t.quartet.webhooks.announce();
}

describe('a receiver that', async () => {
  const EVENTS = 2;
  const t = await sharedApp({
    env: { WEBHOOK_TIMEOUT: '4', WEBHOOK_RETRY_SCHEDULE: '1h' },
  });
  const attempts = new Map<string, Attempt[]>();
  let receivers: Awaited<ReturnType<typeof startHostileReceivers>>;
  let healthy: Awaited<ReturnType<typeof startReceiver>>;
  let written: Record<Behaviour, number>;
  let grown = 0;
  const urlOf = (name: Behaviour) =>
    `${EXPECTED[name].scheme ?? 'http'}://127.0.0.1:${receivers.ports[name]}/`;

  beforeAll(async () => {
    receivers = await startHostileReceivers();
    for (const name of BEHAVIOURS) await t.given.subscription({ owner: 'ann', url: urlOf(name) });
    healthy = await startReceiver();
    await t.given.subscription({ owner: 'ann', url: healthy.url });
    await book(t, 'ann', EVENTS);
    const before = process.memoryUsage.rss();
    await t.quartet.webhooks.start();
    const areDone = async () =>
      (await findAttempts(t.db)).length === (BEHAVIOURS.length + 1) * EVENTS;
    await vi.waitUntil(areDone, { timeout: 50_000, interval: 100 });
    grown = process.memoryUsage.rss() - before;
    for (const attempt of await findAttempts(t.db))
      attempts.set(attempt.url, [...(attempts.get(attempt.url) ?? []), attempt]);
    written = await receivers.written();
  }, 60_000);
  afterAll(async () => {
    await t.quartet.webhooks.stop();
    await receivers[Symbol.asyncDispose]();
    await healthy.close();
  });

  it.each(BEHAVIOURS)('%s has its deadline, and the log says it', (name) => {
    const { status = null, error, response = '' } = EXPECTED[name];
    const made = attempts.get(urlOf(name)) ?? [];
    expect(made).toHaveLength(EVENTS);
    for (const attempt of made) {
      expect(attempt).toMatchObject({
        status,
        error: error ? expect.stringMatching(error) : null,
        response: typeof response === 'string' ? response : expect.stringMatching(response),
      });
    }
    expect(written[name]).toBeLessThan(EVENTS * BUFFERED);
  });

  it('behaves gets each event once meanwhile', () => {
    expect([...healthy.counts().values()]).toEqual(Array(EVENTS).fill(1));
  });

  it('is fed hardly any memory', () => {
    expect(grown).toBeLessThan(150 * 1_048_576);
  });
});

describe('connections', () => {
  it('that die under a request lose no delivery, and count as no success', async () => {
    const env = { WEBHOOK_RETRY_SCHEDULE: Array(30).fill('50ms').join() };
    await using t = await startApp({ env });
    let requests = 0;
    await using receiver = await startReceiver((_request, response, message) => {
      requests += 1;
      // Every other request on a connection is read, and the connection closed.
      const { socket } = message as { socket: Socket & { used?: boolean } };
      if (socket.used) socket.destroy();
      else response.writeHead(200).end('kept');
      socket.used = true;
    });
    await t.given.subscription({ owner: 'ann', url: receiver.url });
    await t.quartet.webhooks.start();
    for (let round = 0; round < 5; round += 1) await book(t, 'ann', 4);
    const succeeded = async () =>
      (await findAttempts(t.db)).filter(({ status }) => status === 200).length;
    await expect.poll(succeeded, { timeout: 20_000 }).toBe(20);
    await t.quartet.webhooks.stop();
    const attempts = await findAttempts(t.db);
    expect(attempts).toHaveLength(requests);
    expect(receiver.counts().size).toBe(20);
    const failed = attempts.filter(({ status }) => status !== 200);
    expect(failed.length).toBeGreaterThan(0);
    for (const { error } of failed) expect(error).toMatch(CLOSED);
  });

  it('that are closed while nobody uses them cost no attempt', async () => {
    await using t = await startApp();
    await using receiver = await startReceiver();
    await t.given.subscription({ owner: 'ann', url: receiver.url });
    await t.quartet.webhooks.start();
    for (let round = 1; round <= 5; round += 1) {
      await book(t, 'ann', 2);
      await receiver.waitFor(2 * round);
      receiver.server.closeIdleConnections();
      await sleep(50);
    }
    await t.quartet.webhooks.stop();
    const attempts = await findAttempts(t.db);
    expect(attempts.map(({ status }) => status)).toEqual(Array(10).fill(204));
  });
});

describe('one who subscribes fifty receivers that hang', () => {
  it('does not keep others from their events', async () => {
    await using t = await startApp({ env: { WEBHOOK_TIMEOUT: '30' } });
    await using hanging = await startReceiver(() => undefined);
    await using receiver = await startReceiver();
    for (let at = 1; at <= 50; at += 1)
      await t.given.subscription({ owner: 'eve', url: `${hanging.url}${at}` });
    await t.given.subscription({ owner: 'ann', url: receiver.url });
    await t.quartet.webhooks.start();
    await book(t, 'eve', 40);
    await sleep(1000);
    await book(t, 'ann', 40);
    await receiver.waitFor(40);
    expect([...receiver.counts().values()]).toEqual(Array(40).fill(1));
    await t.quartet.webhooks.stop();
  });
});
