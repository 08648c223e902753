import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { BERLIN } from '../given.ts';
import { createDatabase, ENGINE, startApp, type TestApp } from '../harness.ts';
import { onServer } from '../template.ts';
import { expectProblem } from './exchange.ts';

/** A line to the server of `url` that can be cut, and mended. */
async function cuttableLine(url: string) {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => one.destroy()).on('close', () => other.destroy());
      one.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const near = new URL(url);
  near.host = `127.0.0.1:${port}`;
  return {
    url: near.href,
    async cut() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
    /** What is connected now hears nothing from now on; what connects later does. */
    silence() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    async mend() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}

const anyRequests = async (t: TestApp): Promise<Parameters<TestApp['inject']>[0][]> => {
  const headers = await t.as('ann');
  const payload = { trip_id: await t.given.trip(), passenger_name: 'John Doe' };
  return [
    { url: `/stations/${BERLIN}` },
    { url: '/stations?search=berlin' },
    { url: '/bookings', headers },
    { url: '/bookings', headers, method: 'POST', payload },
    {
      url: '/bookings',
      headers: { ...headers, 'idempotency-key': payload.trip_id },
      method: 'POST',
      payload,
    },
    { url: '/readyz' },
  ];
};

async function expectAway(t: TestApp, requests: Parameters<TestApp['inject']>[0][]) {
  for (const answer of await Promise.all(requests.map((request) => t.inject(request)))) {
    expectProblem(answer, 'unavailable', t.config.PUBLIC_URL);
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  }
  expect((await t.inject({ url: '/livez' })).statusCode).toBe(200);
}

const expectBack = async (t: TestApp, requests: Parameters<TestApp['inject']>[0][]) => {
  const answers = await Promise.all(requests.map((request) => t.inject(request)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 201, 201, 200]);
};

describe.runIf(ENGINE === 'postgresql')('a database that is away', () => {
  it('is 503 and not a stack, and is used again as soon as it is back', async () => {
    await using created = await createDatabase();
    const line = await cuttableLine(`${(created.env as { DATABASE_URL: string }).DATABASE_URL}`);
    {
      await using t = await startApp({ env: { DATABASE_URL: line.url } });
      const requests = await anyRequests(t);
      for (let round = 1; round <= 2; round += 1) {
        await line.cut();
        await expectAway(t, requests);
        await expectAway(t, requests);
        await line.mend();
        // Connections that broke are found broken once, by whoever is next.
        expect((await t.inject({ url: '/readyz' })).statusCode).toBe(200);
      }
      await expectBack(t, requests);
    }
    await line.cut();
  });

  it('is 503 after DATABASE_TIMEOUT where the line goes silent, and new lines are taken', async () => {
    await using created = await createDatabase();
    const line = await cuttableLine(`${(created.env as { DATABASE_URL: string }).DATABASE_URL}`);
    {
      await using t = await startApp({
        env: { DATABASE_URL: line.url, DATABASE_TIMEOUT: '1', DATABASE_POOL_SIZE: '2' },
      });
      const requests = await anyRequests(t);
      const again = await anyRequests(t);
      await Promise.all(requests.map((request) => t.inject(request)));
      line.silence();
      const answers = await Promise.all(requests.map((request) => t.inject(request)));
      expect(answers.map(({ statusCode }) => statusCode)).toContain(503);
      for (const { statusCode } of answers) expect([200, 201, 503]).toContain(statusCode);
      const isReady = async () => (await t.inject({ url: '/readyz' })).statusCode;
      await expect.poll(isReady, { timeout: 20_000 }).toBe(200);
      await expectBack(t, again);
    }
    await line.cut();
  });

  it('is 503 also where the server is there and lets nobody in', async () => {
    await using t = await startApp();
    const name = new URL(`${t.databaseEnv['DATABASE_URL']}`).pathname.slice(1);
    const requests = await anyRequests(t);
    await t.inject({ url: '/stations' });
    await onServer(`alter database ${name} with allow_connections false`);
    await onServer(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
    await expectAway(t, requests);
    await onServer(`alter database ${name} with allow_connections true`);
    await expectBack(t, requests);
  });
});
