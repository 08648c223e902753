import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { EXAMPLE_EVENTS } from '../../src/museum/seed/examples.ts';
import { CURATOR, MERMAIDS } from '../given.ts';
import { sharedApp } from '../harness.ts';

const t = await sharedApp();
// Without anybody who wants them, events are not written.
await t.given.subscription({ owner: 'somebody', eventType: 'publishNewEvent', receivesAll: true });

const UNKNOWN = '0194a1f0-7a00-7000-8000-000000000000';
const DINOSAURS = {
  name: 'Dinosaurs at Night 🦕',
  location: 'Hall B — «Grand»',
  eventDescription: 'Bring a torch.\n\tAnd be quiet.',
  dates: ['2027-12-31', '2028-01-01', '2028-02-29'],
  price: 12.5,
};

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
const call = (method: Method, path = '', payload?: object, headers: object = {}) =>
  t.inject({
    method,
    url: `/special-events${path}`,
    headers: { ...CURATOR, ...headers },
    ...(payload && { payload }),
  });

const created = async (changes: object = {}) => {
  const answer = await call('POST', '', { ...DINOSAURS, ...changes });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json() as typeof DINOSAURS & { eventId: string };
};

/** What subscribers are told of an event, oldest first. */
async function published(eventId: string) {
  const { rows } = await sql<{ payload: object; owner: string }>`
    select payload, owner from webhooks.events
    where type = 'publishNewEvent' and payload ->> 'eventId' = ${eventId}
    order by id`.execute(t.db);
  expect(rows.every(({ owner }) => owner === 'museum')).toBe(true);
  return rows.map(({ payload }) => payload);
}

describe('POST /special-events', () => {
  it('creates the event, and publishes it once as it is shown', async () => {
    const answer = await call('POST', '', DINOSAURS);
    expect(answer.statusCode).toBe(201);
    const event = answer.json();
    expect(event).toEqual({ ...DINOSAURS, eventId: expect.stringMatching(/^[\da-f-]{36}$/) });
    expect(answer.headers['location']).toBe(
      `http://127.0.0.1:3000/special-events/${event.eventId}`,
    );
    const read = await call('GET', `/${event.eventId.toUpperCase()}`);
    expect(read.json()).toEqual(event);
    expect(read.headers['etag']).toBe(answer.headers['etag']);
    expect(await published(event.eventId)).toEqual([event]);
  });

  it('puts the dates in order, and takes back what it gave', async () => {
    const event = await created({ dates: ['2028-02-29', '2027-12-31'] });
    expect(event.dates).toEqual(['2027-12-31', '2028-02-29']);
    const again = await created(event);
    expect(again.eventId).not.toBe(event.eventId);
  });

  it('refuses what is no event, names every fault, and publishes nothing', async () => {
    const faults = async (payload: object) => {
      const answer = await call('POST', '', payload);
      expect(answer.statusCode, answer.body).toBe(400);
      return answer.json().errors.map(({ pointer }: { pointer: string }) => pointer);
    };
    const before = await sql`select 1 from webhooks.events`.execute(t.db);
    expect((await faults({})).toSorted()).toEqual([
      '/dates',
      '/eventDescription',
      '/location',
      '/name',
      '/price',
    ]);
    for (const [changes, pointer] of [
      [{ name: '' }, '/name'],
      [{ name: ' \u00a0\u200b' }, '/name'],
      [{ name: 'a\u0000b' }, '/name'],
      [{ name: 'a\nb' }, '/name'],
      [{ name: '\ud800' }, '/name'],
      [{ name: 'x'.repeat(201) }, '/name'],
      [{ location: 7 }, '/location'],
      [{ eventDescription: 'a\u0000b' }, '/eventDescription'],
      [{ eventDescription: 'x'.repeat(5001) }, '/eventDescription'],
      [{ dates: [] }, '/dates'],
      [{ dates: '2027-01-01' }, '/dates'],
      [{ dates: ['2027-01-01', '2027-01-01'] }, '/dates'],
      [{ dates: ['2027-02-29'] }, '/dates/0'],
      [{ dates: ['2027-01-01T00:00:00Z'] }, '/dates/0'],
      [{ dates: [null] }, '/dates/0'],
      [{ dates: ['0000-01-01'] }, '/dates/0'],
      [{ price: -0.01 }, '/price'],
      [{ price: '12' }, '/price'],
      [{ price: 0.001 }, '/price'],
      [{ price: 12.345 }, '/price'],
      [{ price: 1_000_001 }, '/price'],
      [{ colour: 'red' }, '/colour'],
    ] as const)
      expect(await faults({ ...DINOSAURS, ...changes }), JSON.stringify(changes)).toEqual([
        pointer,
      ]);
    expect((await sql`select 1 from webhooks.events`.execute(t.db)).rows).toHaveLength(
      before.rows.length,
    );
  });

  it('takes 366 dates and no more, however many are sent', async () => {
    const day = (index: number) =>
      new Date(Date.UTC(2028, 0, 1 + index)).toISOString().slice(0, 10);
    const days = Array.from({ length: 4000 }, (_, index) => day(index));
    expect((await created({ dates: days.slice(0, 366) })).dates).toHaveLength(366);
    for (const dates of [days.slice(0, 367), days, Array(4000).fill('no date')]) {
      const answer = await call('POST', '', { ...DINOSAURS, dates });
      expect(answer.statusCode).toBe(400);
      expect(answer.json().errors.length).toBeLessThanOrEqual(101);
    }
  });

  it('keeps a price to the cent, and a date on its day', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 100_000_000 }),
        fc.date({
          min: new Date('0001-01-01'),
          max: new Date('9999-12-31'),
          noInvalidDate: true,
        }),
        async (cents, date) => {
          const dates = [date.toISOString().slice(0, 10)];
          const event = await created({ price: cents / 100, dates });
          expect([event.price, event.dates]).toEqual([cents / 100, dates]);
          expect((await published(event.eventId))[0]).toEqual(event);
          await sql`delete from museum.events where id = ${event.eventId}`.execute(t.db);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('creates one for an Idempotency-Key, and gives it to nobody else', async () => {
    const key = { 'idempotency-key': 'night-shift' };
    const [one, two] = [
      await call('POST', '', DINOSAURS, key),
      await call('POST', '', DINOSAURS, key),
    ];
    expect(two.body).toBe(one.body);
    expect(two.headers['idempotency-replayed']).toBe('true');
    expect(two.headers['location']).toBe(one.headers['location']);
    expect(await published(one.json().eventId)).toHaveLength(1);
    expect((await call('POST', '', { ...DINOSAURS, price: 1 }, key)).statusCode).toBe(422);
  });
});

