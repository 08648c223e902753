import { type Static, Type } from '@sinclair/typebox';
import { count, instant, share, shownId } from '../texts.ts';

const START = 'The first moment of the time that is reported on.';
const END = 'The first moment after it.';

export const SummaryReport = Type.Object(
  {
    id: shownId('id', 'report: the same for the same time'),
    startDate: instant(START, '2024-02-01T00:00:00.000Z'),
    endDate: instant(END, '2024-03-01T00:00:00.000Z'),
    users: count('Users who did something, whatever it was.', 1),
    attempts: count('Attempts at quizzes that ended.', 2),
    quizzes: count('Quizzes that those were attempts at.', 1),
    passRate: share(
      'Share of those attempts that were passed, from 0 to 1; 0 where there are none.',
      0.5,
    ),
    checklists: count('Checklists that were completed, once a user.', 0),
  },
  {
    $id: 'SummaryReport',
    description: 'What all users together did from `startDate` until before `endDate`.',
  },
);
export type SummaryReport = Static<typeof SummaryReport>;

export const ReportQuery = Type.Object({
  startDate: instant(START, '2024-02-01T00:00:00Z'),
  endDate: instant(END, '2024-03-01T00:00:00Z'),
});
