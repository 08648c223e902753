import { type Static, Type } from '@sinclair/typebox';
import { ignored, instant, line, shownId, text } from '../texts.ts';

/** Share of right answers that passes where a quiz says nothing else. */
export const PASSING_SCORE = 0.8;

const LETTERS = ['a', 'b', 'c', 'd'] as const;
const CHOICES = 'The answers to choose from, by their letters; `null` for a blank.';
const CORRECT = 'The right answer: of a choice its letter, of a blank the text.';

const choices = (member: (letter: string) => ReturnType<typeof text>, from: number) => ({
  type: ['object', 'null'],
  properties: Object.fromEntries(LETTERS.map((letter) => [letter, member(letter)])),
  required: LETTERS.slice(0, from),
  additionalProperties: false,
  description: CHOICES,
});
export type Choices = Partial<Record<(typeof LETTERS)[number], string>>;

const shownChoices = {
  ...choices((letter) => Type.String({ description: `Answer ${letter}.` }), 0),
};

export const ShownChoices = Type.Unsafe<Choices | null>(shownChoices);

const passingScore = {
  minimum: 0,
  maximum: 1,
  default: PASSING_SCORE,
  description: 'Share of right answers, from 0 to 1, from which an attempt is passed.',
  examples: [PASSING_SCORE],
};

const TYPE = {
  type: 'string',
  enum: ['choice', 'blank'],
  description: 'choice: one of the answers given; blank: any text.',
};

export const Quiz = Type.Object(
  {
    id: shownId('quiz', 'quiz'),
    name: Type.String({ description: 'Its name.', examples: ['Who we are'] }),
    passingScore: Type.Number(passingScore),
    questions: Type.Array(
      Type.Object({
        type: Type.Unsafe<'choice' | 'blank'>(TYPE),
        question: Type.String({ description: 'The question.' }),
        choices: ShownChoices,
        correctAnswer: Type.String({ description: CORRECT }),
      }),
    ),
    createdAt: Type.Readonly(instant('When it was made.')),
    updatedAt: Type.Readonly(instant('When it was last changed; quizzes do not change.')),
  },
  {
    $id: 'Quiz',
    description: 'Questions with their right answers.',
    examples: [
      {
        id: 'quiz_0190f3a2-7c1e-7b4a-9d3e-5f6a7b8c9d0e',
        name: 'Who we are',
        passingScore: 0.8,
        questions: [
          {
            type: 'choice',
            question: 'What do we value most?',
            choices: { a: 'Speed', b: 'Growth', c: 'Honesty', d: 'Comfort' },
            correctAnswer: 'c',
          },
        ],
        createdAt: '2026-07-31T09:30:00.000Z',
        updatedAt: '2026-07-31T09:30:00.000Z',
      },
    ],
  },
);
export type Quiz = Static<typeof Quiz>;

export const NewQuiz = Type.Object(
  {
    name: line(200, {
      description: 'Its name, which no other quiz has; case and outer space make no difference.',
      examples: ['Who we are'],
    }),
    passingScore: Type.Optional(Type.Number(passingScore)),
    questions: Type.Optional(
      Type.Array(
        Type.Object(
          {
            type: Type.Unsafe<'choice' | 'blank'>(TYPE),
            question: text(1000, {
              description: 'The question, which the quiz has once.',
              examples: ['What do we value most?'],
            }),
            choices: Type.Optional(
              Type.Unsafe<Choices | null>(
                choices((letter) => text(1000, { description: `Answer ${letter}.` }), 2),
              ),
            ),
            correctAnswer: text(5000, { description: CORRECT, examples: ['c'] }),
          },
          { additionalProperties: false },
        ),
        { maxItems: 100, default: [], description: 'The questions, in their order.' },
      ),
    ),
    id: ignored(),
    createdAt: ignored(),
    updatedAt: ignored(),
  },
  { $id: 'New-Quiz', additionalProperties: false, description: 'A quiz to make.' },
);
export type NewQuiz = Static<typeof NewQuiz>;
