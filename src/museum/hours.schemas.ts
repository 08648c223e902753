import { type Static, Type } from '@sinclair/typebox';
import { CalendarDate } from './dates.schemas.ts';
import { MuseumPage } from './page.schemas.ts';

const time = (what: string, example: string) =>
  Type.String({
    pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
    description: `When the museum ${what} on that date, on its own clock (HH:mm).`,
    examples: [example],
  });

export const MuseumDailyHours = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'The date, on the calendar of the museum.' }),
    timeOpen: time('opens', '09:00'),
    timeClose: time('closes', '18:00'),
  },
  {
    $id: 'MuseumDailyHours',
    description: 'The hours of one date.',
    examples: [{ date: '2023-09-11', timeOpen: '09:00', timeClose: '18:00' }],
  },
);
export type MuseumDailyHours = Static<typeof MuseumDailyHours>;

export const MuseumHours = Type.Array(Type.Ref('MuseumDailyHours'), {
  $id: 'MuseumHours',
  description: 'One page of the dates on which the museum is open, in order.',
});

export const HoursQuery = Type.Object({
  startDate: Type.Optional(
    CalendarDate({
      description: 'The first date. Default: today, where the museum is.',
      examples: ['2023-09-11'],
    }),
  ),
  ...MuseumPage,
});
