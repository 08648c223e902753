import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { takeTurns } from '../../src/petstore/images/turns.ts';

/** A server that lets `places` in, and whose answers the test sends when it likes. */
async function start(places: number, waitMs: number) {
  const app = fastify();
  const inside: (() => void)[] = [];
  app.get('/', { onRequest: takeTurns(places, waitMs) }, async () => {
    await new Promise<void>((resolve) => inside.push(resolve));
    return 'done';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as { port: number };
  const get = () => {
    const sent = request({ port, host: '127.0.0.1', agent: false });
    const status = new Promise<number | undefined>((resolve) => {
      sent.on('response', (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode));
      });
      sent.on('error', () => resolve(undefined));
    });
    sent.end();
    return { status, leave: () => sent.destroy() };
  };
  const until = async (count: number) => {
    while (inside.length < count) await sleep(5);
  };
  return { app, inside, get, until };
}

it('lets so many in at a time, and the others in their turn', async () => {
  const { app, inside, get, until } = await start(2, 30_000);
  const requests = Array.from({ length: 6 }, get);
  for (let done = 0; done < 6; done += 1) {
    await until(Math.min(6, done + 2));
    await sleep(20);
    expect(inside.length).toBe(Math.min(6, done + 2));
    inside[done]?.();
  }
  expect(await Promise.all(requests.map(({ status }) => status))).toEqual(Array(6).fill(200));
  await app.close();
});

it('gives the turn of a client that went away to the next', async () => {
  const { app, inside, get, until } = await start(1, 30_000);
  const first = get();
  await until(1);
  const [gone, patient] = [get(), get()];
  await sleep(50);
  gone.leave();
  first.leave();
  const answering = setInterval(() => inside.forEach((answer) => answer()), 10);
  expect(await patient.status).toBe(200);
  clearInterval(answering);
  await app.close();
});

it('refuses whom it let wait too long', async () => {
  const { app, inside, get, until } = await start(2, 50);
  const requests = [get(), get()];
  await until(2);
  expect(await get().status).toBe(503);
  for (const answer of inside) answer();
  for (const { status } of requests) expect(await status).toBe(200);
  await app.close();
});
