import type { Hours } from '../hours.queries.ts';

export interface Holiday {
  /** YYYY-MM-DD. */
  date: string;
  hours: Hours;
  reason: string;
}

/** A day of a month, or its nth weekday: 1 is Monday, and counts from the end where nth is -1. */
type Rule = { month: number } & ({ day: number } | { nth: number; weekday: number });

const SATURDAY = 6;
const SHORT: Hours = { open: '09:00', close: '14:00' };

const RULES: (Rule & { hours: Hours; reason: string })[] = [
  { reason: "New Year's Day", month: 1, day: 1, hours: null },
  { reason: 'Memorial Day', month: 5, nth: -1, weekday: 1, hours: null },
  {
    reason: 'Museum Day',
    month: 5,
    nth: 3,
    weekday: SATURDAY,
    hours: { open: '10:00', close: '20:00' },
  },
  { reason: 'Independence Day', month: 7, day: 4, hours: null },
  { reason: 'Labor Day', month: 9, nth: 1, weekday: 1, hours: null },
  { reason: 'Thanksgiving', month: 11, nth: 4, weekday: 4, hours: null },
  { reason: 'Christmas Eve', month: 12, day: 24, hours: SHORT },
  { reason: 'Christmas Day', month: 12, day: 25, hours: null },
  { reason: "New Year's Eve", month: 12, day: 31, hours: SHORT },
];

/** 1 is Monday, 7 Sunday. */
const weekdayOf = (date: Date): number => date.getUTCDay() || 7;

function dateOf(year: number, rule: Rule): Date {
  const { month } = rule;
  if ('day' in rule) return new Date(Date.UTC(year, month - 1, rule.day));
  if (rule.nth > 0) {
    const first = weekdayOf(new Date(Date.UTC(year, month - 1, 1)));
    const day = 1 + ((rule.weekday - first + 7) % 7) + 7 * (rule.nth - 1);
    return new Date(Date.UTC(year, month - 1, day));
  }
  const last = new Date(Date.UTC(year, month, 0));
  const back = (weekdayOf(last) - rule.weekday + 7) % 7;
  return new Date(Date.UTC(year, month - 1, last.getUTCDate() - back));
}

/** The holidays of a year. One that falls on a weekend, when the museum is closed, is left out. */
export const holidaysOf = (year: number): Holiday[] =>
  RULES.flatMap((rule) => {
    const date = dateOf(year, rule);
    if ('day' in rule && weekdayOf(date) >= SATURDAY) return [];
    return [{ date: date.toISOString().slice(0, 10), hours: rule.hours, reason: rule.reason }];
  });
