import { type Static, Type } from '@sinclair/typebox';
import { ignored } from '../../platform/documents/read-only.ts';
import { line, share, shownId, shownInstant } from '../texts.ts';

const TYPE = 'quiz, checklist, or the type of another activity.';
const NAME = 'Name of the quiz, checklist or activity; it need not exist yet.';
const STATUS =
  'passed: an attempt reached the passing score of the quiz; completed: an attempt ended, with whatever score. A checklist, and what is neither, is both when it is done.';
const DEFAULT_STATUS = ' Without it: completed where there is a `minScore`, else passed.';

const minScore = Type.Optional(
  share('For a quiz: the score that an attempt must have reached.', 0.8),
);
const maxAttempts = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: 'For a quiz: which attempts count, from the first on.',
    examples: [3],
  }),
);
const status = (description: string) =>
  Type.Unsafe<'completed' | 'passed'>({
    type: 'string',
    enum: ['completed', 'passed'],
    description,
  });

const NAME_OF_BADGE = 'Its name';
const ICON = 'What it looks like: an emoji, a name or an address.';

export const Badge = Type.Object(
  {
    id: shownId('badge', 'badge'),
    name: Type.String({ description: `${NAME_OF_BADGE}.`, examples: ['Explorer'] }),
    icon: Type.Optional(Type.String({ description: ICON, examples: ['🧭'] })),
    requirements: Type.Array(
      Type.Object({
        type: Type.String({ description: TYPE, examples: ['quiz'] }),
        name: Type.String({ description: NAME, examples: ['Who we are'] }),
        minScore,
        maxAttempts,
        status: status(STATUS),
      }),
      { description: 'What a user must have done, all of it, to have the badge.' },
    ),
    createdAt: shownInstant('When it was made.'),
    updatedAt: shownInstant('When it was last changed; badges do not change.'),
  },
  { $id: 'Badge', description: 'Something to earn.' },
);
export type Badge = Static<typeof Badge>;

export const NewBadge = Type.Object(
  {
    name: line(200, {
      description: `${NAME_OF_BADGE}, which no other badge has; case and outer space make no difference.`,
      examples: ['Explorer'],
    }),
    icon: Type.Optional(line(2000, { description: ICON, examples: ['🧭'] })),
    requirements: Type.Optional(
      Type.Array(
        Type.Object(
          {
            type: line(100, { description: TYPE, examples: ['quiz'] }),
            name: line(200, { description: NAME, examples: ['Who we are'] }),
            minScore,
            maxAttempts,
            status: Type.Optional(status(STATUS + DEFAULT_STATUS)),
          },
          { additionalProperties: false },
        ),
        {
          maxItems: 50,
          default: [],
          description:
            'What a user must have done, all of it, to have the badge. Nobody has a badge that asks for nothing.',
        },
      ),
    ),
    id: ignored(Badge.properties.id),
    createdAt: ignored(Badge.properties.createdAt),
    updatedAt: ignored(Badge.properties.updatedAt),
  },
  { $id: 'New-Badge', additionalProperties: false, description: 'A badge to make.' },
);
export type NewBadge = Static<typeof NewBadge>;
