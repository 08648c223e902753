import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { problemResponses } from '../../platform/documents/problem-responses.ts';
import { notModified, sendTagged } from '../../platform/http/etag.ts';
import { answerOnce } from '../../platform/http/idempotency.ts';
import { PageQuery, pageWindow } from '../../platform/http/pagination.ts';
import { notFound, Problem } from '../../platform/problems/problems.ts';
import { keyIdOf } from '../api-key.ts';
import type { LearningRoutes } from '../index.ts';
import { listOf, onePage } from '../lists.ts';
import { BEYOND, idParams, uuidOf } from '../texts.ts';
import { type BadgeRow, findBadge, insertBadge, listBadges } from './badges.queries.ts';
import { type Badge, NewBadge } from './badges.schemas.ts';

const toBadge = (row: BadgeRow): Badge => ({
  id: `badge_${row.id}`,
  name: row.name,
  ...(row.icon !== null && { icon: row.icon }),
  requirements: row.requirements,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.created_at.toISOString(),
});

export const badgeRoutes: FastifyPluginAsyncTypebox<LearningRoutes> = async (
  app,
  { database, publicUrl, baseUrl },
) => {
  const { reads } = database;

  app.post(
    '/badges',
    {
      schema: {
        operationId: 'PostBadge',
        summary: 'Create a badge',
        description: `Makes a badge. Nobody awards it: whoever meets all of its requirements has it, also by what was done before it existed. What it asks for need not exist yet. The name must be free; case and outer space make no difference. ${BEYOND}`,
        tags: ['Other'],
        body: NewBadge,
        response: {
          201: Type.Ref('Badge', { description: 'The badge as it was made.' }),
          ...problemResponses(400, 401, 'name-taken', 413, 415, 422),
        },
      },
    },
    async (request, reply) => {
      const { name, icon = null, requirements = [] } = request.body;
      return answerOnce(database, keyIdOf(request), request, reply, (commit) =>
        commit(async (executor) => {
          const row = await insertBadge(executor, {
            name,
            icon,
            requirements: requirements.map((requirement) => ({
              ...requirement,
              status:
                requirement.status ?? (requirement.minScore === undefined ? 'passed' : 'completed'),
            })),
          });
          if (!row) throw new Problem('name-taken', `There is a badge "${name}" already.`);
          const resource = toBadge(row);
          const headers = { location: `${baseUrl}/badges/${resource.id}` };
          return { status: 201, headers, resource };
        }),
      );
    },
  );

  app.get(
    '/badges',
    {
      schema: {
        operationId: 'GetBadges',
        summary: 'Get badges',
        description: `Lists the badges, oldest first. ${BEYOND}`,
        tags: ['Other'],
        querystring: Type.Object(PageQuery),
        response: {
          200: listOf('Badge', 'One page of the badges.'),
          ...problemResponses(400, 401),
        },
      },
    },
    async (request, reply) => {
      const rows = await listBadges(reads, pageWindow(request.query));
      reply.header('cache-control', 'private, no-cache');
      return onePage(rows, request, reply, publicUrl).map(toBadge);
    },
  );

  app.get(
    '/badges/:id',
    {
      schema: {
        operationId: 'GetBadge',
        summary: 'Get a badge',
        description: `Answers one badge with what it asks for. ${BEYOND}`,
        tags: ['Other'],
        params: idParams('badge', 'badge'),
        response: { 200: Type.Ref('Badge'), ...notModified, ...problemResponses(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const row = await findBadge(reads, uuidOf(request.params.id));
      if (!row) throw notFound(`There is no badge ${request.params.id}.`);
      reply.header('cache-control', 'private, no-cache');
      return sendTagged(request, reply, toBadge(row));
    },
  );
};
