import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { batchById } from '../platform/database/batch.ts';
import { problemResponses } from '../platform/documents/problem-responses.ts';
import { notModified, requireMatch, sendTagged } from '../platform/http/etag.ts';
import { tagsOf } from '../platform/formats/index.ts';
import { JSON_TYPE } from '../platform/formats/media-types.ts';
import { answerOnce } from '../platform/http/idempotency.ts';
import { invalidRequest, notFound, Problem } from '../platform/problems/problems.ts';
import { callerOf } from './access.ts';
import { Nothing, problemsOfAnyAccept } from './fields.ts';
import type { PetstoreRoutes } from './index.ts';
import {
  countInventory,
  deleteOrder,
  findOrders,
  insertOrder,
  lockOrder,
  type OrderRow,
} from './orders.queries.ts';
import { DeletableOrder, Inventory, NewOrder, Order, ReadableOrder } from './orders.schemas.ts';
import { noPet } from './pets.routes.ts';

const noOrder = (id: number) => notFound(`There is no order ${id}.`);

const toOrder = (row: OrderRow): Order => ({
  id: row.id,
  petId: row.pet_id,
  quantity: row.quantity,
  ...(row.ship_date && { shipDate: row.ship_date.toISOString() }),
  status: row.status,
  complete: row.complete,
});

/** The date-time in UTC. The schema takes some that no clock shows and no answer can hold. */
function toUtc(shipDate: string): string {
  const time = new Date(shipDate);
  if (!(time.getTime() >= FIRST_TIME && time.getTime() <= LAST_TIME))
    throw invalidRequest([
      { pointer: '/shipDate', detail: 'must be a time of the years 0001 to 9999 in UTC' },
    ]);
  return time.toISOString();
}
const FIRST_TIME = Date.parse('0001-01-01T00:00:00Z');
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** One sentence, whatever is wrong with the id: what this operation takes. */
const invalidId = (valid: string) => () =>
  new Problem('invalid-request', `Invalid ID supplied: orderId must be ${valid}.`, {
    errors: [{ parameter: 'orderId', detail: `must be ${valid}` }],
  });

const OrderAnswer = Type.Unsafe<Order>(
  Type.Ref('Order', { description: 'The order as it is stored.' }),
);

export const orderRoutes: FastifyPluginAsyncTypebox<PetstoreRoutes> = async (app, { database }) => {
  const { db, reads, writes } = database;
  const findOrder = batchById((ids: readonly number[]) => findOrders(reads, ids));

  app.get(
    '/store/inventory',
    {
      config: { access: 'api_key' },
      schema: {
        operationId: 'getInventory',
        summary: 'Count what is ordered, by status',
        description:
          'Adds up the `quantity` of all orders, by their status. This is the one operation that takes an API key only: an access token is 403. It answers JSON only.',
        tags: ['store'],
        security: [{ api_key: [] }],
        produces: [JSON_TYPE],
        response: { 200: Inventory, ...problemResponses('malformed-url', 401, 403) },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'private, no-cache');
      return countInventory(reads);
    },
  );

  app.post(
    '/store/order',
    {
      schema: {
        operationId: 'placeOrder',
        summary: 'Place an order for a pet',
        description:
          'Orders a pet; anybody may do this, whatever the status of the pet. The pet must be there, else the answer is 404. Without an `id` the order is given a free one; one that is taken is 409. Of what is left out, `quantity` is 1, `status` is `placed`, and `complete` is false.',
        tags: ['store'],
        security: [],
        body: NewOrder,
        response: {
          200: OrderAnswer,
          ...problemResponses(400, 401, 404, 'id-taken', 413, 415, 422),
        },
      },
    },
    async (request, reply) => {
      const { shipDate, ...rest } = request.body;
      const order = { ...rest, ...(shipDate !== undefined && { shipDate: toUtc(shipDate) }) };
      return answerOnce(database, callerOf(request), request, reply, (commit) =>
        commit(async (executor) => {
          const outcome = await insertOrder(executor, order);
          if (outcome === 'no-pet') throw noPet(order.petId);
          if (outcome === 'id-taken')
            throw new Problem('id-taken', `There is an order ${order.id} already.`);
          return { status: 200, resource: toOrder(outcome) };
        }),
      );
    },
  );

  app.get(
    '/store/order/:orderId',
    {
      schemaErrorFormatter: invalidId('an integer that is at most 5, or more than 10'),
      schema: {
        operationId: 'getOrderById',
        summary: 'Find an order by id',
        description:
          'Answers one order. As the published service has it, valid ids are integers up to 5, and those above 10: 6 to 10 are 400, whether or not there is such an order.',
        tags: ['store'],
        security: [],
        params: ReadableOrder,
        response: { 200: OrderAnswer, ...notModified, ...problemResponses(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { orderId } = request.params;
      const row = await findOrder(orderId);
      if (!row) throw noOrder(orderId);
      reply.header('cache-control', 'private, no-cache');
      return sendTagged(request, reply, toOrder(row));
    },
  );

  app.delete(
    '/store/order/:orderId',
    {
      schemaErrorFormatter: invalidId('an integer below 1000'),
      schema: {
        operationId: 'deleteOrder',
        summary: 'Delete an order',
        description:
          'Deletes an order for good; anybody may do this. As the published service has it, valid ids are integers below 1000, and all others are 400. A second time is 404.',
        tags: ['store'],
        security: [],
        params: DeletableOrder,
        response: {
          200: Nothing('The order is deleted.'),
          ...problemsOfAnyAccept(400, 401, 404, 412),
        },
      },
    },
    async (request, reply) => {
      const { orderId } = request.params;
      const ifMatch = request.headers['if-match'];
      const isDeleted =
        ifMatch === undefined
          ? await deleteOrder(writes, orderId)
          : await db.transaction().execute(async (tx) => {
              const row = await lockOrder(tx, orderId);
              if (!row) return false;
              requireMatch(ifMatch, ...tagsOf(reply, toOrder(row), Order));
              return deleteOrder(tx, orderId);
            });
      if (!isDeleted) throw noOrder(orderId);
      return reply.send(undefined);
    },
  );
};
