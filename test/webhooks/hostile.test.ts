import { monitorEventLoopDelay } from 'node:perf_hooks';
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

const DEADLINE = /^The answer was not complete within 1 s\.$/;
const CLOSED = /^The connection was closed before the answer was complete\.$/;
const NOT_HTTP = /^The answer is not HTTP\/1\.1\.$/;
const FULL = /^x{16384}$/;

const EXPECTED: Record<Behaviour, Expected> = {
  hangs: { error: DEADLINE },
  'drips its head': { error: DEADLINE },
  'drips its body': { status: 200, error: DEADLINE, response: /^y{1,3}$/ },
  'drips chunks': { status: 200, error: DEADLINE, response: /^z{1,3}$/ },
  'answers a gigabyte': { status: 200, response: FULL },
  'never ends its answer': { status: 200, response: FULL },
  'refuses by a gigabyte': { status: 500, error: /^The answer was 500; only 2xx/, response: FULL },
  'answers a gzip bomb': { status: 200, response: /^\u001f\ufffd\b/ },
  'closes at once': { error: CLOSED },
  'resets the connection': { error: CLOSED },
  'closes within its head': { error: CLOSED },
  'closes before the end it promised': { status: 200, error: CLOSED, response: 'short' },
  'closes within a chunk': { status: 200, error: CLOSED, response: 'sho' },
  'says more than it promised': { status: 200, response: 'ok' },
  'has a head of megabytes': { error: /^The answer has too many headers\.$/ },
  'has one header without end': { error: /^The answer has too many headers\.$/ },
  'continues for ever': { error: CLOSED },
  'hints for ever': { error: DEADLINE },
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
  const EVENTS = 3;
  const t = await sharedApp({
    env: { WEBHOOK_TIMEOUT: '1', WEBHOOK_RETRY_SCHEDULE: '1h' },
  });
  const attempts = new Map<string, Attempt[]>();
  let receivers: Awaited<ReturnType<typeof startHostileReceivers>>;
  let written: Record<Behaviour, number>;
  let grown = 0;
  const urlOf = (name: Behaviour) =>
    `${EXPECTED[name].scheme ?? 'http'}://127.0.0.1:${receivers.ports[name]}/`;

  beforeAll(async () => {
    receivers = await startHostileReceivers();
    for (const name of BEHAVIOURS) await t.given.subscription({ owner: 'ann', url: urlOf(name) });
    await book(t, 'ann', EVENTS);
    const before = process.memoryUsage.rss();
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    await t.quartet.webhooks.start();
    const areDone = async () => (await findAttempts(t.db)).length === BEHAVIOURS.length * EVENTS;
    await vi
      .waitUntil(areDone, { timeout: 15_000, interval: 100 })
      .catch(() => console.log('NOT DONE'));
    grown = process.memoryUsage.rss() - before;
    console.log('loop delay', delay.max / 1e6, 'grown', grown / 1e6);
    for (const attempt of await findAttempts(t.db))
      attempts.set(attempt.url, [...(attempts.get(attempt.url) ?? []), attempt]);
    written = await receivers.written();
  }, 60_000);
  afterAll(async () => {
    await t.quartet.webhooks.stop();
    await receivers[Symbol.asyncDispose]();
  });

  it.each(BEHAVIOURS)('%s has its deadline, and the log says it', (name) => {
    const { status = null, error, response = '' } = EXPECTED[name];
    const made = attempts.get(urlOf(name)) ?? [];
    console.log(
      name,
      made[0]?.error,
      made.map((x) => x.milliseconds),
      written[name],
    );
    expect(made).toHaveLength(EVENTS);
    for (const attempt of made) {
      expect(attempt).toMatchObject({
        status,
        error: error ? expect.stringMatching(error) : null,
        response: typeof response === 'string' ? response : expect.stringMatching(response),
      });
      expect(attempt.milliseconds).toBeLessThan(5000);
    }
    expect(written[name]).toBeLessThan(EVENTS * BUFFERED);
  });

  it('does any of this costs little memory', () => {
    expect(grown).toBeLessThan(150 * 1_048_576);
  });
});
