import fc from 'fast-check';
import { afterEach, describe, expect, it, test } from 'vitest';
import { sql } from 'kysely';
import { holidaysOf } from '../../src/museum/seed/holidays.ts';
import { listOpenDays, setException, setWeeklyHours } from '../../src/museum/hours.queries.ts';
import { sharedApp, startApp } from '../harness.ts';

const t = await sharedApp();

const hours = async (query = '') => {
  const answer = await t.inject({ url: `/museum-hours${query}` });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json() as { date: string; timeOpen: string; timeClose: string }[];
};
const dates = async (query: string) => (await hours(query)).map(({ date }) => date);

const DAY_MS = 86_400_000;
const plusDays = (date: string, days: number) =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);

describe('GET /museum-hours', () => {
  it('answers the published example', async () => {
    const [usual, friday] = [
      { timeOpen: '09:00', timeClose: '18:00' },
      { timeOpen: '10:00', timeClose: '16:00' },
    ];
    expect(await hours('?startDate=2023-09-11')).toEqual([
      { date: '2023-09-11', ...usual },
      { date: '2023-09-12', ...usual },
      { date: '2023-09-13', ...usual },
      { date: '2023-09-14', ...usual },
      { date: '2023-09-15', ...friday },
      { date: '2023-09-18', ...usual },
      { date: '2023-09-19', ...usual },
      { date: '2023-09-20', ...usual },
      { date: '2023-09-21', ...usual },
      { date: '2023-09-22', ...friday },
    ]);
  });

  it('has leap days where they are, and goes on over the end of a year', async () => {
    expect(await dates('?startDate=2024-02-28&limit=3')).toEqual([
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
    ]);
    expect(await dates('?startDate=2100-02-26&limit=2')).toEqual(['2100-02-26', '2100-03-01']);
    expect(await dates('?startDate=2019-12-31&limit=2')).toEqual(['2019-12-31', '2020-01-01']);
  });

  it('has pages that follow on one another, the neighbours in the header Link', async () => {
    const all = await dates('?startDate=2030-01-01&limit=30');
    const paged = [];
    for (const page of [1, 2, 3, 4, 5])
      paged.push(...(await dates(`?startDate=2030-01-01&limit=6&page=${page}`)));
    expect(paged).toEqual(all);
    const { headers } = await t.inject({ url: '/museum-hours?startDate=2030-01-01&page=2' });
    const at = 'http://127.0.0.1:3000/museum-hours?startDate=2030-01-01&page=';
    expect(headers['link']).toBe(`<${at}3>; rel="next", <${at}1>; rel="prev"`);
    expect(headers['cache-control']).toBe('no-cache');
  });

  it('is full however far ahead, and ends with the year 9999', async () => {
    expect(await hours('?startDate=2026-01-01&limit=30&page=5000')).toHaveLength(30);
    expect(await dates('?startDate=9999-12-28')).toEqual([
      '9999-12-28',
      '9999-12-29',
      '9999-12-30',
      '9999-12-31',
    ]);
    expect(await hours('?startDate=9999-12-28&page=2')).toEqual([]);
    expect(await hours('?limit=30&page=2147483647')).toEqual([]);
    expect(await dates('?startDate=0001-01-01&limit=1')).toEqual(['0001-01-01']);
  });

  it.each([
    ['startDate=2023-02-29', 'startDate'],
    ['startDate=', 'startDate'],
    ['startDate=0000-01-01', 'startDate'],
    ['startDate=2023-09-11T00:00:00Z', 'startDate'],
    ['limit=31', 'limit'],
    ['limit=0', 'limit'],
    ['page=0', 'page'],
    ['page=1.5', 'page'],
  ])('refuses ?%s', async (query, parameter) => {
    const answer = await t.inject({ url: `/museum-hours?${query}` });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toMatchObject([{ parameter }]);
  });

  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('starts today in %s', async (timezone) => {
    // These two are never on the same date, so one of them differs from the process's.
    const today = () =>
      new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' }).format();
    const before = today();
    const options = { startDate: undefined, timezone, limit: 400, offset: 0 };
    await using other = await startApp({ env: { MUSEUM_TIMEZONE: timezone } });
    for (const weekday of [6, 7])
      await setWeeklyHours(other.db, weekday, { open: '11:00', close: '15:00' });
    await sql`delete from museum.hours_exceptions`.execute(other.db);
    const [first] = (await other.inject({ url: '/museum-hours' })).json();
    expect([before, today()]).toContain(first.date);
    expect(await listOpenDays(other.db, options)).toHaveLength(400);
  });
});

test('holidays of a year are seeded, by the calendar', async () => {
  expect(holidaysOf(2027).map(({ date }) => date)).toEqual([
    '2027-01-01',
    '2027-05-31',
    '2027-05-15',
    // Independence Day, Christmas Day: a weekend.
    '2027-09-06',
    '2027-11-25',
    '2027-12-24',
    '2027-12-31',
  ]);
  const { rows } = await sql<{ count: number; past: number; late: number }>`
    select count(*), count(*) filter (where date < current_date - 1) as past,
           count(*) filter (where date > current_date + 367) as late
    from museum.hours_exceptions`.execute(t.db);
  const [{ count, past, late } = { count: 0, past: 1, late: 1 }] = rows;
  expect(count).toBeGreaterThanOrEqual(6);
  expect([past, late]).toEqual([0, 0]);
});

describe('with any week and any exceptions', () => {
  afterEach(async () => {
    await sql`delete from museum.hours_exceptions`.execute(t.db);
  });

  const anyHours = fc.constantFrom(
    null,
    { open: '09:00', close: '18:00' },
    { open: '00:00', close: '23:59' },
  );
  const START = '2024-02-20';

  it('each page is the one that counting day by day finds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyHours, { minLength: 7, maxLength: 7 }),
        fc.dictionary(fc.integer({ min: -5, max: 60 }).map(String), anyHours, { maxKeys: 12 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 60 }),
        async (week, exceptions, limit, offset) => {
          await sql`delete from museum.hours_exceptions`.execute(t.db);
          for (const [index, each] of week.entries()) await setWeeklyHours(t.db, index + 1, each);
          for (const [day, each] of Object.entries(exceptions))
            await setException(t.db, plusDays(START, Number(day)), each, undefined);
          const expected = [];
          for (let day = 0; day < 800 && expected.length < offset + limit; day += 1) {
            const date = plusDays(START, day);
            const weekday = (new Date(date).getUTCDay() + 6) % 7;
            const each = day in exceptions ? exceptions[day] : week[weekday];
            if (each) expected.push({ date, timeOpen: each.open, timeClose: each.close });
          }
          const options = { startDate: START, timezone: 'UTC', limit, offset };
          expect(await listOpenDays(t.db, options)).toEqual(expected.slice(offset));
        },
      ),
      { numRuns: 60 },
    );
  });
});
