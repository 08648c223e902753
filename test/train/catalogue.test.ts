import { describe, expect, it } from 'vitest';
import { expandLine, loadCatalogue } from '../../src/train/catalogue/catalogue.ts';
import type { CatalogueStation, Line } from '../../src/train/catalogue/catalogue.ts';
import stationRows from '../../src/train/catalogue/stations.json' with { type: 'json' };
import lineRows from '../../src/train/catalogue/lines.json' with { type: 'json' };

const { stations, services } = loadCatalogue();
const byId = new Map(stations.map((station) => [station.id, station]));
const stationByKey = new Map<string, CatalogueStation>(stationRows.map((row) => [row.key, row]));
const idOf = (key: string) => stationByKey.get(key)?.id;

/** The services of a day's timetable from one station to another, by station key. */
const between = (from: string, to: string) =>
  services.filter((s) => s.origin_id === idOf(from) && s.destination_id === idOf(to));

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const ZONES: Record<string, string[]> = {
  AT: ['Europe/Vienna'],
  BA: ['Europe/Sarajevo'],
  BE: ['Europe/Brussels'],
  BG: ['Europe/Sofia'],
  CH: ['Europe/Zurich'],
  CZ: ['Europe/Prague'],
  DE: ['Europe/Berlin'],
  DK: ['Europe/Copenhagen'],
  EE: ['Europe/Tallinn'],
  ES: ['Europe/Madrid'],
  FI: ['Europe/Helsinki'],
  FR: ['Europe/Paris'],
  GB: ['Europe/London'],
  GR: ['Europe/Athens'],
  HR: ['Europe/Zagreb'],
  HU: ['Europe/Budapest'],
  IE: ['Europe/Dublin'],
  IT: ['Europe/Rome'],
  LT: ['Europe/Vilnius'],
  LU: ['Europe/Luxembourg'],
  LV: ['Europe/Riga'],
  MC: ['Europe/Monaco'],
  MD: ['Europe/Chisinau'],
  ME: ['Europe/Podgorica'],
  NL: ['Europe/Amsterdam'],
  NO: ['Europe/Oslo'],
  PL: ['Europe/Warsaw'],
  PT: ['Europe/Lisbon'],
  RO: ['Europe/Bucharest'],
  RS: ['Europe/Belgrade'],
  SE: ['Europe/Stockholm'],
  SI: ['Europe/Ljubljana'],
  SK: ['Europe/Bratislava'],
  TR: ['Europe/Istanbul'],
  UA: ['Europe/Kyiv'],
};

function kilometres(a: CatalogueStation, b: CatalogueStation): number {
  const rad = (degrees: number) => (degrees * Math.PI) / 180;
  const h =
    Math.sin(rad(b.latitude - a.latitude) / 2) ** 2 +
    Math.cos(rad(a.latitude)) *
      Math.cos(rad(b.latitude)) *
      Math.sin(rad(b.longitude - a.longitude) / 2) ** 2;
  return 2 * 6371 * Math.asin(Math.sqrt(h));
}

describe('stations', () => {
  it('are many, in many countries', () => {
    expect(stations.length).toBeGreaterThanOrEqual(200);
    expect(new Set(stations.map((s) => s.country_code)).size).toBeGreaterThanOrEqual(20);
  });

  it('have unique ids, keys and names', () => {
    for (const field of ['id', 'key', 'name'] as const) {
      expect(new Set(stationRows.map((row) => row[field])).size).toBe(stationRows.length);
    }
    for (const row of stationRows) {
      expect(row.id).toMatch(UUID);
      expect(row.key).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    }
  });

  it('keep the two well-known ids', () => {
    expect(idOf('berlin-hbf')).toBe('efdbb9d1-02c2-4bc3-afb7-6788d8782b1e');
    expect(idOf('paris-gare-du-nord')).toBe('b2e783e1-c824-4d63-b37a-d8d698862f1d');
  });

  it('lie in Europe', () => {
    for (const s of stations) {
      expect(s.latitude, s.name).toBeGreaterThan(35);
      expect(s.latitude, s.name).toBeLessThan(71);
      expect(s.longitude, s.name).toBeGreaterThan(-11);
      expect(s.longitude, s.name).toBeLessThan(41);
    }
  });

  it('have a timezone that Intl knows and that belongs to their country', () => {
    for (const s of stations) {
      expect(() => new Intl.DateTimeFormat('en', { timeZone: s.timezone }), s.name).not.toThrow();
      expect(ZONES[s.country_code] ?? [], s.name).toContain(s.timezone);
    }
  });

  it('have an address with a name and a number or postcode', () => {
    for (const s of stations) {
      expect(s.name.trim()).toBe(s.name);
      expect(s.address, s.name).toMatch(/^\S.*, .*\d.*\S$/);
    }
  });

  it('do not carry the key', () => {
    expect(stations.some((s) => 'key' in s)).toBe(false);
  });
});

