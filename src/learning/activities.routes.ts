import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { problemResponses } from '../platform/documents/problem-responses.ts';
import { answerOnce } from '../platform/http/idempotency.ts';
import { type Fault, invalidRequest } from '../platform/problems/problems.ts';
import { insertActivity } from './activities.queries.ts';
import { NewActivity } from './activities.schemas.ts';
import { keyIdOf } from './api-key.ts';
import type { LearningRoutes } from './index.ts';
import { parseInstant } from './instants.ts';
import { fold } from './names.ts';

const AT = { pointer: '/metadata/timestamp' };

/** What the schema cannot say: which members a quiz and a checklist need. */
function missingMembers({ type, item, answer }: NewActivity['data']): Fault[] {
  const kind = fold(type);
  const faults: Fault[] = [];
  if (item === undefined && (kind === 'quiz' || kind === 'checklist'))
    faults.push({
      pointer: '/data/item',
      detail: `is required for a ${kind}: the ${kind === 'quiz' ? 'question' : 'item'}`,
    });
  if (answer === undefined && kind === 'quiz')
    faults.push({
      pointer: '/data/answer',
      detail: 'is required for a quiz; null where the question was seen and not answered',
    });
  return faults;
}

export const activityRoutes: FastifyPluginAsyncTypebox<LearningRoutes> = async (
  app,
  { database },
) => {
  app.post(
    '/activities',
    {
      schema: {
        operationId: 'PostActivity',
        summary: 'Record an activity',
        description:
          'Records one thing that a user did; all else is computed from these. An answer to a question has the type `quiz`, the name of the quiz, the question as its `item`, and an `answer`; a tick on a checklist has the type `checklist`, its name and the `item`; whatever has another type needs a name only. The user need not be known before. Sent twice it is two activities: send an `Idempotency-Key` where you may have to repeat the request. A `timestamp` more than five minutes ahead of our clock is 400.',
        tags: ['Activities'],
        body: NewActivity,
        response: {
          204: Type.Null({ description: 'The activity is recorded, and counts from now on.' }),
          ...problemResponses(400, 401, 413, 415, 422),
        },
      },
    },
    async (request, reply) => {
      const { data, metadata } = request.body;
      const faults = missingMembers(data);
      const { timestamp } = metadata;
      const at = timestamp === undefined ? undefined : parseInstant(timestamp, AT, faults);
      if (faults.length > 0) throw invalidRequest(faults);
      return answerOnce(database, keyIdOf(request), request, reply, (commit) =>
        commit(async (executor) => {
          if (!(await insertActivity(executor, request.body, at)))
            throw invalidRequest([
              { ...AT, detail: 'must not be more than five minutes ahead of our clock' },
            ]);
          return { status: 204, resource: null };
        }),
      );
    },
  );
};
