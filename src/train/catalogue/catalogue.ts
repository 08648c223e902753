import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A train station. `id` is a fixed UUID; coordinates are WGS 84 degrees. */
export interface CatalogueStation {
  id: string;
  name: string;
  address: string;
  country_code: string;
  timezone: string;
  latitude: number;
  longitude: number;
}

/**
 * A direct train between two stations that recurs every week. `departs` is HH:MM local to the
 * origin, `minutes` the duration, `weekdays` the ISO days (1…7) of the local date at the origin.
 */
export interface CatalogueService {
  id: string;
  operator: string;
  origin_id: string;
  destination_id: string;
  departs: string;
  minutes: number;
  weekdays: number[];
  price_cents: number;
  capacity: number;
  bicycles_allowed: boolean;
  dogs_allowed: boolean;
}

/** One row of lines.json. `minutes` count from the first departure, `price` is in euro. */
export interface Line {
  code: string;
  operator: string;
  stops: string[];
  minutes: number[];
  departures: string[];
  returns: string[];
  days: string;
  capacity: number;
  price: number;
  bicycles: boolean;
  dogs: boolean;
}

const DAY = 1440;
/** The cheapest part of a line, in cents (never above the price of the whole line). */
const FLOOR_CENTS = 490;

// One date is enough: the zones of the EU and its neighbours change their clocks at the same
// instant, so their differences are constant. Turkey (no summer time) is right in winter only.
const REFERENCE = new Date('2025-01-15T12:00:00Z');

const offsets = new Map<string, number>();
/** Minutes that the clocks of a zone are ahead of UTC on the reference date. */
function offsetOf(timezone: string): number {
  const known = offsets.get(timezone);
  if (known !== undefined) return known;
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' })
    .formatToParts(REFERENCE)
    .find((part) => part.type === 'timeZoneName');
  const match = /^GMT(?:([+-])(\d{2}):(\d{2}))?$/.exec(parts?.value ?? '');
  if (!match) throw new Error(`Timezone ${timezone}: no offset in "${parts?.value ?? ''}"`);
  const size = Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0);
  const offset = match[1] === '-' ? -size : size;
  offsets.set(timezone, offset);
  return offset;
}

/** A UUID of version 8 made of the SHA-256 of a text. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function minutesOfDay(code: string, time: string): number {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time);
  if (!match) throw new Error(`Line ${code}: "${time}" is not a time HH:MM`);
  return Number(match[1]) * 60 + Number(match[2]);
}

/** Expands one line into a service per direction, departure and ordered pair of its stops. */
export function expandLine(
  line: Line,
  stations: Map<string, CatalogueStation>,
): CatalogueService[] {
  const { code, stops, minutes } = line;
  const rises = minutes.every((m, i) => (i === 0 ? m === 0 : m > (minutes[i - 1] ?? m)));
  if (stops.length < 2 || minutes.length !== stops.length || !rises) {
    throw new Error(`Line ${code}: minutes must start at 0 and rise, one for each stop`);
  }
  if (!/^[1-7]+$/.test(line.days)) throw new Error(`Line ${code}: days "${line.days}" are wrong`);
  const total = minutes.at(-1) ?? 0;
  const whole = Math.round(line.price * 100);
  const there = stops.map((key, i) => {
    const station = stations.get(key);
    if (!station) throw new Error(`Line ${code}: unknown station "${key}"`);
    return { key, station, at: minutes[i] ?? 0, zone: offsetOf(station.timezone) };
  });
  const back = there.map((call) => ({ ...call, at: total - call.at })).reverse();

  const services: CatalogueService[] = [];
  const add = (calls: typeof there, direction: string, time: string) => {
    const start = minutesOfDay(code, time) - (calls[0]?.zone ?? 0);
    calls.forEach((from, i) => {
      const local = start + from.at + from.zone;
      const shift = Math.floor(local / DAY);
      const clock = local - shift * DAY;
      const hours = String(Math.floor(clock / 60)).padStart(2, '0');
      const days = [...line.days].map((day) => ((((Number(day) - 1 + shift) % 7) + 7) % 7) + 1);
      for (const to of calls.slice(i + 1)) {
        const share = Math.ceil((whole * (to.at - from.at)) / total / 10) * 10;
        services.push({
          id: uuidOf([code, direction, time, from.key, to.key].join('|')),
          operator: line.operator,
          origin_id: from.station.id,
          destination_id: to.station.id,
          departs: `${hours}:${String(clock % 60).padStart(2, '0')}`,
          minutes: to.at - from.at,
          weekdays: days.toSorted((a, b) => a - b),
          price_cents: Math.min(whole, Math.max(FLOOR_CENTS, share)),
          capacity: line.capacity,
          bicycles_allowed: line.bicycles,
          dogs_allowed: line.dogs,
        });
      }
    });
  };
  for (const time of line.departures) add(there, 'out', time);
  for (const time of line.returns) add(back, 'back', time);
  return services;
}

function read<T>(file: string): T[] {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as T[];
}

/** Reads the catalogue anew (nothing is kept): all stations, and all services of all lines. */
export function loadCatalogue(): { stations: CatalogueStation[]; services: CatalogueService[] } {
  const byKey = new Map<string, CatalogueStation>();
  for (const { key, ...station } of read<CatalogueStation & { key: string }>('./stations.json'))
    byKey.set(key, station);
  const services = read<Line>('./lines.json').flatMap((line) => expandLine(line, byKey));
  return { stations: [...byKey.values()], services };
}
