import { describe, expect, it } from 'vitest';
import type { Station } from '../../src/train/stations.schemas.ts';
import { BERLIN } from '../given.ts';
import { sharedApp } from '../harness.ts';

const t = await sharedApp();

const list = async (query: string): Promise<Station[]> => {
  const answer = await t.inject({ url: `/stations?${query}` });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data;
};

const km = (a: Station, latitude: number, longitude: number): number => {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const half =
    Math.sin(radians(a.latitude - latitude) / 2) ** 2 +
    Math.cos(radians(a.latitude)) *
      Math.cos(radians(latitude)) *
      Math.sin(radians(a.longitude - longitude) / 2) ** 2;
  return 2 * 6371 * Math.asin(Math.sqrt(half));
};

describe('GET /stations', () => {
  it.each([
    ['munchen', 'München Hauptbahnhof'],
    ['MÜNCHEN', 'München Hauptbahnhof'],
    ['zurich', 'Zürich Hauptbahnhof'],
    ['lodz', 'Łódź Fabryczna'],
    ['Berlin Hauptbahnhof', 'Berlin Hauptbahnhof'],
    ['hauptbahnhof berlin', 'Berlin Hauptbahnhof'],
    ['rue de dunkerque', 'Paris Gare du Nord'],
    ['gare+du+nord', 'Paris Gare du Nord'],
  ])('finds %s', async (search, name) => {
    const [first] = await list(`search=${encodeURIComponent(search).replaceAll('%2B', '+')}`);
    expect(first?.name).toBe(name);
  });

  it.each([
    ['berln', 'Berlin'],
    ['pariss', 'Paris'],
    ['amsterdm', 'Amsterdam'],
    ['milao', 'Milano'],
    ['kobenhavm', 'København'],
    ['warszwa', 'Warszawa'],
  ])('forgives the misspelling %s', async (search, city) => {
    const [first] = await list(`search=${search}`);
    expect(first?.name).toContain(city);
  });

  it('shows near misses only where nothing contains the words', async () => {
    for (const { name, address } of await list('search=berlin&limit=100'))
      expect(`${name} ${address}`).toMatch(/berlin/i);
  });

  it('lists the busiest first among equals', async () => {
    expect((await list('search=berlin'))[0]?.id).toBe(BERLIN);
  });

  it('finds nothing for what is like nothing', async () => {
    expect(await list('search=qqqqqqqqqqqq')).toEqual([]);
    expect(await list(`search=${encodeURIComponent('%_\\')}a%25zzzzz`)).toEqual([]);
  });

  it('lists the nearest first', async () => {
    const stations = await list('coordinates=52.5200,13.4050&limit=100');
    const distances = stations.map((station) => km(station, 52.52, 13.405));
    expect(distances).toEqual(distances.toSorted((a, b) => a - b));
    expect(stations[0]?.name).toMatch(/^Berlin/);
    const [antipode] = await list('coordinates=-90,180');
    expect(antipode).toBeDefined();
  });

  it('combines filters', async () => {
    const stations = await list('search=berlin&coordinates=52.5345,13.1975&country=de');
    expect(stations[0]?.name).toBe('Berlin-Spandau');
    expect(await list('search=berlin&country=FR')).toEqual([]);
    for (const { country_code } of await list('country=ch&limit=100'))
      expect(country_code).toBe('CH');
  });

  it('has at least 200 stations in at least 20 countries, each once', async () => {
    const all: Station[] = [];
    for (let page = 1; ; page++) {
      const stations = await list(`limit=100&page=${page}`);
      if (stations.length === 0) break;
      all.push(...stations);
    }
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(200);
    expect(new Set(all.map((each) => each.country_code)).size).toBeGreaterThanOrEqual(20);
  });

  it.each([
    ['coordinates=91,0', 'coordinates'],
    ['coordinates=0,181', 'coordinates'],
    ['coordinates=52.5', 'coordinates'],
    ['coordinates=a,b', 'coordinates'],
    ['coordinates=NaN,NaN', 'coordinates'],
    ['coordinates=1,2,3', 'coordinates'],
    ['coordinates=', 'coordinates'],
    ['search=', 'search'],
    ['search=%20', 'search'],
    [`search=${'a'.repeat(201)}`, 'search'],
    ['search=a&search=b', 'search'],
    ['country=DEU', 'country'],
    ['country=1', 'country'],
    ['page=0', 'page'],
    ['page=1.5', 'page'],
    ['page=1e3', 'page'],
    ['page=', 'page'],
    ['page=99999999999999999999', 'page'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
  ])('refuses %s', async (query, parameter) => {
    const answer = await t.inject({ url: `/stations?${query}` });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toEqual([{ parameter, detail: expect.stringMatching(/\w/) }]);
  });
});

describe('GET /stations/{stationId}', () => {
  it('answers the station, also for an id in capitals', async () => {
    for (const id of [BERLIN, BERLIN.toUpperCase()]) {
      const answer = await t.inject({ url: `/stations/${id}` });
      expect(answer.json()).toMatchObject({
        id: BERLIN,
        name: 'Berlin Hauptbahnhof',
        country_code: 'DE',
        timezone: 'Europe/Berlin',
      });
    }
  });

  it('is 404 for an unknown id and 400 for what is no id', async () => {
    const unknown = await t.inject({ url: '/stations/0194a1f0-7a00-7000-8000-000000000000' });
    expect(unknown.statusCode).toBe(404);
    const none = await t.inject({ url: '/stations/berlin' });
    expect(none.statusCode).toBe(400);
    expect(none.json().errors[0].parameter).toBe('stationId');
  });

  it('asks for no token, but refuses a wrong one', async () => {
    const answer = await t.inject({
      url: '/stations',
      headers: { authorization: 'Bearer nonsense' },
    });
    expect(answer.statusCode).toBe(401);
  });
});
