import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { problemResponses } from '../../platform/documents/problem-responses.ts';
import { notModified, sendTagged } from '../../platform/http/etag.ts';
import { answerOnce } from '../../platform/http/idempotency.ts';
import { pageWindow } from '../../platform/http/pagination.ts';
import { type Fault, invalidRequest, notFound } from '../../platform/problems/problems.ts';
import { keyIdOf } from '../api-key.ts';
import type { LearningRoutes } from '../index.ts';
import { parseInstant } from '../instants.ts';
import { listOf, onePage } from '../lists.ts';
import { BEYOND, idParams, uuidOf } from '../texts.ts';
import {
  type AssignmentRow,
  findAssignment,
  insertAssignment,
  listAssignments,
} from './assignments.queries.ts';
import { type Assignment, AssignmentQuery, NewAssignment } from './assignments.schemas.ts';

const iso = (time: Date | string): string => new Date(time).toISOString();

/** The Assignment of the API. */
export const toAssignment = (row: AssignmentRow): Assignment => ({
  id: `asmt_${row.id}`,
  user: row.user_id,
  type: row.type,
  name: row.name,
  ...(row.max_attempts !== null && { maxAttempts: row.max_attempts }),
  ...(row.deadline !== null && { deadline: iso(row.deadline) }),
  status: row.status,
  assignedAt: iso(row.assigned_at),
  ...(row.completed_at !== null && { completedAt: iso(row.completed_at) }),
  progress: row.progress,
  ...(row.data && {
    data: {
      ...row.data,
      items: row.data.items.map(({ item, doneAt }) => ({
        item,
        ...(doneAt !== null && { doneAt: iso(doneAt) }),
      })),
    },
  }),
});

export const assignmentRoutes: FastifyPluginAsyncTypebox<LearningRoutes> = async (
  app,
  { database, publicUrl, baseUrl },
) => {
  const { reads } = database;

  app.post(
    '/assignments',
    {
      schema: {
        operationId: 'PostAssignment',
        summary: 'Assign something to a user',
        description: `Has a user do a quiz, a checklist or another activity. How far it is done is computed from the activities of the user, also from those of before; nobody sets it. Neither the user nor what is assigned need exist yet, and the same may be assigned more than once. ${BEYOND}`,
        tags: ['Other'],
        body: NewAssignment,
        response: {
          201: Type.Ref('Assignment', { description: 'The assignment, and how far it is done.' }),
          ...problemResponses(400, 401, 413, 415, 422),
        },
      },
    },
    async (request, reply) => {
      const faults: Fault[] = [];
      const { deadline } = request.body;
      const until =
        deadline === undefined
          ? undefined
          : parseInstant(deadline, { pointer: '/deadline' }, faults);
      if (faults.length > 0) throw invalidRequest(faults);
      return answerOnce(database, keyIdOf(request), request, reply, (commit) =>
        commit(async (executor) => {
          const row = await insertAssignment(executor, request.body, until);
          const resource = toAssignment(row);
          const headers = { location: `${baseUrl}/assignments/${resource.id}` };
          return { status: 201, headers, resource };
        }),
      );
    },
  );

  app.get(
    '/assignments',
    {
      schema: {
        operationId: 'GetAssignments',
        summary: 'Get assignments',
        description: `Lists the assignments of everybody or of one user, oldest first, each with how far it is done. ${BEYOND}`,
        tags: ['Other'],
        querystring: AssignmentQuery,
        response: {
          200: listOf('Assignment', 'One page of the assignments.'),
          ...problemResponses(400, 401),
        },
      },
    },
    async (request, reply) => {
      const { user } = request.query;
      const rows = await listAssignments(reads, {
        ...pageWindow(request.query),
        ...(user !== undefined && { user }),
      });
      reply.header('cache-control', 'private, no-cache');
      return onePage(rows, request, reply, publicUrl).map(toAssignment);
    },
  );

  app.get(
    '/assignments/:id',
    {
      schema: {
        operationId: 'GetAssignment',
        summary: 'Get an assignment',
        description: `Answers one assignment, and how far it is done. ${BEYOND}`,
        tags: ['Other'],
        params: idParams('asmt', 'assignment'),
        response: {
          200: Type.Ref('Assignment'),
          ...notModified,
          ...problemResponses(400, 401, 404),
        },
      },
    },
    async (request, reply) => {
      const row = await findAssignment(reads, uuidOf(request.params.id));
      if (!row) throw notFound(`There is no assignment ${request.params.id}.`);
      reply.header('cache-control', 'private, no-cache');
      return sendTagged(request, reply, toAssignment(row));
    },
  );
};
