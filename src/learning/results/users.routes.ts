import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { headersNamed } from '../../platform/documents/headers.ts';
import { problemResponses } from '../../platform/documents/problem-responses.ts';
import { notModified, sendTagged } from '../../platform/http/etag.ts';
import { pageWindow } from '../../platform/http/pagination.ts';
import { notFound } from '../../platform/problems/problems.ts';
import type { LearningRoutes } from '../index.ts';
import { listOf, onePage } from '../lists.ts';
import { BEYOND } from '../texts.ts';
import { userId } from '../names.ts';
import { toAssignment } from './assignments.routes.ts';
import { findUser, listUsers, type UserDetailRow } from './users.queries.ts';
import { type UserDetail, UserParams, UserQuery, type UserSummary } from './users.schemas.ts';

const toDetail = (row: UserDetailRow): UserDetail => ({
  id: userId(row.id),
  badges: row.badges.map(({ id, name, icon, awarded_at }) => ({
    id: `badge_${id}`,
    name,
    ...(icon !== null && { icon }),
    awardedAt: new Date(awarded_at).toISOString(),
  })),
  assignments: row.assignments.map(toAssignment),
  activity: row.activities.map(({ id, type, name, item, answer, domain, path, occurred_at }) => ({
    id: `id_${id}`,
    data: { type, name, ...(item !== null && { item }), answer },
    metadata: {
      user: row.id,
      ...(domain !== null && { domain }),
      ...(path !== null && { path }),
      timestamp: new Date(occurred_at).toISOString(),
    },
  })),
});

export const userRoutes: FastifyPluginAsyncTypebox<LearningRoutes> = async (
  app,
  { database: { reads }, publicUrl },
) => {
  app.get(
    '/users',
    {
      schema: {
        operationId: 'GetUserList',
        summary: 'Get users',
        description: `Lists everybody with an activity or an assignment by their ids, and how much they have done. ${BEYOND}`,
        tags: ['Reports'],
        querystring: UserQuery,
        response: {
          200: listOf('UserSummary', 'One page of the users.'),
          ...problemResponses(400, 401),
        },
      },
    },
    async (request, reply) => {
      const rows = await listUsers(reads, pageWindow(request.query));
      reply.header('cache-control', 'private, no-cache');
      return onePage(rows, request, reply, publicUrl).map(
        ({ id, badges, assignments, activities }): UserSummary => ({
          id: userId(id),
          badgesCount: badges,
          assignments,
          activity: activities,
        }),
      );
    },
  );

  app.get(
    '/users/:id',
    {
      schema: {
        operationId: 'GetUserActivity',
        summary: 'Get the activity report of a user',
        description:
          'Answers what a user has done: badges, assignments with how far they are, and activities, newest first. `page` and `limit` are those of `activity`, and the header `Link` leads to the pages beside. Somebody without activity and assignment is 404.',
        tags: ['Reports'],
        params: UserParams,
        querystring: UserQuery,
        response: {
          200: Type.Ref('UserDetail', { headers: headersNamed('Link') }),
          304: { ...notModified[304], headers: headersNamed('Link') },
          ...problemResponses(400, 401, 404),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const row = await findUser(reads, id, pageWindow(request.query));
      if (!row) throw notFound(`There is no user ${id}: no activity, and no assignment.`);
      const activities = onePage(row.activities, request, reply, publicUrl);
      reply.header('cache-control', 'private, no-cache');
      return sendTagged(request, reply, toDetail({ ...row, activities }));
    },
  );
};
