import { type Static, Type } from '@sinclair/typebox';
import { instant, shownId } from '../texts.ts';

const START = 'The first moment of the time that is reported on.';
const END = 'The first moment after it.';

export const SummaryReport = Type.Object(
  {
    id: shownId('id', 'report: the same for the same time'),
    startDate: instant(START),
    endDate: instant(END),
    users: Type.Integer({ description: 'Users who did something, whatever it was.' }),
    attempts: Type.Integer({ description: 'Attempts at quizzes that ended.' }),
    quizzes: Type.Integer({ description: 'Quizzes that those were attempts at.' }),
    passRate: Type.Number({
      description: 'Share of those attempts that were passed, from 0 to 1; 0 where there are none.',
    }),
    checklists: Type.Integer({ description: 'Checklists that were completed, once a user.' }),
  },
  {
    $id: 'SummaryReport',
    description: 'What all users together did from `startDate` until before `endDate`.',
  },
);
export type SummaryReport = Static<typeof SummaryReport>;

export const ReportQuery = Type.Object({ startDate: instant(START), endDate: instant(END) });
