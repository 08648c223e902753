import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { loadConfig } from '../../src/config.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { createLog } from '../../src/platform/operations/log.ts';
import { given } from '../given.ts';
import { startServer } from '../processes.ts';
import { TEST_ENV } from '../template.ts';
import { startReceiver } from './receiver.ts';

const CLIENTS = 4;
/** The longest that the program lives once it is ready. */
const LIFE_MS = 500;
const PUBLIC_URL = 'http://127.0.0.1:3999';

/** What came of the kills. */
export interface Survival {
  /** Bookings that were answered 201. */
  acknowledged: number;
  /** Events that came after a restart though their booking was made before it. */
  redelivered: number;
  /** The longest that one of those took, in milliseconds from the moment the program was ready. */
  slowest: number;
  /** Requests that receivers got beyond one an event. */
  repetitions: number;
  /** Whatever must not be: each of these lists is empty. */
  faults: {
    bookingsLost: string[];
    eventsLost: string[];
    eventsOfNothing: string[];
    eventsTwice: string[];
    notSucceeded: string[];
  };
}

async function withDatabase<T>(env: Record<string, string>, work: (d: Database) => Promise<T>) {
  const database = await openDatabase(loadConfig({ ...TEST_ENV, ...env }), createLog('silent'));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function getToken(url: string): Promise<string> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('quartet-demo:demo-secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'read write' }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Books until the program is gone; answers the ids of the bookings that it said it has. */
async function bookOn(url: string, token: string, tripId: string): Promise<string[]> {
  const made: string[] = [];
  const body = JSON.stringify({ trip_id: tripId, passenger_name: 'John Doe' });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  for (;;) {
    try {
      const answer = await fetch(`${url}/bookings`, { method: 'POST', headers, body });
      const { id } = (await answer.json()) as { id: string };
      if (answer.status !== 201) throw new Error(`POST /bookings answered ${answer.status}.`);
      made.push(id);
    } catch (error) {
      if (error instanceof TypeError || error instanceof SyntaxError) return made; // cut off
      throw error;
    }
  }
}

/**
 * Kills the program on the seeded database of `env` by SIGKILL, each time at a random moment under
 * bookings and deliveries, `kills` times and until more bookings than that were acknowledged; starts
 * it once more, and compares what clients, the receiver and the database know.
 */
export async function surviveKills(
  env: Record<string, string>,
  kills: number,
  onKill?: (kill: number) => void,
): Promise<Survival> {
  // A receiver that takes its time: the program dies in the middle of attempts as well.
  await using receiver = await startReceiver(async (_request, response) => {
    await sleep(Math.random() * 50);
    response.writeHead(204).end();
  });
  const tripId = await withDatabase(env, async ({ db }) => {
    await given(db).subscription({ owner: 'operator', receivesAll: true, url: receiver.url });
    return given(db).trip({ seats: 1_000_000 });
  });
  const bookingOf = (body: string) => (JSON.parse(body) as { id: string }).id;
  const acknowledged: string[] = [];
  const survival = { redelivered: 0, slowest: 0 };
  /** Counts what came in this life and belongs to one before; `before` is what had come by then. */
  const countRedelivered = (readyAt: number, before: number, known: Set<string>) => {
    for (const { body, at } of receiver.received.slice(before)) {
      if (!known.delete(bookingOf(body))) continue;
      survival.redelivered += 1;
      survival.slowest = Math.max(survival.slowest, at - readyAt);
    }
  };
  const missing = () => {
    const came = new Set(receiver.received.map(({ body }) => bookingOf(body)));
    return new Set(acknowledged.filter((id) => !came.has(id)));
  };

  for (let kill = 0; kill < kills || acknowledged.length <= kills; kill += 1) {
    const known = missing();
    const before = receiver.received.length;
    await using server = await startServer({ ...env, PUBLIC_URL });
    const readyAt = Date.now();
    const token = await getToken(server.url);
    const clients = Array.from({ length: CLIENTS }, () => bookOn(server.url, token, tripId));
    await sleep(Math.random() * LIFE_MS);
    await server.end('SIGKILL');
    acknowledged.push(...(await Promise.all(clients)).flat());
    countRedelivered(readyAt, before, known);
    onKill?.(kill + 1);
  }

  const known = missing();
  const before = receiver.received.length;
  const server = await startServer({ ...env, PUBLIC_URL });
  const readyAt = Date.now();
  for (const end = readyAt + 30_000; missing().size > 0 && Date.now() < end; ) await sleep(10);
  await sleep(2000); // for what nobody was told of
  await server.end('SIGTERM');
  countRedelivered(readyAt, before, known);

  return withDatabase(env, async ({ db }) => {
    const { rows: made } = await sql<{ id: string }>`
      select id from train.bookings where trip_id = ${tripId}`.execute(db);
    const { rows: open } = await sql<{ id: string }>`
      select id from webhooks.deliveries where state <> 'succeeded'`.execute(db);
    const bookings = new Set(made.map(({ id }) => id));
    const events = new Map<string, Set<string>>();
    for (const { id, body } of receiver.received)
      events.set(bookingOf(body), (events.get(bookingOf(body)) ?? new Set()).add(id));
    return {
      acknowledged: acknowledged.length,
      ...survival,
      repetitions: receiver.received.length - events.size,
      faults: {
        bookingsLost: acknowledged.filter((id) => !bookings.has(id)),
        eventsLost: [...bookings].filter((id) => !events.has(id)),
        eventsOfNothing: [...events.keys()].filter((id) => !bookings.has(id)),
        eventsTwice: [...events].filter(([, ids]) => ids.size > 1).map(([id]) => id),
        notSucceeded: open.map(({ id }) => id),
      },
    };
  });
}
