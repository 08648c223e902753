import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { CURATOR } from '../given.ts';
import { sharedApp } from '../harness.ts';

const t = await sharedApp();
// Without anybody who wants them, events are not written.
await t.given.subscription({ owner: 'somebody', eventType: 'publishNewEvent', receivesAll: true });

const UNKNOWN = '0194a1f0-7a00-7000-8000-000000000000';
const EVENT = {
  name: 'Silent Disco',
  location: 'Roof',
  eventDescription: 'Headphones are given out.',
  dates: ['2027-06-01', '2027-06-02'],
  price: 20,
};
type Event = typeof EVENT & { eventId: string };

const call = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  payload?: object,
  headers: object = {},
) =>
  t.inject({ method, url: path, headers: { ...CURATOR, ...headers }, ...(payload && { payload }) });

const created = async (): Promise<Event> => (await call('POST', '/special-events', EVENT)).json();
const at = ({ eventId }: Event) => `/special-events/${eventId}`;
const buy = ({ eventId }: Event, ticketDate = '2027-06-01') =>
  t.inject({
    method: 'POST',
    url: '/tickets',
    payload: { ticketType: 'event', eventId, ticketDate },
  });

/** What subscribers are told of an event, oldest first. */
async function published({ eventId }: Event) {
  const { rows } = await sql<{ payload: object }>`
    select payload from webhooks.events where payload ->> 'eventId' = ${eventId}
    order by id`.execute(t.db);
  return rows.map(({ payload }) => payload);
}

const CHANGES = {
  name: 'Loud Disco',
  location: 'Cellar',
  eventDescription: 'Ear plugs are given out.',
  dates: ['2027-06-02', '2027-12-31', '2028-02-29'],
  price: 0,
};
const NAMES = Object.keys(CHANGES) as (keyof typeof CHANGES)[];
const SUBSETS = Array.from({ length: 2 ** NAMES.length }, (_, bits) =>
  NAMES.filter((_name, index) => bits & (1 << index)),
);

describe('PATCH /special-events/{eventId}', () => {
  it('changes any subset of the members, and publishes each change once', async () => {
    expect(SUBSETS).toHaveLength(32);
    for (const names of SUBSETS) {
      if (names.length === 0) continue;
      const event = await created();
      const change = Object.fromEntries(names.map((name) => [name, CHANGES[name]]));
      const answer = await call('PATCH', at(event), change);
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.json()).toEqual({ ...event, ...change });
      const read = await call('GET', at(event));
      expect([read.body, read.headers['etag']]).toEqual([answer.body, answer.headers['etag']]);
      expect(await published(event)).toEqual([event, answer.json()]);
    }
  });

  it('publishes nothing where it makes no difference', async () => {
    const event = await created();
    for (const change of [event, { price: 20 }, { dates: EVENT.dates.toReversed() }]) {
      const answer = await call('PATCH', at(event), change);
      expect([answer.statusCode, answer.json()]).toEqual([200, event]);
    }
    expect(await published(event)).toHaveLength(1);
  });

  it('refuses an empty or wrong change, and changes nothing', async () => {
    const event = await created();
    for (const change of [
      {},
      { eventId: event.eventId },
      { price: -1 },
      { price: null },
      { dates: [] },
      { name: 'Other', colour: 'red' },
      { name: 'Other', dates: ['2027-02-29'] },
    ]) {
      const answer = await call('PATCH', at(event), change);
      expect(answer.statusCode, JSON.stringify(change)).toBe(400);
      expect(answer.json().errors.length).toBeGreaterThan(0);
    }
    expect((await call('PATCH', at(event), {})).json().errors).toEqual([
      {
        pointer: '',
        detail: 'must have at least one of name, location, eventDescription, dates, price',
      },
    ]);
    expect((await call('PATCH', at(event))).statusCode).toBe(400);
    expect((await call('GET', at(event))).json()).toEqual(event);
    expect(await published(event)).toHaveLength(1);
    const unknown = await call('PATCH', `/special-events/${UNKNOWN}`, { price: 1 });
    expect(unknown.statusCode).toBe(404);
  });

  it('honours If-Match', async () => {
    const event = await created();
    const etag = String((await call('GET', at(event))).headers['etag']);
    const stale = { 'if-match': '"another"' };
    expect((await call('PATCH', at(event), { price: 1 }, stale)).statusCode).toBe(412);
    expect((await call('DELETE', at(event), undefined, stale)).statusCode).toBe(412);
    expect(await published(event)).toHaveLength(1);
    const first = await call('PATCH', at(event), { price: 1 }, { 'if-match': etag });
    expect(first.statusCode).toBe(200);
    expect((await call('PATCH', at(event), { price: 2 }, { 'if-match': etag })).statusCode).toBe(
      412,
    );
    const now = { 'if-match': String(first.headers['etag']) };
    expect((await call('DELETE', at(event), undefined, now)).statusCode).toBe(204);
    expect((await call('DELETE', at(event), undefined, now)).statusCode).toBe(404);
  });

  it('loses no change where many come at once', async () => {
    const event = await created();
    const answers = await Promise.all(
      NAMES.map((name) => call('PATCH', at(event), { [name]: CHANGES[name] })),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(200));
    expect((await call('GET', at(event))).json()).toEqual({ ...event, ...CHANGES });
    const told = await published(event);
    expect(told).toHaveLength(6);
    expect(told).toContainEqual({ ...event, ...CHANGES });
  });
});

