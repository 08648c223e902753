import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BERLIN, PARIS } from '../given.ts';
import { startApp, type TestApp } from '../harness.ts';
import { expectProblem } from './exchange.ts';

const PUBLIC_URL = 'https://api.example.com';
const BOOKINGS = 13;

interface Page {
  data: { id: string }[];
  links: { self: string; next?: string; prev?: string };
}

let t: TestApp;
let ann: { authorization: string };
let ids: string[];
beforeAll(async () => {
  t = await startApp({ env: { PUBLIC_URL } });
  ann = await t.as();
  const trip = await t.given.trip({ seats: 50 });
  ids = [];
  for (let number = 0; number < BOOKINGS; number += 1) {
    const payload = { trip_id: trip, passenger_name: `Passenger ${number}` };
    const answer = await t.inject({ method: 'POST', url: '/bookings', headers: ann, payload });
    ids.unshift(answer.json().id);
  }
});
afterAll(async () => t[Symbol.asyncDispose]());

/** Asks for the page that an absolute link leads to. */
async function follow(link: string, app = t, headers: object = ann): Promise<Page> {
  expect(link.startsWith(`${PUBLIC_URL}/`)).toBe(true);
  const answer = await app.inject({ url: link.slice(PUBLIC_URL.length), headers: { ...headers } });
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

/** Every page from `link` on, by `next`. */
async function walk(link: string): Promise<Page[]> {
  const pages: Page[] = [];
  for (let next: string | undefined = link; next; next = pages.at(-1)?.links.next)
    pages.push(await follow(next));
  return pages;
}

describe('the links of a list', () => {
  it.each(['[]', 'a|b', '"<>"', '{}', '`^\\', 'é', '#x'])(
    'are URIs also where %s was sent',
    async (odd) => {
      const { links } = await follow(`${PUBLIC_URL}/stations?limit=1&search=m&odd=${odd}`);
      for (const link of [links.self, links.next])
        expect(link).toMatch(/^https:[\w\-.~:/?@!$&'()*+,;=%]+$/);
      expect(links.self).toContain('limit=1&search=m&odd=');
    },
  );

  it('visit each item once, in order, whatever the size of a page', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 100 }), async (limit) => {
        const pages = await walk(`${PUBLIC_URL}/bookings?limit=${limit}`);
        expect(pages.flatMap((page) => page.data.map(({ id }) => id))).toEqual(ids);
        expect(pages).toHaveLength(Math.ceil(BOOKINGS / limit));
        for (const [index, page] of pages.entries()) {
          expect(page.data.length).toBeLessThanOrEqual(limit);
          if (index === 0) expect(page.links).not.toHaveProperty('prev');
          else expect((await follow(`${page.links.prev}`)).data).toEqual(pages[index - 1]?.data);
        }
      }),
      { numRuns: 15, examples: [[1], [BOOKINGS - 1], [BOOKINGS], [BOOKINGS + 1], [100]] },
    );
  });

  it('visit each station of a search once', async () => {
    const whole = await follow(`${PUBLIC_URL}/stations?search=hauptbahnhof&limit=100`);
    expect(whole.data.length).toBeGreaterThan(10);
    const pages = await walk(`${PUBLIC_URL}/stations?search=hauptbahnhof&limit=7`);
    const visited = pages.flatMap((page) => page.data.map(({ id }) => id)).slice(0, 100);
    expect(visited).toEqual(whole.data.map(({ id }) => id));
    expect(new Set(visited).size).toBe(visited.length);
  });

  it('keep every other parameter, on the public address, whatever Host says', async () => {
    const query = 'search=%C3%96st%26%2B%20x&country=de&limit=1&page=2&unknown=a%2Fb&empty=';
    const asked = await t.inject({
      url: `/stations?${query}`,
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    });
    const { links }: Page = asked.json();
    expect(links.self).toBe(`${PUBLIC_URL}/stations?${query}`);
    const other = (link: string | undefined, page: string) => {
      const { origin, pathname, searchParams } = new URL(`${link}`);
      expect([origin, pathname]).toEqual([PUBLIC_URL, '/stations']);
      expect(Object.fromEntries(searchParams)).toEqual({
        search: 'Öst&+ x',
        country: 'de',
        limit: '1',
        page,
        unknown: 'a/b',
        empty: '',
      });
    };
    other(links.prev, '1');
    if (links.next) other(links.next, '3');
  });

  it('end beyond the last page, which is empty and no error', async () => {
    const last: Page = (
      await t.inject({ url: `/bookings?limit=${BOOKINGS}&page=1`, headers: ann })
    ).json();
    expect(last.links).not.toHaveProperty('next');
    for (const page of [3, 1000, 2_147_483_647]) {
      const beyond: Page = await follow(`${PUBLIC_URL}/bookings?page=${page}&limit=100`);
      expect(beyond.data).toEqual([]);
      expect(beyond.links).not.toHaveProperty('next');
      expect(beyond.links).toHaveProperty('prev');
    }
  });
});

