import { rm, symlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createDatabase, ENGINE, startApp } from '../harness.ts';
import { EXAMPLE_TRIP } from '../given.ts';
import { book, demoToken, type Program, startProgram } from './program.ts';

const quick = { RATE_LIMIT_MAX: '0', LOG_LEVEL: 'silent' };

describe.runIf(ENGINE === 'embedded')('the directory of the embedded engine', () => {
  it('is for one process at a time, by whatever name', async () => {
    await using database = await createDatabase();
    const { DATA_DIR: directory } = database.env as { DATA_DIR: string };
    await using first = await startProgram({ ...database.env, ...quick });
    await first.ready();

    const alias = `${directory}-alias`;
    await symlink(directory, alias);
    for (const DATA_DIR of [directory, alias]) {
      await using second = await startProgram({ ...quick, DATA_DIR });
      expect(await second.exited).toBe(1);
      expect(second.stderr()).toMatch(/^Another process is using [^\n]*DATA_DIR[^\n]*\.\n$/);
      const headers = await demoToken(first.url);
      expect((await book(first.url, headers, EXAMPLE_TRIP)).status).toBe(201);
    }

    // The lock is the kernel's: it ends with the process, however that ends.
    first.kill('SIGKILL');
    await first.exited;
    await using third = await startProgram({ ...database.env, ...quick });
    await third.ready();
    await rm(alias);
  });
});

/** Books one seat after another until the connection breaks; answers where the bookings are. */
async function bookUntilKilled(program: Program, acknowledged: string[]): Promise<void> {
  const headers = await demoToken(program.url);
  for (let number = 0; ; number += 1) {
    // Half of them in a transaction with the answer that is stored beside the booking.
    const key = number % 2 ? { 'idempotency-key': `${program.pid} ${number}` } : {};
    const response = await book(program.url, headers, EXAMPLE_TRIP, key).catch(() => undefined);
    const body = await response?.json().catch(() => undefined);
    if (response?.status !== 201 || body === undefined) return;
    acknowledged.push((body as { id: string }).id);
  }
}

describe.runIf(ENGINE === 'embedded')('a process that is killed while it books', () => {
  it('has every booking that it acknowledged, round after round', async () => {
    await using database = await createDatabase();
    const env = { ...database.env, ...quick, SWEEP_SECONDS: '0' };
    const acknowledged: string[] = [];
    for (let round = 1; round <= 4; round += 1) {
      await using program = await startProgram(env);
      await program.ready();
      const before = acknowledged.length;
      const booking = [1, 2, 3].map(() => bookUntilKilled(program, acknowledged));
      while (acknowledged.length < before + 10 * round) await sleep(5);
      program.kill('SIGKILL');
      await program.exited;
      await Promise.all(booking);
    }
    await using program = await startProgram(env);
    await program.ready();
    const headers = await demoToken(program.url);
    const found = new Set<string>();
    let next: string | undefined = `${program.url}/bookings?limit=100`;
    while (next) {
      const page = await fetch(program.url + next.replace(/^https?:\/\/[^/]+/, ''), { headers });
      const { data, links } = (await page.json()) as {
        data: { id: string }[];
        links: { next?: string };
      };
      for (const { id } of data) found.add(id);
      next = links.next;
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(100);
    expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
    // A request that was cut off may have booked; more than the three each round cannot have.
    expect(found.size - acknowledged.length).toBeLessThanOrEqual(4 * 3);
    const trip = await (await fetch(`${program.url}/trips/${EXAMPLE_TRIP}`)).json();
    const { seats_available } = trip as { seats_available: number };
    expect(seats_available).toBeGreaterThanOrEqual(0);
  });
});

describe.runIf(ENGINE === 'embedded')('the connection of the embedded engine', () => {
  // A query that came while the pool closed an idle connection was never answered.
  it('stays, however long it is idle', async () => {
    await using t = await startApp();
    await t.database.pool.query('select 1');
    let closed = 0;
    t.database.pool.on('remove', () => (closed += 1));
    await sleep(10_500); // the pool's own limit is ten seconds
    await t.database.pool.query('select 1');
    expect(closed).toBe(0);
  });
});
