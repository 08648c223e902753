import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { problemResponses } from '../platform/documents/problem-responses.ts';
import { notModified, entityTag, requireMatch, sendTagged } from '../platform/http/etag.ts';
import { answerOnce } from '../platform/http/idempotency.ts';
import { newId } from '../platform/ids.ts';
import { PageQuery, pageWindow, paginate } from '../platform/http/pagination.ts';
import { type Fault, invalidRequest, Problem } from '../platform/problems/problems.ts';
import {
  getSubscription,
  noSubscription,
  type SubscriptionOptions,
  subscriptionAccess,
} from './access.ts';
import { newSecret, showSecret } from './signature.ts';
import {
  deleteSubscription,
  insertSubscription,
  listSubscriptions,
  rotateSecret,
  type SubscriptionRow,
  updateSubscription,
} from './subscriptions.queries.ts';
import {
  NewSubscription,
  Subscription,
  SubscriptionParams,
  SubscriptionUpdate,
} from './subscriptions.schemas.ts';
import type { Targets } from './target.ts';

/** Subscriptions of one owner to one event; more would be a way to flood a target. */
const MOST = 50;
/** How long the secret before a rotation signs too, in seconds. */
const OVERLAP_SECONDS = 86_400;

/** Headers that are the connection's or ours. */
const RESERVED =
  /^(authorization|connection|content-.*|expect|host|keep-alive|proxy-.*|te|trailer|transfer-.*|upgrade|user-agent|webhook-.*)$/i;
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]{1,100}$/;

/** The Subscription of the API. */
const toSubscription = (row: SubscriptionRow, url: string): Subscription => ({
  id: row.id,
  url: row.url,
  ...(row.description && { description: row.description }),
  headers: row.headers,
  enabled: row.is_enabled,
  ...(row.disabled_at && {
    disabled: { time: row.disabled_at.toISOString(), reason: row.disabled_reason ?? '' },
  }),
  created: row.created_at.toISOString(),
  links: { self: `${url}/${row.id}`, deliveries: `${url}/${row.id}/deliveries` },
});

