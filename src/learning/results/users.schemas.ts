import { type Static, Type } from '@sinclair/typebox';
import { PageQuery } from '../../platform/http/pagination.ts';
import { count, shownId, shownInstant, user } from '../texts.ts';

const id = Type.String({
  readOnly: true,
  description: 'Identifier of the user.',
  examples: ['usr_abc123'],
});

/** How many badges and assignments a user's report shows; more are in the lists. */
export const SHOWN = 100;

export const UserDetail = Type.Object(
  {
    id,
    badges: Type.Array(
      Type.Object({
        id: shownId('badge', 'badge'),
        name: Type.String({ description: 'Its name.', examples: ['Explorer'] }),
        icon: Type.Optional(Type.String({ description: 'What it looks like.', examples: ['🧭'] })),
        awardedAt: shownInstant('When the last of its requirements was met.'),
      }),
      { description: `Badges that the user has, the latest ${SHOWN}, newest first.` },
    ),
    assignments: Type.Array(Type.Ref('Assignment'), {
      description: `What the user is to do, the latest ${SHOWN}, newest first; /assignments has them all.`,
    }),
    activity: Type.Array(Type.Ref('Activity'), {
      description: 'One page of what the user did, newest first.',
    }),
  },
  { $id: 'UserDetail', description: 'What a user has done, and has earned by it.' },
);
export type UserDetail = Static<typeof UserDetail>;

export const UserSummary = Type.Object(
  {
    id,
    badgesCount: count('Badges that the user has.', 1),
    assignments: count('Assignments of the user.', 1),
    activity: count('Activities of the user.', 14),
  },
  { $id: 'UserSummary', description: 'How much a user has done.' },
);
export type UserSummary = Static<typeof UserSummary>;

export const UserParams = Type.Object({ id: user('Identifier of the user.') });

export const UserQuery = Type.Object(PageQuery);
