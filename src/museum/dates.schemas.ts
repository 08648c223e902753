import { type StringOptions, Type } from '@sinclair/typebox';

/** A date on the calendar of the museum, YYYY-MM-DD; the calendar begins with the year 1. */
export const CalendarDate = (options: StringOptions = {}) =>
  Type.String({
    format: 'date',
    pattern: '^(?!0000)',
    'x-takes': 'a date from 0001-01-01 on',
    ...options,
  });
