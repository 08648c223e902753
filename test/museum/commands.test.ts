import { describe, expect, it, test } from 'vitest';
import { CommandError, UsageError } from '../../src/commands/command.ts';
import { listHours, removeHours, setHours } from '../../src/commands/hours.ts';
import { addStaff, listAllStaff, removeStaff } from '../../src/commands/staff.ts';
import { basic, CURATOR } from '../given.ts';
import { ENGINE, sharedApp } from '../harness.ts';
import { quartet } from '../processes.ts';

const t = await sharedApp();

type Command = typeof setHours;
/** Runs a command in this process, on the database of the application. */
const run = (command: Command, ...args: string[]) => command.parse(args)(t.db, t.config);
const status = async (headers: object) =>
  (await t.inject({ url: '/tickets', headers: { ...headers } })).statusCode;

// The embedded engine is for one process.
test.runIf(ENGINE === 'postgresql')(
  'staff is added and changed while the server runs',
  async () => {
    const [first, second] = ['a long sentence', 'another long sentence'];
    const quartetHere = (args: string[], input: string) => quartet(t.databaseEnv, args, input);
    const add = await quartetHere(['staff', 'add', 'Åsa'], `${first}\n`);
    expect(add).toEqual({ exitCode: 0, stdout: 'Added åsa to the staff.\n', stderr: '' });
    expect(await status(basic('åsa', first))).toBe(200);
    const change = await quartetHere(['staff', 'password', 'åsa'], `${second}\n`);
    expect(change.stdout).toBe('Changed the password of åsa.\n');
    expect([await status(basic('åsa', first)), await status(basic('åsa', second))]).toEqual([
      401, 200,
    ]);
    expect(await quartetHere(['staff', 'add', 'bo'], 'short\n')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'Enter a password of at least 8 characters.\n',
    });
    expect(await run(removeStaff, 'Åsa')).toBe('Removed åsa from the staff.');
    expect(await status(basic('åsa', second))).toBe(401);
  },
);

test('staff is listed and removed', async () => {
  expect(await run(listAllStaff)).toMatch(/^\S+Z {2}curator {2}\(demo; not in production\)$/);
  expect(await status(CURATOR)).toBe(200);
  expect(await run(removeStaff, 'curator')).toBe('Removed curator from the staff.');
  expect(await status(CURATOR)).toBe(401);
  await expect(run(removeStaff, 'curator')).rejects.toThrow(
    new CommandError('Nobody of the staff is called curator.'),
  );
  expect(await run(listAllStaff)).toBe('There is no staff.');
});

test('hours are set for weekdays and dates, listed, and removed', async () => {
  expect(await run(setHours, 'Sat', '11:00-15:30')).toBe(
    'The museum is open every saturday from 11:00 to 15:30.',
  );
  expect(await run(setHours, 'monday', 'closed')).toBe('The museum is closed every monday.');
  expect(await run(setHours, '2996-02-28', '08:00-09:00', '--reason', 'Founding day')).toBe(
    'The museum is open 2996-02-28 from 08:00 to 09:00.',
  );
  expect(await run(setHours, '2996-02-29', 'closed')).toBe('The museum is closed 2996-02-29.');
  const list = await run(listHours);
  expect(list).toMatch(/^monday {6}closed\ntuesday {5}09:00-18:00\n/);
  expect(list).toContain('saturday    11:00-15:30\nsunday      closed\n\n');
  expect(list).toMatch(/\n\d{4}-11-2\d {2}closed {7}Thanksgiving\n/);
  expect(list).toMatch(/\n2996-02-28 {2}08:00-09:00 {2}Founding day\n2996-02-29 {2}closed$/);
  const days = async () =>
    (await t.inject({ url: '/museum-hours?startDate=2996-02-27&limit=3' })).json();
  // A Saturday, then the two exceptions, a Tuesday.
  expect(await days()).toEqual([
    { date: '2996-02-27', timeOpen: '11:00', timeClose: '15:30' },
    { date: '2996-02-28', timeOpen: '08:00', timeClose: '09:00' },
    { date: '2996-03-01', timeOpen: '09:00', timeClose: '18:00' },
  ]);
  expect(await run(removeHours, '2996-02-28')).toBe(
    '2996-02-28 has the hours of its weekday again.',
  );
  expect((await days())[1].date).toBe('2996-03-01');
  await expect(run(removeHours, '2996-02-28')).rejects.toThrow(
    new CommandError('2996-02-28 is no exception; it has the hours of its weekday.'),
  );
});

describe('called wrongly', () => {
  it.each([
    [setHours, ['someday', '09:00-18:00'], 'The day is a weekday, or a date'],
    [setHours, ['2027-02-29', 'closed'], 'The day is a weekday, or a date'],
    [setHours, ['monday', '18:00-09:00'], 'Hours are written 09:00-18:00'],
    [setHours, ['monday', '09:00-24:00'], 'Hours are written 09:00-18:00'],
    [setHours, ['monday'], 'Hours are written 09:00-18:00'],
    [setHours, ['monday', 'closed', '--reason', 'x'], 'a weekday has none'],
    [removeHours, ['monday'], 'takes one date'],
    [addStaff, ['two words'], 'A name has 1 to 100 letters'],
    [addStaff, ['a:b'], 'A name has 1 to 100 letters'],
    [removeStaff, [], 'staff remove takes one name'],
  ] as [Command, string[], string][])('%# says how it is called', (command, args, message) => {
    expect(() => command.parse(args)).toThrow(UsageError);
    expect(() => command.parse(args)).toThrow(message);
  });
});