describe('GET /special-events', () => {
  const ids = async (query: string) => {
    const answer = await call('GET', query);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json().map(({ eventId }: { eventId: string }) => eventId);
  };

  it('has the ten published events, by their first dates', async () => {
    const events = (await call('GET', '?endDate=2023-12-31')).json();
    expect(events).toHaveLength(10);
    expect(events.toSorted(compare)).toEqual(EXAMPLE_EVENTS.toSorted(compare));
    const first = events.map(({ dates }: { dates: string[] }) => dates[0]);
    expect(first).toEqual(first.toSorted());
  });
  const compare = (a: { eventId: string }, b: { eventId: string }) =>
    a.eventId < b.eventId ? -1 : 1;

  it('counts a date, not the span between the first and the last', async () => {
    const { eventId } = await created({ dates: ['2031-12-30', '2032-02-29', '2032-12-31'] });
    for (const query of [
      '?startDate=2031-12-30&endDate=2031-12-30',
      '?startDate=2032-02-29&endDate=2032-02-29',
      '?startDate=2032-12-31&endDate=2032-12-31',
      '?startDate=2032-12-31',
      '?startDate=2031-12-31&endDate=2032-03-01',
    ])
      expect(await ids(query), query).toEqual([eventId]);
    for (const query of [
      '?startDate=2031-12-31&endDate=2032-02-28',
      '?startDate=2032-03-01&endDate=2032-12-30',
      '?startDate=2033-01-01',
    ])
      expect(await ids(query), query).toEqual([]);
    expect(await ids('?startDate=2023-11-11&endDate=2023-11-16')).toEqual([]);
    expect(await ids('?endDate=2023-09-04')).toEqual([]);
  });

  it('has pages', async () => {
    const all = await ids('?endDate=2023-12-31&limit=30');
    const [one, two] = [await ids('?limit=4'), await ids('?limit=4&page=2')];
    expect([...one, ...two]).toEqual(all.slice(0, 8));
    expect(await ids('?page=2147483647&limit=30')).toEqual([]);
    const { headers } = await call('GET', '?limit=4');
    expect(headers['link']).toBe(
      '<http://127.0.0.1:3000/special-events?limit=4&page=2>; rel="next"',
    );
  });

  it('refuses a range that ends before it starts', async () => {
    const answer = await call('GET', '?startDate=2024-01-02&endDate=2024-01-01');
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toEqual([
      { parameter: 'endDate', detail: 'must not be before startDate, 2024-01-02' },
    ]);
  });
});

it('GET of one answers 304 where the client has it', async () => {
  const { headers } = await call('GET', `/${MERMAIDS}`);
  const known = await call('GET', `/${MERMAIDS}`, undefined, { 'if-none-match': headers['etag'] });
  expect([known.statusCode, known.body]).toEqual([304, '']);
  expect((await call('GET', `/${UNKNOWN}`)).statusCode).toBe(404);
  expect((await call('GET', '/mermaids')).statusCode).toBe(400);
});