describe('DELETE /special-events/{eventId}', () => {
  it('cancels: the event is gone everywhere, its tickets stay and are void', async () => {
    const event = await created();
    const { ticketId, ...bought } = (await buy(event)).json();
    expect((await call('DELETE', at(event))).statusCode).toBe(204);
    for (const [method, payload] of [
      ['GET', undefined],
      ['PATCH', { price: 1 }],
      ['DELETE', undefined],
    ] as const)
      expect((await call(method, at(event), payload)).statusCode).toBe(404);
    expect((await call('PATCH', at(event), { price: 1 }, { 'if-match': '*' })).statusCode).toBe(
      404,
    );
    expect((await call('GET', '/special-events?startDate=2027-06-01&limit=30')).body).not.toContain(
      event.eventId,
    );
    const refused = await buy(event);
    expect(refused.statusCode).toBe(404);
    expect(refused.json().detail).toBe(`There is no special event ${event.eventId}.`);
    const ticket = (await t.inject({ url: `/tickets/${ticketId}` })).json();
    expect(ticket).toMatchObject({ eventName: 'Silent Disco', status: 'void' });
    expect(ticket.confirmationCode).toBe(bought.confirmationCode);
    expect(await published(event)).toHaveLength(1);
  });

  it('is done by one of many that try', async () => {
    const event = await created();
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('DELETE', at(event))));
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(statuses.filter((status) => status === 404)).toHaveLength(7);
  });

  it('against PATCH: what is published was not cancelled before', async () => {
    for (let round = 0; round < 10; round += 1) {
      const event = await created();
      const [changed, deleted] = await Promise.all([
        call('PATCH', at(event), { price: 7 }),
        call('DELETE', at(event)),
      ]);
      expect(deleted.statusCode).toBe(204);
      expect([200, 404]).toContain(changed.statusCode);
      expect(await published(event)).toHaveLength(changed.statusCode === 200 ? 2 : 1);
    }
  });

  it('against buying: whoever got a ticket has one, and it is void', async () => {
    const event = await created();
    const [deleted, ...bought] = await Promise.all([
      call('DELETE', at(event)),
      ...Array.from({ length: 12 }, () => buy(event)),
    ]);
    expect(deleted.statusCode).toBe(204);
    for (const answer of bought) {
      expect([201, 404]).toContain(answer.statusCode);
      if (answer.statusCode === 404) continue;
      const { ticketId } = answer.json();
      expect((await t.inject({ url: `/tickets/${ticketId}` })).json().status).toBe('void');
    }
  });
});

it('a ticket is void while its event is not held on its date', async () => {
  const event = await created();
  const { ticketId } = (await buy(event)).json();
  const status = async () => (await t.inject({ url: `/tickets/${ticketId}` })).json().status;
  expect(await status()).toBe('valid');
  await call('PATCH', at(event), { dates: ['2027-06-02'] });
  expect(await status()).toBe('void');
  await call('PATCH', at(event), { dates: ['2027-06-01', '2027-06-02'] });
  expect(await status()).toBe('valid');
});