describe('page and limit', () => {
  it('are 1 and 10 unless given', async () => {
    const page = await follow(`${PUBLIC_URL}/bookings`);
    expect(page.data.map(({ id }) => id)).toEqual(ids.slice(0, 10));
    expect(new URL(`${page.links.next}`).searchParams.get('page')).toBe('2');
  });

  const trips = `/trips?origin=${BERLIN}&destination=${PARIS}&date=2024-02-01`;
  it.for(['/stations?', '/bookings?', `/bookings/ID/payment?`, `${trips}&`])(
    '%s refuses what is out of bounds',
    async (path) => {
      const url = path.replace('ID', ids[0] ?? '');
      for (const [name, value] of [
        ...['0', '-1', '101', '1.5', '1e1', '', 'ten', '٣', '1,2'].map((each) => ['limit', each]),
        ...['0', '-1', '2147483648', '99999999999999999999', '1.0', 'first', 'null'].map((each) => [
          'page',
          each,
        ]),
      ] as const) {
        const query = `${name}=${encodeURIComponent(`${value}`)}`;
        const answer = await t.inject({ url: url + query, headers: ann });
        const { errors } = expectProblem(answer, 'invalid-request', PUBLIC_URL);
        expect([query, errors?.map((fault) => fault.parameter)]).toEqual([query, [name]]);
      }
    },
  );
});

describe('TRAIN_BASE_PATH', () => {
  it('moves every path and every link', async () => {
    await using moved = await startApp({ env: { PUBLIC_URL, TRAIN_BASE_PATH: '/trains' } });
    const headers = await moved.as();
    expectProblem(await moved.inject({ url: '/stations' }), 'not-found', PUBLIC_URL);

    const stations = await follow(`${PUBLIC_URL}/trains/stations?limit=1`, moved);
    expect(stations.links.next).toMatch(`${PUBLIC_URL}/trains/stations?`);
    await follow(`${stations.links.next}`, moved);

    const payload = { trip_id: await moved.given.trip(), passenger_name: 'John Doe' };
    const booked = await moved.inject({
      method: 'POST',
      url: '/trains/bookings',
      headers,
      payload,
    });
    const self = `${PUBLIC_URL}/trains/bookings/${booked.json().id}`;
    expect([booked.headers['location'], booked.json().links.self]).toEqual([self, self]);
    await follow(self, moved, headers);

    const trip = (await moved.inject({ url: `/trains/trips/${payload.trip_id}` })).json();
    for (const link of Object.values<string>(trip.links)) await follow(link, moved);

    const refused = await moved.inject({ url: '/trains/bookings' });
    const metadata = /resource_metadata="([^"]+)"/.exec(`${refused.headers['www-authenticate']}`);
    const described = await follow(`${metadata?.[1]}`, moved, {});
    expect(described).toMatchObject({ resource: expect.stringContaining(PUBLIC_URL) });
    const problem = expectProblem(refused, 'unauthorized', PUBLIC_URL);
    expect(problem.instance).toBe('/trains/bookings');
  });
});