describe('services', () => {
  it('number between 1000 and 1700', () => {
    expect(services.length).toBeGreaterThanOrEqual(1000);
    expect(services.length).toBeLessThanOrEqual(1700);
  });

  it('have unique, valid ids that are the same at every load', () => {
    expect(new Set(services.map((s) => s.id)).size).toBe(services.length);
    expect(services.every((s) => UUID.test(s.id) && s.id[14] === '8')).toBe(true);
    expect(loadCatalogue()).toEqual({ stations, services });
  });

  it('connect every station in both directions', () => {
    const origins = new Set(services.map((s) => s.origin_id));
    const destinations = new Set(services.map((s) => s.destination_id));
    const cutOff = stations.filter((s) => !origins.has(s.id) || !destinations.has(s.id));
    expect(cutOff.map((s) => s.name)).toEqual([]);
    expect(services.every((s) => byId.has(s.origin_id) && byId.has(s.destination_id))).toBe(true);
  });

  it('travel at the speed of a train', () => {
    for (const s of services) {
      const from = byId.get(s.origin_id);
      const to = byId.get(s.destination_id);
      if (!from || !to) throw new Error(`service ${s.id} has no stations`);
      const speed = kilometres(from, to) / (s.minutes / 60);
      expect(speed, `${from.name} - ${to.name}`).toBeGreaterThan(15);
      expect(speed, `${from.name} - ${to.name}`).toBeLessThan(320);
    }
  });

  it('have well-formed times, days, prices and capacities', () => {
    for (const s of services) {
      expect(s.departs).toMatch(/^([01]\d|2[0-3]):[0-5]\d$/);
      expect(s.weekdays.length).toBeGreaterThan(0);
      expect(s.weekdays).toEqual([...new Set(s.weekdays)].sort((a, b) => a - b));
      expect(s.weekdays.every((day) => Number.isInteger(day) && day >= 1 && day <= 7)).toBe(true);
      expect(Number.isInteger(s.price_cents) && s.price_cents > 0).toBe(true);
      expect(s.capacity).toBeGreaterThanOrEqual(20);
      expect(s.capacity).toBeLessThanOrEqual(400);
    }
  });

  it('run between Berlin and Paris at least three times a day each way', () => {
    for (const [from, to] of [
      ['berlin-hbf', 'paris-gare-du-nord'],
      ['paris-gare-du-nord', 'berlin-hbf'],
    ] as const) {
      const daily = between(from, to).filter((s) => s.weekdays.length === 7);
      expect(new Set(daily.map((s) => s.departs)).size).toBeGreaterThanOrEqual(3);
      for (const allowed of [true, false]) {
        expect(daily.some((s) => s.bicycles_allowed === allowed)).toBe(true);
        expect(daily.some((s) => s.dogs_allowed === allowed)).toBe(true);
      }
    }
  });
});

