import { parseArgs } from 'node:util';
import {
  type Hours,
  listExceptions,
  listWeeklyHours,
  removeException,
  setException,
  setWeeklyHours,
} from '../museum/hours.queries.ts';
import { type Command, CommandError, UsageError } from './command.ts';

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** Monday is 1; undefined where the text is no weekday, in full or by its first three letters. */
function weekdayOf(text: string): number | undefined {
  const day = text.toLowerCase();
  const index = WEEKDAYS.findIndex((name) => name === day || name.slice(0, 3) === day);
  return index < 0 ? undefined : index + 1;
}

function isDate(text: string): boolean {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function hoursOf(text: string | undefined): Hours {
  if (text === 'closed') return null;
  const [, open = '', close = ''] =
    /^((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d)$/.exec(text ?? '') ?? [];
  if (open === '' || open >= close)
    throw new UsageError('Hours are written 09:00-18:00, on one day, or "closed".');
  return { open, close };
}

const shown = (open: string | null, close: string | null): string =>
  open === null ? 'closed     ' : `${open}-${close}`;

export const listHours: Command = {
  usage: 'hours list',
  help: "Lists the museum's hours: the week, and the exceptions from today on.",
  parse(args) {
    parseArgs({ args });
    return async (db, { MUSEUM_TIMEZONE }) => {
      const week = (await listWeeklyHours(db)).map(
        ({ weekday, open, close }) =>
          `${(WEEKDAYS[weekday - 1] ?? '').padEnd(10)}  ${shown(open, close)}`,
      );
      const exceptions = (await listExceptions(db, MUSEUM_TIMEZONE)).map(
        ({ date, open, close, reason }) => `${date}  ${shown(open, close)}  ${reason ?? ''}`,
      );
      return [...week, '', ...exceptions]
        .map((line) => line.trimEnd())
        .join('\n')
        .trimEnd();
    };
  },
};

export const setHours: Command = {
  usage: 'hours set <day> <hours> [--reason <text>]',
  help: `Sets when the museum is open.
<day>           a weekday, or a date such as 2026-12-24 that is an exception
<hours>         such as 09:00-18:00, or closed
--reason        of an exception, for the list`,
  parse(args) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { reason: { type: 'string' } },
    });
    const [day = '', text, ...rest] = positionals;
    const weekday = weekdayOf(day);
    if (rest.length > 0) throw new UsageError('hours set takes a day and its hours.');
    if (weekday === undefined && !isDate(day))
      throw new UsageError('The day is a weekday, or a date such as 2026-12-24.');
    if (weekday !== undefined && values.reason !== undefined)
      throw new UsageError('Only an exception has a reason; a weekday has none.');
    const hours = hoursOf(text);
    return async (db) => {
      if (weekday === undefined) await setException(db, day, hours, values.reason);
      else await setWeeklyHours(db, weekday, hours);
      const name = weekday === undefined ? day : `every ${WEEKDAYS[weekday - 1]}`;
      return hours === null
        ? `The museum is closed ${name}.`
        : `The museum is open ${name} from ${hours.open} to ${hours.close}.`;
    };
  },
};

export const removeHours: Command = {
  usage: 'hours remove <date>',
  help: 'Removes an exception: the date has the hours of its weekday again.',
  parse(args) {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    const [date = '', ...rest] = positionals;
    if (!isDate(date) || rest.length > 0)
      throw new UsageError('hours remove takes one date, such as 2026-12-24.');
    return async (db) => {
      if (!(await removeException(db, date)))
        throw new CommandError(`${date} is no exception; it has the hours of its weekday.`);
      return `${date} has the hours of its weekday again.`;
    };
  },
};
