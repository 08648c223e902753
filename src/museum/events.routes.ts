import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { batchById } from '../platform/database/batch.ts';
import { headersNamed } from '../platform/documents/headers.ts';
import { problemResponses } from '../platform/documents/problem-responses.ts';
import { notModified, entityTag, requireMatch, sendTagged } from '../platform/http/etag.ts';
import { answerOnce } from '../platform/http/idempotency.ts';
import { pageWindow } from '../platform/http/pagination.ts';
import { invalidRequest, notFound } from '../platform/problems/problems.ts';
import {
  cancelEvent,
  findEvents,
  insertEvent,
  listEvents,
  lockEvent,
  updateEvent,
} from './events.queries.ts';
import {
  EVENT_FIELDS,
  EventParams,
  EventQuery,
  NewSpecialEvent,
  SpecialEvent,
  SpecialEventChange,
  SpecialEvents,
} from './events.schemas.ts';
import type { MuseumRoutes } from './index.ts';
import { sendList } from './page.schemas.ts';
import { SECURITY, staffOf } from './staff/auth.ts';

const noEvent = (id: string) => notFound(`There is no special event ${id}.`);

export const eventRoutes: FastifyPluginAsyncTypebox<MuseumRoutes> = async (
  app,
  { database, baseUrl, publicUrl, webhooks },
) => {
  const { db, reads, writes } = database;
  const findEvent = batchById((ids) => findEvents(reads, ids));
  app.addSchema(SpecialEvents);
  const staffOnly = { config: { staffOnly: true } as const };
  const operation = { security: SECURITY, tags: ['Events'] };

  /** Does `change` at once, or, with If-Match, only if the event is the one that the client knows. */
  const ifUnchanged = <T>(
    id: string,
    ifMatch: string | undefined,
    tagOf: (event: SpecialEvent) => string,
    change: (executor: typeof db) => Promise<T>,
  ): Promise<T> =>
    ifMatch === undefined
      ? change(writes)
      : db.transaction().execute(async (tx) => {
          const event = await lockEvent(tx, id);
          if (!event) throw noEvent(id);
          requireMatch(ifMatch, tagOf(event));
          return change(tx);
        });

  app.get(
    '/special-events',
    {
      ...staffOnly,
      schema: {
        operationId: 'listSpecialEvents',
        summary: 'List special events',
        description:
          'The special events that are planned, by their first dates; those that were cancelled are left out. `startDate` and `endDate` leave those with a date between the two, both included; either may be left out. For the staff.',
        ...operation,
        querystring: EventQuery,
        response: {
          200: { ...Type.Ref('SpecialEvents'), headers: headersNamed('Link') },
          ...problemResponses(400, 401),
        },
      },
    },
    async (request, reply) => {
      const { startDate, endDate } = request.query;
      if (startDate !== undefined && endDate !== undefined && endDate < startDate)
        throw invalidRequest([
          { parameter: 'endDate', detail: `must not be before startDate, ${startDate}` },
        ]);
      const window = pageWindow(request.query);
      const events = await listEvents(reads, { startDate, endDate, ...window });
      reply.header('cache-control', 'private, no-cache');
      return sendList(reply, events, request.query, publicUrl + request.url);
    },
  );

  app.post(
    '/special-events',
    {
      ...staffOnly,
      schema: {
        operationId: 'createSpecialEvent',
        summary: 'Create a special event',
        description:
          'Plans an event: from now on tickets can be bought for its dates. It is published to the subscribers of `publishNewEvent`. Dates may lie in the past. For the staff.',
        ...operation,
        body: NewSpecialEvent,
        response: {
          201: { ...Type.Ref('SpecialEvent'), headers: headersNamed('ETag') },
          ...problemResponses(400, 401, 413, 415, 422),
        },
      },
    },
    async (request, reply) => {
      const caller = `staff ${staffOf(request)}`;
      const answer = await answerOnce(database, caller, request, reply, (commit) =>
        commit(async (executor) => {
          const event = await insertEvent(executor, request.body);
          const headers = {
            location: `${baseUrl}/special-events/${event.eventId}`,
            etag: entityTag(reply.serializeInput(event, SpecialEvent)),
          };
          return { status: 201, headers, resource: event };
        }),
      );
      webhooks.announce();
      return answer;
    },
  );

  app.get(
    '/special-events/:eventId',
    {
      ...staffOnly,
      schema: {
        operationId: 'getSpecialEvent',
        summary: 'Get a special event',
        description: 'One special event. One that was cancelled is 404. For the staff.',
        ...operation,
        params: EventParams,
        response: {
          200: Type.Ref('SpecialEvent'),
          ...notModified,
          ...problemResponses(400, 401, 404),
        },
      },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      const row = await findEvent(eventId);
      if (!row) throw noEvent(eventId);
      reply.header('cache-control', 'private, no-cache');
      return sendTagged(request, reply, row);
    },
  );

  app.patch(
    '/special-events/:eventId',
    {
      ...staffOnly,
      schema: {
        operationId: 'updateSpecialEvent',
        summary: 'Update a special event',
        description:
          'Changes the members that are sent, one or more; the rest stays. Where that makes a difference, the event is published again to the subscribers of `publishNewEvent`, wallet passes of its tickets change, and a ticket for a date on which it is no longer held is void. For the staff.',
        ...operation,
        params: EventParams,
        body: SpecialEventChange,
        response: {
          200: Type.Ref('SpecialEvent'),
          ...problemResponses(400, 401, 404, 412, 413, 415),
        },
      },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      if (EVENT_FIELDS.every((field) => request.body[field] === undefined))
        throw invalidRequest([
          { pointer: '', detail: `must have at least one of ${EVENT_FIELDS.join(', ')}` },
        ]);
      const tagOf = (event: SpecialEvent) => entityTag(reply.serializeInput(event, SpecialEvent));
      const event = await ifUnchanged(eventId, request.headers['if-match'], tagOf, (executor) =>
        updateEvent(executor, eventId, request.body),
      );
      if (!event) throw noEvent(eventId);
      webhooks.announce();
      reply.headers({ 'cache-control': 'private, no-cache', etag: tagOf(event) });
      return event;
    },
  );

  app.delete(
    '/special-events/:eventId',
    {
      ...staffOnly,
      schema: {
        operationId: 'deleteSpecialEvent',
        summary: 'Delete a special event',
        description:
          'Cancels the event: it is 404 from now on, and no ticket can be bought for it. Tickets that were bought stay, and are void. For the staff.',
        ...operation,
        params: EventParams,
        response: {
          204: Type.Null({ description: 'The event is cancelled.' }),
          ...problemResponses(400, 401, 404, 412),
        },
      },
    },
    async (request, reply) => {
      const { eventId } = request.params;
      const tagOf = (event: SpecialEvent) => entityTag(reply.serializeInput(event, SpecialEvent));
      const isCancelled = await ifUnchanged(
        eventId,
        request.headers['if-match'],
        tagOf,
        (executor) => cancelEvent(executor, eventId),
      );
      if (!isCancelled) throw noEvent(eventId);
      return reply.code(204).send(null);
    },
  );
};
