/** Times as a station's clock shows them. */

const formats = new Map<string, Intl.DateTimeFormat>();

function format(timezone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([timezone, options]);
  const made =
    formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone: timezone });
  formats.set(key, made);
  return made;
}

/** Such as 14:05. */
export const clockTime = (time: Date, timezone: string): string =>
  format(timezone, { hour: '2-digit', minute: '2-digit' }).format(time);

/** Such as Thursday, 1 February 2024. */
export const calendarDay = (time: Date, timezone: string): string =>
  format(timezone, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
    .format(time)
    // Between weekday and day some versions of the data have a comma, some have not.
    .replace(/^(\p{L}+),? /u, '$1, ');

/** RFC 3339 with the offset that holds there then, such as 2024-02-01T14:05:00+01:00. */
export function withOffset(time: Date, timezone: string): string {
  const name = format(timezone, { timeZoneName: 'longOffset' })
    .formatToParts(time)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign = '+', hours = '00', minutes = '00'] =
    /GMT([+-])(\d+):(\d+)/.exec(name ?? '') ?? [];
  const shift = (sign === '+' ? 1 : -1) * (Number(hours) * 60 + Number(minutes));
  const local = new Date(time.getTime() + shift * 60_000).toISOString().slice(0, 19);
  return `${local}${sign}${hours}:${minutes}`;
}
