import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { problemResponses } from '../../platform/documents/problem-responses.ts';
import { notModified, sendTagged } from '../../platform/http/etag.ts';
import { type Fault, invalidRequest } from '../../platform/problems/problems.ts';
import type { LearningRoutes } from '../index.ts';
import { parseInstant } from '../instants.ts';
import { exactDigest } from '../names.ts';
import { BEYOND } from '../texts.ts';
import { summarize } from './reports.queries.ts';
import { ReportQuery } from './reports.schemas.ts';

export const reportRoutes: FastifyPluginAsyncTypebox<LearningRoutes> = async (
  app,
  { database: { reads } },
) => {
  app.get(
    '/reports/summaries',
    {
      schema: {
        operationId: 'GetSummaryReport',
        summary: 'Get a summary of a time',
        description: `Counts what all users together did from \`startDate\` until before \`endDate\`, which must be later. Computed anew each time: an activity that arrives late changes the report. ${BEYOND}`,
        tags: ['Reports'],
        querystring: ReportQuery,
        response: { 200: Type.Ref('SummaryReport'), ...notModified, ...problemResponses(400, 401) },
      },
    },
    async (request, reply) => {
      const faults: Fault[] = [];
      const start = parseInstant(request.query.startDate, { parameter: 'startDate' }, faults);
      const end = parseInstant(request.query.endDate, { parameter: 'endDate' }, faults);
      if (start && end && start >= end)
        faults.push({ parameter: 'endDate', detail: 'must be after startDate' });
      if (!start || !end || faults.length > 0) throw invalidRequest(faults);
      const [startDate, endDate] = [start.toISOString(), end.toISOString()];
      reply.header('cache-control', 'private, no-cache');
      return sendTagged(request, reply, {
        id: `id_${exactDigest(`${startDate} ${endDate}`)}`,
        startDate,
        endDate,
        ...(await summarize(reads, start, end)),
      });
    },
  );
};