describe('the expansion of a line', () => {
  it('shifts the weekdays of the legs that depart after midnight', () => {
    // Bruxelles 19:22 on Mon, Wed, Fri; Berlin 660 minutes later: 06:22 on Tue, Thu, Sat.
    const sleeper = between('berlin-hbf', 'praha-hln').filter((s) => s.departs === '06:22');
    expect(sleeper.map((s) => [s.operator, s.weekdays, s.minutes])).toEqual([
      ['European Sleeper', [2, 4, 6], 274],
    ]);
    const first = between('bruxelles-midi', 'praha-hln');
    expect(first.map((s) => [s.departs, s.weekdays, s.minutes])).toEqual([
      ['19:22', [1, 3, 5], 934],
    ]);
  });

  it('turns Sunday into Monday, and shifts back where the clocks are behind', () => {
    const stops = ['sofia', 'wien-hbf', 'london-st-pancras'];
    const minutes = [0, 30, 100];
    // Sofia 00:10 (UTC+2) on Monday and Sunday; Wien 30 minutes later: 23:40 (UTC+1) the day before.
    const line = { ...example, stops, minutes, departures: ['00:10'], returns: [], days: '17' };
    const vienna = expand(line).find((s) => s.origin_id === idOf('wien-hbf'));
    expect([vienna?.departs, vienna?.weekdays]).toEqual(['23:40', [6, 7]]);
    // London 23:50 (UTC) on Sunday; Wien 70 minutes later: 01:00 + 1 h = 02:00 on Monday.
    const back = { ...line, departures: [], returns: ['23:50'], days: '7' };
    const vienna2 = expand(back).find((s) => s.origin_id === idOf('wien-hbf'));
    expect([vienna2?.departs, vienna2?.weekdays]).toEqual(['02:00', [1]]);
  });

  it('divides the price by minutes, with a floor, rounded to 10 cents, never above the whole', () => {
    const prices = (price: number) =>
      expand({ ...example, price, returns: [] }).map((s) => s.price_cents);
    // Of 200 minutes: 10, 200 and 190 (95 % of 99.95 is 94.9525, in steps of 10 cents 95.00).
    expect(prices(99.95)).toEqual([500, 9995, 9500]);
    expect(prices(20)).toEqual([490, 2000, 1900]);
    expect(prices(3.6)).toEqual([360, 360, 360]);
  });

  it('mirrors the minutes on the way back', () => {
    const services = expand({ ...example, departures: [] });
    expect(services.map((s) => [s.origin_id, s.destination_id, s.departs, s.minutes])).toEqual([
      [idOf('paris-gare-du-nord'), idOf('bruxelles-midi'), '12:00', 190],
      [idOf('paris-gare-du-nord'), idOf('berlin-hbf'), '12:00', 200],
      [idOf('bruxelles-midi'), idOf('berlin-hbf'), '15:10', 10],
    ]);
  });

  it('names the line whose stops or minutes are wrong', () => {
    expect(() => expand({ ...example, stops: ['berlin-hbf', 'nowhere', 'brugge'] })).toThrow(
      'Line example: unknown station "nowhere"',
    );
    expect(() => expand({ ...example, minutes: [0, 20, 20] })).toThrow(/^Line example: minutes/);
    expect(() => expand({ ...example, minutes: [0, 20] })).toThrow(/^Line example: minutes/);
    expect(() => expand({ ...example, returns: ['24:00'] })).toThrow(/^Line example: "24:00"/);
  });
});

describe('lines', () => {
  it('have unique codes and two to six stops', () => {
    expect(new Set(lineRows.map((line) => line.code)).size).toBe(lineRows.length);
    expect(lineRows.every((line) => line.stops.length >= 2 && line.stops.length <= 6)).toBe(true);
    for (const line of lineRows)
      expect(new Set(line.stops).size, line.code).toBe(line.stops.length);
  });
});

const example: Line = {
  code: 'example',
  operator: 'Example',
  stops: ['berlin-hbf', 'bruxelles-midi', 'paris-gare-du-nord'],
  minutes: [0, 10, 200],
  departures: ['08:00'],
  returns: ['12:00'],
  days: '1234567',
  capacity: 100,
  price: 100,
  bicycles: false,
  dogs: true,
};

function expand(line: Line) {
  return expandLine(line, stationByKey);
}