/** Throws 400 that names what no schema can say: where a target leads, which headers are ours. */
async function requireSound(
  targets: Targets,
  { url, headers = {} }: { url?: string; headers?: Record<string, string> },
): Promise<void> {
  const faults: Fault[] = [];
  for (const name of Object.keys(headers)) {
    const pointer = `/headers/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!HEADER_NAME.test(name)) faults.push({ pointer, detail: 'is not the name of a header' });
    else if (RESERVED.test(name)) faults.push({ pointer, detail: 'is set by us; remove it' });
  }
  const fault = url === undefined ? undefined : await targets.findFault(url);
  if (fault !== undefined) faults.push({ pointer: '/url', detail: fault });
  if (faults.length > 0) throw invalidRequest(faults);
}

/** Subscriptions to one event, each its owner's alone. */
export const subscriptionRoutes: FastifyPluginAsyncTypebox<SubscriptionOptions> = async (
  app,
  options,
) => {
  const { database, webhooks, publicUrl, holderOf, access, refusals } = options;
  const { db, reads } = database;
  const { path, url, holder, describe } = subscriptionAccess(options);

  app.post(
    path,
    {
      config: access.write.config,
      schema: {
        ...describe(
          'write',
          'create-subscription',
          'Subscribe to the event',
          'From now on the event is sent to `url`, signed. The answer shows the secret of the signatures, this once: keep it where your receiver finds it. Refused where `url` leads to an address that is not public, where `headers` has one that we set, and beyond 50 subscriptions.',
        ),
        body: NewSubscription,
        response: {
          201: Type.Ref('Subscription-With-Secret'),
          ...problemResponses(400, ...refusals, 'too-many-subscriptions', 413, 415, 422),
        },
      },
    },
    async (request, reply) => {
      const { description = null, headers = {}, enabled = true } = request.body;
      await requireSound(webhooks.targets, request.body);
      const { owner, receivesAll } = holderOf(request);
      return answerOnce(database, owner, request, reply, (commit) =>
        commit(async (executor) => {
          const secret = newSecret();
          const wanted = { id: newId(), url: request.body.url, description, headers, secret };
          const subscription = { ...wanted, isEnabled: enabled, receivesAll };
          const row = await insertSubscription(executor, holder(request), subscription, MOST);
          if (!row)
            throw new Problem(
              'too-many-subscriptions',
              `You have ${MOST} subscriptions to this event already; delete one first.`,
            );
          const resource = { ...toSubscription(row, url), secret: showSecret(secret) };
          return { status: 201, headers: { location: resource.links.self }, resource };
        }),
      );
    },
  );

  app.get(
    path,
    {
      config: access.read.config,
      schema: {
        ...describe(
          'read',
          'get-subscriptions',
          'List your subscriptions',
          'Yours alone, newest first, without their secrets.',
        ),
        querystring: Type.Object(PageQuery),
        response: {
          200: Type.Ref('Subscription-Collection'),
          ...problemResponses(400, ...refusals),
        },
      },
    },
    async (request, reply) => {
      const rows = await listSubscriptions(reads, holder(request), pageWindow(request.query));
      reply.header('cache-control', 'private, no-cache');
      const subscriptions = rows.map((row) => toSubscription(row, url));
      return paginate(subscriptions, request.query, publicUrl + request.url);
    },
  );

  app.get(
    `${path}/:subscriptionId`,
    {
      config: access.read.config,
      schema: {
        ...describe(
          'read',
          'get-subscription',
          'Get a subscription',
          'One of your subscriptions, without its secret. Where it is disabled, `disabled` says since when and why.',
        ),
        params: SubscriptionParams,
        response: {
          200: Type.Ref('Subscription'),
          ...notModified,
          ...problemResponses(400, ...refusals, 404),
        },
      },
    },
    async (request, reply) => {
      const row = await getSubscription(reads, holder(request), request.params.subscriptionId);
      reply.header('cache-control', 'private, no-cache');
      return sendTagged(request, reply, toSubscription(row, url));
    },
  );

  app.patch(
    `${path}/:subscriptionId`,
    {
      config: access.write.config,
      schema: {
        ...describe(
          'write',
          'update-subscription',
          'Change a subscription',
          'Changes the members that are sent; the rest stays. With `enabled: false` nothing more is sent. With `enabled: true` one that was disabled, by you or because its target failed for days, starts again with all that waited; `recover` delivers what happened meanwhile.',
        ),
        params: SubscriptionParams,
        body: SubscriptionUpdate,
        response: {
          200: Type.Ref('Subscription'),
          ...problemResponses(400, ...refusals, 404, 412),
        },
      },
    },
    async (request, reply) => {
      const { subscriptionId } = request.params;
      await requireSound(webhooks.targets, request.body);
      const row = await db.transaction().execute(async (tx) => {
        const before = await getSubscription(tx, holder(request), subscriptionId, true);
        const shown = reply.serializeInput(toSubscription(before, url), Subscription);
        requireMatch(request.headers['if-match'], entityTag(shown));
        return updateSubscription(tx, holder(request), subscriptionId, request.body);
      });
      if (!row) throw noSubscription(subscriptionId);
      if (request.body.enabled) webhooks.announce();
      return sendTagged(request, reply, toSubscription(row, url));
    },
  );

  app.delete(
    `${path}/:subscriptionId`,
    {
      config: access.write.config,
      schema: {
        ...describe(
          'write',
          'delete-subscription',
          'Delete a subscription',
          'Nothing is sent to its target any more; what waited is dropped, and the log of its deliveries goes with it.',
        ),
        params: SubscriptionParams,
        response: {
          204: Type.Null({ description: 'The subscription is deleted.' }),
          ...problemResponses(400, ...refusals, 404, 412),
        },
      },
    },
    async (request, reply) => {
      const { subscriptionId } = request.params;
      await db.transaction().execute(async (tx) => {
        const before = await getSubscription(tx, holder(request), subscriptionId, true);
        const shown = reply.serializeInput(toSubscription(before, url), Subscription);
        requireMatch(request.headers['if-match'], entityTag(shown));
        await deleteSubscription(tx, holder(request), subscriptionId);
      });
      return reply.code(204).send(null);
    },
  );

  app.post(
    `${path}/:subscriptionId/rotate-secret`,
    {
      config: access.write.config,
      schema: {
        ...describe(
          'write',
          'rotate-subscription-secret',
          'Make a new secret',
          'The answer shows the new secret, this once. For a day, until `overlap`, requests carry two signatures, of the new secret and of the one before it, so that a receiver can change over without losing any.',
        ),
        params: SubscriptionParams,
        response: {
          200: Type.Ref('Subscription-Secret'),
          ...problemResponses(400, ...refusals, 404, 422),
        },
      },
    },
    async (request, reply) => {
      const { subscriptionId } = request.params;
      const caller = holder(request);
      return answerOnce(database, caller.owner, request, reply, (commit) =>
        commit(async (executor) => {
          const secret = newSecret();
          const until = await rotateSecret(
            executor,
            caller,
            subscriptionId,
            secret,
            OVERLAP_SECONDS,
          );
          if (!until) throw noSubscription(subscriptionId);
          const resource = { secret: showSecret(secret), overlap: until.toISOString() };
          return { status: 200, resource };
        }),
      );
    },
  );
};
