import { type Static, Type } from '@sinclair/typebox';
import { ignored } from '../../platform/documents/read-only.ts';
import { line, share, shownId, shownInstant, text } from '../texts.ts';

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

/** The choices of an answer, by reference. */
export const SharedChoices = Type.Unsafe<Choices | null>({
  $id: 'Choices',
  ...choices((letter) => Type.String({ description: `Answer ${letter}.` }), 2),
});
export const ShownChoices = Type.Unsafe<Choices | null>(Type.Ref('Choices'));

const passingScore = share(
  'Share of right answers, from 0 to 1, from which an attempt is passed.',
  PASSING_SCORE,
);

const QUESTIONS = 'The questions, in their order.';

const TYPE = {
  type: 'string',
  enum: ['choice', 'blank'],
  description: 'choice: one of the answers given; blank: any text.',
};

export const Quiz = Type.Object(
  {
    id: shownId('quiz', 'quiz'),
    name: Type.String({ description: 'Its name.', examples: ['Who we are'] }),
    passingScore,
    questions: Type.Array(
      Type.Object({
        type: Type.Unsafe<'choice' | 'blank'>(TYPE),
        question: Type.String({
          description: 'The question.',
          examples: ['What do we value most?'],
        }),
        choices: ShownChoices,
        correctAnswer: Type.String({ description: CORRECT, examples: ['c'] }),
      }),
      { description: QUESTIONS },
    ),
    createdAt: shownInstant('When it was made.'),
    updatedAt: shownInstant('When it was last changed; quizzes do not change.'),
  },
  {
    $id: 'Quiz',
    description: 'Questions with their right answers.',
  },
);
export type Quiz = Static<typeof Quiz>;

export const NewQuiz = Type.Object(
  {
    name: line(200, {
      description: 'Its name, which no other quiz has; case and outer space make no difference.',
      examples: ['Who we are'],
    }),
    passingScore: Type.Optional(Type.Unsafe<number>({ ...passingScore, default: PASSING_SCORE })),
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
        { maxItems: 100, default: [], description: QUESTIONS },
      ),
    ),
    id: ignored(Quiz.properties.id),
    createdAt: ignored(Quiz.properties.createdAt),
    updatedAt: ignored(Quiz.properties.updatedAt),
  },
  { $id: 'New-Quiz', additionalProperties: false, description: 'A quiz to make.' },
);
export type NewQuiz = Static<typeof NewQuiz>;
