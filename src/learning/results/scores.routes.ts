import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { problemResponses } from '../../platform/documents/problem-responses.ts';
import { pageWindow } from '../../platform/http/pagination.ts';
import type { Choices } from '../definitions/quizzes.schemas.ts';
import type { LearningRoutes } from '../index.ts';
import { listOf, onePage } from '../lists.ts';
import { exactDigest } from '../names.ts';
import { listScores, type ScoreRow } from './scores.queries.ts';
import { type Score, ScoreQuery } from './scores.schemas.ts';

const toScore = (row: ScoreRow): Score => ({
  id: `score_${exactDigest(`${row.quiz_id} ${row.user_id}`)}`,
  user: row.user_id,
  quiz: row.quiz,
  score: row.score,
  attempts: row.attempts,
  breakdown: row.breakdown.map(({ question, choices, correctAnswer, answer, answeredAt }) => ({
    question,
    choices: choices as Choices | null,
    correctAnswer,
    ...(answer !== null && { answer }),
    ...(answeredAt !== null && { answeredAt: new Date(answeredAt).toISOString() }),
  })),
});

export const scoreRoutes: FastifyPluginAsyncTypebox<LearningRoutes> = async (
  app,
  { database: { reads }, publicUrl },
) => {
  app.get(
    '/scores',
    {
      schema: {
        operationId: 'GetScores',
        summary: 'Get scores',
        description:
          'Lists one score a user and quiz, with the answer to each question that it counts: by user, and of a user the older quiz first. Ask for one user, one quiz, or both; a user or quiz that is not known has none, which is an empty list.',
        tags: ['Scores'],
        querystring: ScoreQuery,
        response: {
          200: listOf('Score', 'One page of the scores.'),
          ...problemResponses(400, 401),
        },
      },
    },
    async (request, reply) => {
      const { user, quiz } = request.query;
      const rows = await listScores(reads, {
        ...pageWindow(request.query),
        ...(user !== undefined && { user }),
        ...(quiz !== undefined && { quiz }),
      });
      reply.header('cache-control', 'private, no-cache');
      return onePage(rows, request, reply, publicUrl).map(toScore);
    },
  );
};
