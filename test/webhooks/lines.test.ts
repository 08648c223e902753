import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ENGINE, startApp, type TestApp } from '../harness.ts';
import { findAttempts } from './attempts.ts';
import { startReceiver } from './receiver.ts';

/** A line to the database of `url` that fails in ways of its own. */
async function startLine(url: string) {
  const target = new URL(url);
  const lines = new Set<readonly [near: Socket, far: Socket]>();
  let swallowed: string | undefined;
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    const line = [near, far] as const;
    lines.add(line);
    let isSwallowing = false;
    near.on('data', (data) => {
      if (swallowed !== undefined && data.includes(swallowed)) {
        isSwallowing = true;
        swallowed = undefined;
      }
      far.write(data);
    });
    far.on('data', (data) => {
      if (isSwallowing) near.destroy();
      else near.write(data);
    });
    for (const socket of line) socket.on('error', () => undefined);
    far.on('close', () => near.destroy());
    near.on('close', () => lines.has(line) && far.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = new URL(url);
  near.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: near.href,
    /** What is connected hears nothing any more, and the server does not hear that it is gone. */
    strand() {
      for (const line of lines) {
        for (const socket of line) socket.pause().removeAllListeners('data');
        lines.delete(line);
      }
    },
    /** Once: a statement that holds `text` is done, and the line is lost instead of its answer. */
    swallowAnswer(text: string) {
      swallowed = text;
    },
    hasSwallowed: () => swallowed === undefined,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const sockets of lines) for (const socket of sockets) socket.destroy();
    },
  };
}

async function book(t: TestApp): Promise<void> {
  const payload = { trip_id: await t.given.trip(), passenger_name: 'John Doe' };
  const headers = await t.as('ann');
  const answer = await t.inject({ method: 'POST', url: '/bookings', headers, payload });
  expect(answer.statusCode).toBe(201);
}

describe.runIf(ENGINE === 'postgresql')('a dispatcher', () => {
  it('whose line goes silent delivers on a new one, though the server keeps the old', async () => {
    await using t = await startApp();
    await using line = await startLine(`${t.databaseEnv['DATABASE_URL']}`);
    await using receiver = await startReceiver();
    await t.given.subscription({ owner: 'ann', url: receiver.url });
    {
      await using far = await startApp({ env: { DATABASE_URL: line.url, DATABASE_TIMEOUT: '1' } });
      await far.quartet.webhooks.start();
      await book(t);
      await receiver.waitFor(1);
      line.strand();
      await book(t);
      await receiver.waitFor(2);
      await far.quartet.webhooks.stop();
    }
    expect(receiver.counts().size).toBe(2);
  }, 30_000);

  it('that never hears what it claimed has it again within seconds', async () => {
    await using t = await startApp();
    await using line = await startLine(`${t.databaseEnv['DATABASE_URL']}`);
    await using receiver = await startReceiver();
    await t.given.subscription({ owner: 'ann', url: receiver.url });
    await book(t);
    {
      await using far = await startApp({ env: { DATABASE_URL: line.url } });
      line.swallowAnswer('with recursive waiting');
      await far.quartet.webhooks.start();
      await receiver.waitFor(1); // a lease lasts a minute, this test half of it
      await far.quartet.webhooks.stop();
    }
    expect(line.hasSwallowed()).toBe(true);
    expect(await findAttempts(t.db)).toHaveLength(1);
  }, 30_000);

  it('that never hears what it wrote down goes on, and has attempted once', async () => {
    await using t = await startApp();
    await using line = await startLine(`${t.databaseEnv['DATABASE_URL']}`);
    await using receiver = await startReceiver();
    await t.given.subscription({ owner: 'ann', url: receiver.url });
    {
      await using far = await startApp({ env: { DATABASE_URL: line.url } });
      await far.quartet.webhooks.start();
      line.swallowAnswer('with attempt as materialized');
      await book(t);
      await receiver.waitFor(1);
      await expect.poll(line.hasSwallowed).toBe(true);
      await book(t);
      await receiver.waitFor(2);
      const written = async () => (await findAttempts(t.db)).length;
      await expect.poll(written, { timeout: 10_000 }).toBe(2);
      await far.quartet.webhooks.stop();
    }
    expect([...receiver.counts().values()]).toEqual([1, 1]);
    expect(await findAttempts(t.db)).toHaveLength(2);
  }, 30_000);
});
