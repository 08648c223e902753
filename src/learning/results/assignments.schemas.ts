import { type Static, Type } from '@sinclair/typebox';
import { PageQuery } from '../../platform/http/pagination.ts';
import { ignored } from '../../platform/documents/read-only.ts';
import { count, instant, line, share, shownId, shownInstant, user } from '../texts.ts';

const STATUSES = ['assigned', 'started', 'completed', 'failed', 'overdue'] as const;
export type Status = (typeof STATUSES)[number];

const TYPE = 'quiz, checklist, or the type of another activity.';
const NAME = 'Name of the quiz, checklist or activity; it need not exist yet.';
const DEADLINE = 'Until when it is to be done.';
const attempts = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: 'For a quiz: which attempts count, from the first on.',
    examples: [3],
  }),
);

/** How far a quiz or a checklist is done. */
export const AssignmentData = Type.Object(
  {
    attempts: count('Attempts that were begun.', 1),
    score: share('Score of the attempt; of a checklist what is done.', 0.75),
    items: Type.Array(
      Type.Object({
        item: Type.String({
          description: 'The question, or the item of the checklist.',
          examples: ['Meet your team'],
        }),
        doneAt: Type.Optional(shownInstant('When it was last answered or ticked, if it was.')),
      }),
      { description: 'Every question or item, in its order.' },
    ),
  },
  {
    $id: 'Assignment-Data',
    readOnly: true,
    description:
      'For a quiz or a checklist, once it is begun: the attempt that completed it, else the latest.',
  },
);

export const Assignment = Type.Object(
  {
    id: shownId('asmt', 'assignment'),
    user: Type.String({ description: 'Who is to do it.', examples: ['abc123'] }),
    type: Type.String({ description: TYPE, examples: ['quiz'] }),
    name: Type.String({ description: NAME, examples: ['Who we are'] }),
    maxAttempts: attempts,
    deadline: Type.Optional(instant(DEADLINE, '2026-07-31T09:30:00Z')),
    status: Type.Unsafe<Status>({
      type: 'string',
      enum: STATUSES,
      readOnly: true,
      description:
        'completed: the quiz was passed, the checklist ticked, the activity done, also after the deadline; failed: the last attempt that counts was not passed; overdue: the deadline has gone by; started: something was answered or ticked; assigned: nothing yet.',
    }),
    assignedAt: shownInstant('When it was assigned.'),
    completedAt: Type.Optional(
      shownInstant('When it was completed. What was done before it was assigned counts too.'),
    ),
    progress: Type.Unsafe<number>({
      ...share(
        'From 0 to 1: the share of questions answered or items ticked in the attempt that `data` shows; 1 once it is completed.',
        0.75,
      ),
      readOnly: true,
    }),
    data: Type.Optional(Type.Unsafe<Static<typeof AssignmentData>>(Type.Ref('Assignment-Data'))),
  },
  { $id: 'Assignment', description: 'Something that a user is to do, and how far it is done.' },
);
export type Assignment = Static<typeof Assignment>;

export const NewAssignment = Type.Object(
  {
    user: user('Who is to do it.'),
    type: line(100, { description: TYPE, examples: ['quiz'] }),
    name: line(200, { description: NAME, examples: ['Who we are'] }),
    maxAttempts: attempts,
    deadline: Type.Optional(instant(DEADLINE, '2026-07-31T09:30:00Z')),
    id: ignored(Assignment.properties.id),
    status: ignored(Assignment.properties.status),
    assignedAt: ignored(Assignment.properties.assignedAt),
    completedAt: ignored(Assignment.properties.completedAt),
    progress: ignored(Assignment.properties.progress),
    data: ignored(Assignment.properties.data),
  },
  { $id: 'New-Assignment', additionalProperties: false, description: 'What to assign to whom.' },
);
export type NewAssignment = Static<typeof NewAssignment>;

export const AssignmentQuery = Type.Object({
  user: Type.Optional(user('Only assignments of this user.')),
  ...PageQuery,
});
