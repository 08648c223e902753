import { type Static, Type } from '@sinclair/typebox';
import { PageQuery } from '../../platform/http/pagination.ts';
import { ShownChoices } from '../definitions/quizzes.schemas.ts';
import { count, line, share, shownId, shownInstant, user } from '../texts.ts';

export const Score = Type.Object(
  {
    id: shownId('score', 'score'),
    user: Type.String({ description: 'Whose score it is.', examples: ['abc123'] }),
    quiz: Type.String({ description: 'Name of the quiz.', examples: ['Who we are'] }),
    score: share(
      'Right answers divided by questions, of the last attempt that ended; until one did, of the current one.',
      0.8,
    ),
    attempts: count('Attempts that were begun, the current one included.', 2),
    breakdown: Type.Array(
      Type.Object({
        question: Type.String({
          description: 'The question.',
          examples: ['What do we value most?'],
        }),
        choices: ShownChoices,
        correctAnswer: Type.String({ description: 'The right answer.', examples: ['c'] }),
        answer: Type.Optional(
          Type.String({
            description: 'What was answered; not there where nothing was.',
            examples: ['c'],
          }),
        ),
        answeredAt: Type.Optional(shownInstant('When it was answered.')),
      }),
      { description: 'Every question of the quiz, with the answer that the score counts.' },
    ),
  },
  { $id: 'Score', description: 'How a user does at a quiz.' },
);
export type Score = Static<typeof Score>;

export const ScoreQuery = Type.Object({
  user: Type.Optional(user('Only scores of this user.')),
  quiz: Type.Optional(
    line(200, {
      description: 'Only scores at the quiz of this name; case and outer space make no difference.',
      examples: ['Who we are'],
    }),
  ),
  ...PageQuery,
});
