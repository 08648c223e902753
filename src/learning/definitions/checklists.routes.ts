import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { problemResponses } from '../../platform/documents/problem-responses.ts';
import { notModified, sendTagged } from '../../platform/http/etag.ts';
import { answerOnce } from '../../platform/http/idempotency.ts';
import { PageQuery, pageWindow } from '../../platform/http/pagination.ts';
import { invalidRequest, notFound, Problem } from '../../platform/problems/problems.ts';
import { keyIdOf } from '../api-key.ts';
import type { LearningRoutes } from '../index.ts';
import { listOf, onePage } from '../lists.ts';
import { BEYOND, idParams, uuidOf } from '../texts.ts';
import { faultsOfTwins } from '../twins.ts';
import { type Checklist, NewChecklist } from './checklists.schemas.ts';
import { findTask, insertTask, listTasks, type TaskRow } from './tasks.queries.ts';

const toChecklist = (row: TaskRow): Checklist => ({
  id: `cklst_${row.id}`,
  name: row.name,
  items: row.items.map(({ item }) => item),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.created_at.toISOString(),
});

export const checklistRoutes: FastifyPluginAsyncTypebox<LearningRoutes> = async (
  app,
  { database, publicUrl, baseUrl },
) => {
  const { reads } = database;

  app.post(
    '/checklists',
    {
      schema: {
        operationId: 'PostChecklist',
        summary: 'Create a checklist',
        description: `Makes a checklist. Items that were ticked before it existed count from now on; an item that is ticked stays so, and a checklist without items is never complete. The name must be free, and no item may come twice; case and outer space make no difference. ${BEYOND}`,
        tags: ['Other'],
        body: NewChecklist,
        response: {
          201: Type.Ref('Checklist', { description: 'The checklist as it was made.' }),
          ...problemResponses(400, 401, 'name-taken', 413, 415, 422),
        },
      },
    },
    async (request, reply) => {
      const { name, items = [] } = request.body;
      const faults = faultsOfTwins(items, (index) => `/items/${index}`);
      if (faults.length > 0) throw invalidRequest(faults);
      return answerOnce(database, keyIdOf(request), request, reply, (commit) =>
        commit(async (executor) => {
          const row = await insertTask(executor, {
            type: 'checklist',
            name,
            passingScore: 1,
            items: items.map((item) => ({ item })),
          });
          if (!row) throw new Problem('name-taken', `There is a checklist "${name}" already.`);
          const resource = toChecklist(row);
          const headers = { location: `${baseUrl}/checklists/${resource.id}` };
          return { status: 201, headers, resource };
        }),
      );
    },
  );

  app.get(
    '/checklists',
    {
      schema: {
        operationId: 'GetChecklists',
        summary: 'Get checklists',
        description: `Lists the checklists, oldest first. ${BEYOND}`,
        tags: ['Other'],
        querystring: Type.Object(PageQuery),
        response: {
          200: listOf('Checklist', 'One page of the checklists.'),
          ...problemResponses(400, 401),
        },
      },
    },
    async (request, reply) => {
      const rows = await listTasks(reads, 'checklist', pageWindow(request.query));
      reply.header('cache-control', 'private, no-cache');
      return onePage(rows, request, reply, publicUrl).map(toChecklist);
    },
  );

  app.get(
    '/checklists/:id',
    {
      schema: {
        operationId: 'GetChecklist',
        summary: 'Get a checklist',
        description: `Answers one checklist with its items. ${BEYOND}`,
        tags: ['Other'],
        params: idParams('cklst', 'checklist'),
        response: {
          200: Type.Ref('Checklist'),
          ...notModified,
          ...problemResponses(400, 401, 404),
        },
      },
    },
    async (request, reply) => {
      const row = await findTask(reads, 'checklist', uuidOf(request.params.id));
      if (!row) throw notFound(`There is no checklist ${request.params.id}.`);
      reply.header('cache-control', 'private, no-cache');
      return sendTagged(request, reply, toChecklist(row));
    },
  );
};
