import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { deleteOld } from '../../src/webhooks/dispatch.queries.ts';
import { WEBHOOK_SECRET } from '../given.ts';
import { ENGINE, sharedApp, startApp } from '../harness.ts';
import { type Handler, startReceiver } from './receiver.ts';
import { startWithoutPolls } from './without-polls.ts';

const t = await sharedApp();
await t.quartet.webhooks.start();

const PATH = '/webhooks/newBooking/subscriptions';

describe('what waits', () => {
  it('waits while its owner has it disabled', async () => {
    const owner = `owner-${Math.random()}`;
    await using receiver = await startReceiver();
    const id = await t.given.subscription({ owner, url: receiver.url });
    const headers = await t.as(owner);
    const url = `${PATH}/${id}`;
    await sql`
      with event as (
        insert into webhooks.events (id, type, owner, payload)
        values (gen_random_uuid(), 'newBooking', ${owner}, '{"a":1}') returning id)
      insert into webhooks.deliveries (event_id, subscription_id, due_at)
      select id, ${id}, now() + interval '300 milliseconds' from event`.execute(t.db);
    await t.inject({ method: 'PATCH', url, headers, payload: { enabled: false } });
    await new Promise((next) => setTimeout(next, 1500));
    expect(receiver.received).toEqual([]);
    await t.inject({ method: 'PATCH', url, headers, payload: { enabled: true } });
    const [request] = await receiver.waitFor(1);
    const secret = WEBHOOK_SECRET.toString('base64');
    new Webhook(secret).verify(request?.body ?? '', request?.headers ?? {});
  });

  it('is sent one at a time to one that failed and is enabled again, until it works', async () => {
    const owner = `owner-${Math.random()}`;
    const held: (() => void)[] = [];
    let isHolding = true;
    await using receiver = await startReceiver((_request, response) => {
      const answer = () => response.writeHead(204).end();
      if (isHolding) held.push(answer);
      else answer();
    });
    const id = await t.given.subscription({ owner, url: receiver.url, isEnabled: false });
    await sql`
      with event as (
        insert into webhooks.events (id, type, owner, payload)
        select gen_random_uuid(), 'newBooking', ${owner}, '{}' from generate_series(1, 50)
        returning id),
      failing as (update webhooks.subscriptions set failing_since = now() where id = ${id})
      insert into webhooks.deliveries (event_id, subscription_id)
      select id, ${id} from event`.execute(t.db);
    const headers = await t.as(owner);
    const payload = { enabled: true };
    await t.inject({ method: 'PATCH', url: `${PATH}/${id}`, headers, payload });
    await receiver.waitFor(1);
    await new Promise((next) => setTimeout(next, 500));
    expect(receiver.received).toHaveLength(1);
    isHolding = false;
    for (const answer of held) answer();
    await receiver.waitFor(50);
  });

  /** An application that never polls, with a subscription of whom `send` queues events for. */
  async function startQueue(schedule: string, handler: Handler) {
    const app = await startApp({ env: { WEBHOOK_RETRY_SCHEDULE: schedule } });
    await startWithoutPolls(app);
    const receiver = await startReceiver(handler);
    const id = await app.given.subscription({ owner: 'ann', url: receiver.url });
    return {
      app,
      receiver,
      send: (count: number) =>
        sql`
          with event as (
            insert into webhooks.events (id, type, owner, payload)
            select gen_random_uuid(), 'newBooking', 'ann', '{}' from generate_series(1, ${count}::int)
            returning id)
          insert into webhooks.deliveries (event_id, subscription_id)
          select id, ${id} from event`.execute(app.db),
      async [Symbol.asyncDispose]() {
        await app[Symbol.asyncDispose]();
        await receiver.close();
      },
    };
  }

  it('is sent as soon as there is room, to who failed before too: no poll is needed', async () => {
    let left = 1;
    await using s = await startQueue('100ms', (_request, response) =>
      response.writeHead(left-- > 0 ? 500 : 204).end(),
    );
    await s.send(300);
    s.app.quartet.webhooks.announce();
    await s.receiver.waitFor(301);
  });

  // The embedded engine has one connection: nothing happens beside a transaction.
  it.runIf(ENGINE === 'postgresql')(
    'is seen where attempts end while a claim is made',
    async () => {
      const held: (() => void)[] = [];
      await using s = await startQueue('1h', (_request, response) => {
        if (s.receiver.received.length > 1) response.writeHead(204).end();
        else held.push(() => response.writeHead(204).end());
      });
      const { webhooks } = s.app.quartet;
      await s.send(1);
      webhooks.announce();
      await s.receiver.waitFor(1);
      await s.send(100);
      await s.app.db.transaction().execute(async (transaction) => {
        await sql`lock table webhooks.deliveries in exclusive mode`.execute(transaction);
        webhooks.announce(); // one of 32 is taken: this claims 31, once it can
        for (const answer of held) answer();
        await new Promise((next) => setTimeout(next, 300));
      });
      await s.receiver.waitFor(101);
    },
  );

  it('is deleted when it is old, in batches, and its events with it', async () => {
    const id = await t.given.subscription({ owner: 'old', isEnabled: false });
    await sql`
      with event as (
        insert into webhooks.events (id, type, owner, payload, created_at)
        select gen_random_uuid(), 'newBooking', 'old', '{}', now() - n * interval '1 day'
        from unnest('{29,31,32,33}'::int[]) n returning id, created_at)
      insert into webhooks.deliveries (id, event_id, subscription_id, created_at, due_at)
      select overlay(platform.uuid_v7()::text placing to_char(n, 'FM00000000') from 1 for 8)::uuid,
             id, ${id}, created_at, created_at
      from (select *, row_number() over (order by created_at) as n from event) e`.execute(t.db);
    while ((await deleteOld(t.db, 30, 2)) > 0);
    const { rows } = await sql<{ age: number }>`
      select extract(day from now() - e.created_at)::int as age
      from webhooks.events e left join webhooks.deliveries d on d.event_id = e.id
      where e.owner = 'old'`.execute(t.db);
    expect(rows).toEqual([{ age: 29 }]);
  });
});
