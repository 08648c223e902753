import type { Fault } from '../platform/problems/problems.ts';

const INSTANT =
  /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Beyond these years an instant is a mistake, and databases and languages stop to agree. */
const [EARLIEST, LATEST] = [Date.UTC(1970, 0), Date.UTC(10_000, 0)];

/**
 * Reads an RFC 3339 instant that the format `date-time` takes, to the millisecond. A leap second
 * is the first moment of the next minute. Where it is out of range, adds to `faults` at `where`.
 */
export function parseInstant(
  text: string,
  where: { pointer: string } | { parameter: string },
  faults: Fault[],
): Date | undefined {
  const [, day, minute, second, fraction = '', sign, hours = '0', minutes = '0'] =
    INSTANT.exec(text) ?? [];
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const isLeap = second === '60';
  const clock = Date.parse(`${day}T${minute}:${isLeap ? '59' : second}.${milliseconds}Z`);
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  const instant = (isLeap ? Math.floor(clock / 1000) * 1000 + 1000 : clock) - offset;
  if (instant >= EARLIEST && instant < LATEST) return new Date(instant);
  faults.push({
    ...where,
    detail: 'must be a time from 1970 to 9999 with its offset, such as 2026-07-31T09:30:00Z',
  });
  return undefined;
}
