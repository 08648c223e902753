import { type Static, Type } from '@sinclair/typebox';
import { ignored } from '../platform/documents/read-only.ts';
import { ANSWER_PATTERN, instant, line, shownId, text, user } from './texts.ts';

const DATA = 'What was done.';
const METADATA = 'Who did it, where and when.';
const DOMAIN = 'https://learn.example.com';
const PATH = '/onboarding';
const TYPE =
  'What was done: `quiz` answers a question, `checklist` ticks an item; any other type, such as `lesson`, is done by its first activity.';
const NAME = 'Name of the quiz, checklist or lesson.';
const ITEM = 'The question, or the item of the checklist. Required for both.';
const ANSWER =
  'The answer to the question: of a choice its letter. `null`: the question was seen and not answered. Required for a quiz.';
const TIMESTAMP =
  'When it was done, to the millisecond; at most five minutes ahead of our clock. When it arrived, where it is not given.';

const answer = (description: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: 5000,
    ...ANSWER_PATTERN,
    description,
    examples: ['c'],
  });

export const Activity = Type.Object(
  {
    id: shownId('id', 'activity'),
    data: Type.Object(
      {
        type: Type.String({ description: TYPE, examples: ['quiz'] }),
        name: Type.String({ description: NAME, examples: ['Who we are'] }),
        item: Type.Optional(
          Type.String({
            description: 'The question, or the item of the checklist.',
            examples: ['What do we value most?'],
          }),
        ),
        answer: answer(
          'The answer to the question: of a choice its letter. `null` where there is none.',
        ),
      },
      { description: DATA },
    ),
    metadata: Type.Object(
      {
        user: Type.String({ description: 'Who did it.', examples: ['abc123'] }),
        domain: Type.Optional(
          Type.String({ format: 'uri', description: 'Where it was done.', examples: [DOMAIN] }),
        ),
        path: Type.Optional(Type.String({ description: 'The page there.', examples: [PATH] })),
        timestamp: instant('When it was done.', '2024-02-01T09:30:00.000Z'),
      },
      { description: METADATA },
    ),
  },
  { $id: 'Activity', description: 'One thing that a user did. Activities are only ever added.' },
);
export type Activity = Static<typeof Activity>;

export const NewActivity = Type.Object(
  {
    id: ignored(Activity.properties.id),
    data: Type.Object(
      {
        type: line(100, { description: TYPE, examples: ['quiz'] }),
        name: line(200, { description: NAME, examples: ['Who we are'] }),
        item: Type.Optional(
          text(1000, { description: ITEM, examples: ['What do we value most?'] }),
        ),
        answer: Type.Optional(answer(ANSWER)),
      },
      { additionalProperties: false, description: DATA },
    ),
    metadata: Type.Object(
      {
        user: user('Who did it.'),
        domain: Type.Optional(
          Type.String({
            format: 'uri',
            maxLength: 2000,
            pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]',
            'x-takes': 'an http or https URL',
            description: 'Where it was done.',
            examples: [DOMAIN],
          }),
        ),
        path: Type.Optional(line(2000, { description: 'The page there.', examples: [PATH] })),
        timestamp: Type.Optional(instant(TIMESTAMP)),
      },
      { additionalProperties: false, description: METADATA },
    ),
  },
  { $id: 'New-Activity', additionalProperties: false, description: 'What to record.' },
);
export type NewActivity = Static<typeof NewActivity>;
