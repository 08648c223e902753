import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { headersNamed } from '../platform/documents/headers.ts';
import { problemResponses } from '../platform/documents/problem-responses.ts';
import { pageWindow } from '../platform/http/pagination.ts';
import { listOpenDays } from './hours.queries.ts';
import { HoursQuery, MuseumHours } from './hours.schemas.ts';
import type { MuseumRoutes } from './index.ts';
import { sendList } from './page.schemas.ts';

export const hoursRoutes: FastifyPluginAsyncTypebox<MuseumRoutes> = async (
  app,
  { database: { reads }, publicUrl, timezone },
) => {
  app.addSchema(MuseumHours);

  app.get(
    '/museum-hours',
    {
      schema: {
        operationId: 'getMuseumHours',
        summary: 'Get museum hours',
        description: `When the museum is open, day by day from \`startDate\` on; dates on which it is closed are left out. Times are those of ${timezone}. Anybody may ask.`,
        tags: ['Operations'],
        security: [],
        querystring: HoursQuery,
        response: {
          200: { ...Type.Ref('MuseumHours'), headers: headersNamed('Link') },
          ...problemResponses(400, 401),
        },
      },
    },
    async (request, reply) => {
      const { startDate } = request.query;
      const window = pageWindow(request.query);
      const days = await listOpenDays(reads, { startDate, timezone, ...window });
      // What "today" is, and an exception, may change at any time.
      reply.header('cache-control', 'no-cache');
      return sendList(reply, days, request.query, publicUrl + request.url);
    },
  );
};
