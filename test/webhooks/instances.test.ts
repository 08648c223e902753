import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINE, startApp, type TestApp } from '../harness.ts';
import { startServer } from '../processes.ts';
import { onServer } from '../template.ts';
import { findAttempts } from './attempts.ts';
import { startReceiver } from './receiver.ts';
import { startWithoutPolls } from './without-polls.ts';

const TAKEOVER_MS = 5000;

/** `count` bookings of `subject` at `url`, all at once. */
async function book(t: TestApp, url: string, subject: string, count: number): Promise<void> {
  const body = JSON.stringify({
    trip_id: await t.given.trip({ seats: count }),
    passenger_name: 'John Doe',
  });
  const headers = { ...(await t.as(subject)), 'content-type': 'application/json' };
  const answers = await Promise.all(
    Array.from({ length: count }, () =>
      fetch(`${url}/bookings`, { method: 'POST', headers, body }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(count).fill(201));
}

const statesOf = async ({ db }: TestApp) => {
  const { rows } = await sql<{ state: string; count: number }>`
    select state, count(*)::int as count from webhooks.deliveries group by state`.execute(db);
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
};
const expectSucceeded = (t: TestApp, count: number) =>
  expect.poll(() => statesOf(t), { timeout: 20_000 }).toEqual({ succeeded: count });

/** How many deliveries each process has claimed at this moment. */
const claimsOf = async ({ db }: TestApp) => {
  const { rows } = await sql<{ claimed_by: number; count: number }>`
    select claimed_by, count(*)::int as count from webhooks.deliveries
    where claim_id is not null group by claimed_by order by claimed_by`.execute(db);
  return rows;
};

/** The environment of processes on the database of `t`. */
const envOf = (t: TestApp, env: Record<string, string> = {}) => ({
  ...t.databaseEnv,
  PUBLIC_URL: t.config.PUBLIC_URL,
  ...env,
});

describe.runIf(ENGINE === 'postgresql')('two instances', () => {
  it('attempt each delivery once between them, and both have their part', async () => {
    const COUNT = 200;
    await using t = await startApp();
    const tokens = new Set<string>();
    await using receiver = await startReceiver(async (request, response) => {
      tokens.add(request.headers['authorization'] ?? ''); // each process signs one of its own
      await sleep(20);
      response.writeHead(204).end();
    });
    await using one = await startServer(envOf(t));
    await using two = await startServer(envOf(t));
    await t.given.subscription({ owner: 'ann', url: receiver.url });
    await Promise.all([one, two].map(({ url }) => book(t, url, 'ann', COUNT / 2)));
    await expectSucceeded(t, COUNT);
    expect([...receiver.counts().values()]).toEqual(Array(COUNT).fill(1));
    expect(await findAttempts(t.db)).toHaveLength(COUNT);
    expect(tokens.size).toBe(2);
  });

  it('wake each other: what one cannot send, the other sends at once', async () => {
    await using t = await startApp();
    await using receiver = await startReceiver();
    await using other = await startApp({ env: t.databaseEnv });
    await startWithoutPolls(other);
    await t.given.subscription({ owner: 'ann', url: receiver.url });
    // This one serves requests and delivers nothing; all it can do is to tell the other.
    const url = await t.listen();
    for (let round = 1; round <= 10; round += 1) {
      await book(t, url, 'ann', 1);
      await receiver.waitFor(round);
    }
  });

  it('take over from one that was killed in the middle of its attempts', async () => {
    const COUNT = 20;
    await using t = await startApp();
    let isHolding = true;
    await using receiver = await startReceiver((_request, response) => {
      if (!isHolding) response.writeHead(204).end();
    });
    await using one = await startServer(envOf(t, { WEBHOOK_TIMEOUT: '30' }));
    await t.given.subscription({ owner: 'ann', url: receiver.url });
    await book(t, one.url, 'ann', COUNT);
    await receiver.waitFor(COUNT);
    await using two = await startServer(envOf(t, { WEBHOOK_TIMEOUT: '30' }));
    await sleep(1500);
    expect(receiver.received).toHaveLength(COUNT); // while the first lives, they are its own
    isHolding = false;
    await one.end('SIGKILL');
    const killed = Date.now();
    await receiver.waitFor(2 * COUNT);
    expect(Date.now() - killed).toBeLessThan(TAKEOVER_MS);
    await expectSucceeded(t, COUNT);
    expect([...receiver.counts().values()]).toEqual(Array(COUNT).fill(2));
    expect(await two.end('SIGTERM')).toBe(0);
  });

  it('give back on SIGTERM what they cannot finish', async () => {
    const COUNT = 20;
    await using t = await startApp();
    let isHolding = true;
    await using receiver = await startReceiver((_request, response) => {
      if (!isHolding) response.writeHead(204).end();
    });
    await using one = await startServer(envOf(t, { WEBHOOK_TIMEOUT: '30' }));
    await t.given.subscription({ owner: 'ann', url: receiver.url });
    await book(t, one.url, 'ann', COUNT);
    await receiver.waitFor(COUNT);
    expect(await one.end('SIGTERM')).toBe(0);
    expect(await claimsOf(t)).toEqual([]);
    expect(await statesOf(t)).toEqual({ pending: COUNT });
    isHolding = false;
    await using two = await startServer(envOf(t));
    await expectSucceeded(t, COUNT);
    expect(await two.end('SIGTERM')).toBe(0);
  });

  it('finish on SIGTERM what they can', async () => {
    const COUNT = 20;
    await using t = await startApp();
    await using receiver = await startReceiver(async (_request, response) => {
      await sleep(1000);
      response.writeHead(204).end();
    });
    await using one = await startServer(envOf(t));
    await t.given.subscription({ owner: 'ann', url: receiver.url });
    await book(t, one.url, 'ann', COUNT);
    await receiver.waitFor(COUNT);
    expect(await one.end('SIGTERM')).toBe(0);
    expect(await statesOf(t)).toEqual({ succeeded: COUNT });
    expect(receiver.received).toHaveLength(COUNT);
  });
});

describe.runIf(ENGINE === 'postgresql')('a dispatcher whose connections are cut', () => {
  it('goes on with new ones, and loses nothing', async () => {
    const [ROUNDS, COUNT] = [3, 20];
    await using t = await startApp();
    await using receiver = await startReceiver(async (_request, response) => {
      await sleep(Math.random() * 100);
      response.writeHead(204).end();
    });
    await using one = await startServer(envOf(t));
    await t.given.subscription({ owner: 'ann', url: receiver.url });
    const name = new URL(`${t.databaseEnv['DATABASE_URL']}`).pathname.slice(1);
    for (let round = 1; round <= ROUNDS; round += 1) {
      await book(t, one.url, 'ann', COUNT);
      // Every connection but those of this test's own process.
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(t.db);
      await onServer(`select pg_terminate_backend(pid) from pg_stat_activity
                      where datname = '${name}' and pid <> ${rows[0]?.pid}`);
      const isReady = () => fetch(`${one.url}/readyz`).then(({ status }) => status);
      await expect.poll(isReady, { timeout: 10_000 }).toBe(200);
      const cut = Date.now();
      await expectSucceeded(t, COUNT * round);
      expect(Date.now() - cut).toBeLessThan(TAKEOVER_MS);
    }
    expect(receiver.counts().size).toBe(ROUNDS * COUNT);
    expect(await one.end('SIGTERM')).toBe(0);
  });
});
