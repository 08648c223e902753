import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { problemResponses } from '../../platform/documents/problem-responses.ts';
import { notModified, sendTagged } from '../../platform/http/etag.ts';
import { answerOnce } from '../../platform/http/idempotency.ts';
import { PageQuery, pageWindow } from '../../platform/http/pagination.ts';
import { type Fault, invalidRequest, notFound, Problem } from '../../platform/problems/problems.ts';
import { keyIdOf } from '../api-key.ts';
import type { LearningRoutes } from '../index.ts';
import { listOf, onePage } from '../lists.ts';
import { BEYOND, idParams, uuidOf } from '../texts.ts';
import { faultsOfTwins } from '../twins.ts';
import { type Choices, NewQuiz, PASSING_SCORE, type Quiz } from './quizzes.schemas.ts';
import { findTask, insertTask, listTasks, type TaskRow } from './tasks.queries.ts';

const toQuiz = (row: TaskRow): Quiz => ({
  id: `quiz_${row.id}`,
  name: row.name,
  passingScore: row.passing_score,
  questions: row.items.map(({ item, choices, correctAnswer }) => ({
    type: choices ? 'choice' : 'blank',
    question: item,
    choices: choices as Choices | null,
    correctAnswer: correctAnswer ?? '',
  })),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.created_at.toISOString(),
});

/** What the schema cannot say: choices and right answers that fit, and no question twice. */
function faultsOf(questions: NonNullable<NewQuiz['questions']>): Fault[] {
  const faults = questions.flatMap(({ type, choices, correctAnswer }, index): Fault[] => {
    const pointer = `/questions/${index}`;
    if (type === 'blank')
      return choices ? [{ pointer: `${pointer}/choices`, detail: 'must be null for a blank' }] : [];
    if (!choices) return [{ pointer: `${pointer}/choices`, detail: 'is required for a choice' }];
    if (Object.hasOwn(choices, correctAnswer)) return [];
    const letters = Object.keys(choices).join(', ');
    return [{ pointer: `${pointer}/correctAnswer`, detail: `must be one of ${letters}` }];
  });
  const texts = questions.map(({ question }) => question);
  return [...faults, ...faultsOfTwins(texts, (index) => `/questions/${index}/question`)];
}

export const quizRoutes: FastifyPluginAsyncTypebox<LearningRoutes> = async (
  app,
  { database, publicUrl, baseUrl },
) => {
  const { reads } = database;

  app.post(
    '/quizzes',
    {
      schema: {
        operationId: 'PostQuiz',
        summary: 'Create a quiz',
        description:
          'Makes a quiz: questions with choices, whose right answer is a letter, and blanks, whose right answer is a text. Answers that were given before the quiz existed count from now on. The name must be free, and no question may come twice; case and outer space make no difference. A quiz without questions takes no answers, and a quiz cannot be changed.',
        tags: ['Quizzes'],
        body: NewQuiz,
        response: {
          201: Type.Ref('Quiz', { description: 'The quiz as it was made.' }),
          ...problemResponses(400, 401, 'name-taken', 413, 415, 422),
        },
      },
    },
    async (request, reply) => {
      const { name, passingScore = PASSING_SCORE, questions = [] } = request.body;
      const faults = faultsOf(questions);
      if (faults.length > 0) throw invalidRequest(faults);
      return answerOnce(database, keyIdOf(request), request, reply, (commit) =>
        commit(async (executor) => {
          const row = await insertTask(executor, {
            type: 'quiz',
            name,
            passingScore,
            items: questions.map(({ question, choices = null, correctAnswer }) => ({
              item: question,
              choices,
              correctAnswer,
            })),
          });
          if (!row) throw new Problem('name-taken', `There is a quiz "${name}" already.`);
          const resource = toQuiz(row);
          const headers = { location: `${baseUrl}/quizzes/${resource.id}` };
          return { status: 201, headers, resource };
        }),
      );
    },
  );

  app.get(
    '/quizzes',
    {
      schema: {
        operationId: 'GetQuizzes',
        summary: 'Get quizzes',
        description: 'Lists the quizzes, oldest first, with their questions and the right answers.',
        tags: ['Quizzes'],
        querystring: Type.Object(PageQuery),
        response: {
          200: listOf('Quiz', 'One page of the quizzes.'),
          ...problemResponses(400, 401),
        },
      },
    },
    async (request, reply) => {
      const rows = await listTasks(reads, 'quiz', pageWindow(request.query));
      reply.header('cache-control', 'private, no-cache');
      return onePage(rows, request, reply, publicUrl).map(toQuiz);
    },
  );

  app.get(
    '/quizzes/:id',
    {
      schema: {
        operationId: 'GetQuiz',
        summary: 'Get a quiz',
        description: `Answers one quiz, with its questions and the right answers. ${BEYOND}`,
        tags: ['Quizzes'],
        params: idParams('quiz', 'quiz'),
        response: { 200: Type.Ref('Quiz'), ...notModified, ...problemResponses(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const row = await findTask(reads, 'quiz', uuidOf(request.params.id));
      if (!row) throw notFound(`There is no quiz ${request.params.id}.`);
      reply.header('cache-control', 'private, no-cache');
      return sendTagged(request, reply, toQuiz(row));
    },
  );
};
