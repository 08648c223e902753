import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { onEnd } from './cleanup.ts';
import { connected } from './cluster.ts';
import { getToken, TRIPS, tripId } from './data.ts';
import type { Figure } from './figures.ts';
import type { Options } from './get.ts';
import { cpuSeconds, residentMegabytes } from './processes.ts';
import { alternate, median, quantile, ratios } from './statistics.ts';

/** Events of a turn: delivered as fast as they can be, or one after another. */
const BURST = 10_000;
const SINGLE = 1000;
/** As many as a dispatcher attempts at a time for one subscription. */
const CONCURRENCY = 32;
const PAUSE_MS = 20;

/** Each kind in a process of its own, so that what the hostile do costs the healthy one nothing. */
async function startReceivers(kind: 'healthy' | 'hostile'): Promise<string[]> {
  const child = spawn(process.execPath, ['bench/receivers.ts', kind], {
    cwd: `${import.meta.dirname}/..`,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onEnd(() => child.kill('SIGKILL'));
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return JSON.parse(line) as string[];
}

type Receipts = Map<string, number>;

/** Asks the receiver until `count` events have arrived, each counted once. */
async function receive(url: string, count: number): Promise<Receipts> {
  const all: Receipts = new Map();
  for (const end = Date.now() + 60_000; all.size < count; ) {
    if (Date.now() > end) throw new Error(`${all.size} of ${count} events arrived in a minute.`);
    await sleep(25);
    const answer = (await (await fetch(url)).json()) as [string, number][];
    for (const [id, at] of answer) if (!all.has(id)) all.set(id, at);
  }
  return all;
}

/** Deliveries a second: from the first receipt to the last. */
function rate(receipts: Receipts): number {
  const times = [...receipts.values()];
  return ((times.length - 1) * 1000) / (Math.max(...times) - Math.min(...times));
}

/** Webhooks over HTTP to a receiver that is a process of its own, against a bare loop of POSTs. */
export async function benchWebhooks(options: Options): Promise<Figure[]> {
  const { cluster, databaseUrl, quartet, rounds } = options;
  const [healthy = ''] = await startReceivers('healthy');
  const hostileUrls = await startReceivers('hostile');
  const token = await getToken(quartet.url);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const call = async (method: string, url: string, body: object) => {
    const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { id: string; links: { self: string } };
  };
  const subscribe = (url: string, enabled: boolean) =>
    call('POST', `${quartet.url}/webhooks/newBooking/subscriptions`, { url, enabled });
  const { id } = await subscribe(healthy, true);
  const hostile = await Promise.all(hostileUrls.map((url) => subscribe(url, false)));
  const switchHostile = (enabled: boolean) =>
    Promise.all(hostile.map(({ links }) => call('PATCH', links.self, { enabled })));
  const book = () =>
    call('POST', `${quartet.url}/bookings`, {
      trip_id: tripId(1 + Math.floor(Math.random() * TRIPS)),
      passenger_name: 'John Doe',
    });

  const cpu = () => [cpuSeconds(quartet.pid), cpuSeconds(cluster.pid, { children: true })];
  /** Deliveries made in one transaction; all arrive and are logged. CPU in microseconds for each. */
  const burst = () =>
    connected(databaseUrl, async (client) => {
      const attempts = async () =>
        Number(
          (await client.query(`select count(*) from webhooks.deliveries where state = 'succeeded'`))
            .rows[0].count,
        );
      await client.query('vacuum analyze webhooks.deliveries');
      await client.query('checkpoint');
      const before = await attempts();
      const cpuBefore = cpu();
      await client.query(
        `with event as (
           insert into webhooks.events (id, type, owner, payload)
           select gen_random_uuid(), type, owner, payload
           from (select * from webhooks.events order by created_at limit 1) e,
                generate_series(1, $1::int)
           returning id)
         insert into webhooks.deliveries (event_id, subscription_id)
         select event.id, $2 from event`,
        [BURST, id],
      );
      await client.query(`select pg_notify('webhooks', '')`);
      const perSecond = rate(await receive(healthy, BURST));
      while ((await attempts()) < before + BURST) await sleep(20);
      const [quartetCpu = 0, databaseCpu = 0] = cpu().map(
        (seconds, index) => ((seconds - (cpuBefore[index] ?? 0)) * 1e6) / BURST,
      );
      return { perSecond, quartetCpu, databaseCpu };
    });

  /** The same body to the same receiver, with nothing signed and nothing written down. */
  const agent = new Agent({ connections: CONCURRENCY });
  const barePosts = async () => {
    const { origin } = new URL(healthy);
    const body = JSON.stringify(await book());
    await receive(healthy, 1);
    let left = BURST;
    const loop = async () => {
      while (left-- > 0) {
        const answer = await agent.request({
          origin,
          path: '/',
          method: 'POST',
          headers: { 'content-type': 'application/json', 'webhook-id': randomUUID() },
          body,
        });
        await answer.body.dump();
      }
    };
    const [receipts] = await Promise.all([
      receive(healthy, BURST),
      ...Array.from({ length: CONCURRENCY }, loop),
    ]);
    return rate(receipts);
  };

  /** Milliseconds from the commit of a booking to the receipt of its event, sorted. */
  const latencies = async () => {
    await receive(healthy, 0);
    for (let booked = 0; booked < SINGLE; booked += 1) {
      await book();
      await sleep(PAUSE_MS);
    }
    const receipts = await receive(healthy, SINGLE);
    return connected(databaseUrl, async (client) => {
      const { rows } = await client.query<{ id: string; at: number }>(
        `select id, extract(epoch from pg_xact_commit_timestamp(xmin))::float8 * 1000 as at
         from webhooks.events where id = any($1)`,
        [[...receipts.keys()]],
      );
      return rows.map((row) => (receipts.get(row.id) ?? 0) - row.at).sort((a, b) => a - b);
    });
  };

  await book();
  await receive(healthy, 1);
  await burst(); // until V8 has compiled what is hot
  await barePosts();
  const throughput = await alternate(rounds, burst, barePosts);
  const memoryBefore = residentMegabytes(quartet.pid);
  const besideHostile = async () => {
    await switchHostile(true);
    const measured = await latencies();
    await switchHostile(false);
    return measured;
  };
  await latencies();
  await besideHostile();
  const quiet = await alternate(rounds, latencies, besideHostile);
  const memoryAfter = residentMegabytes(quartet.pid);

  const alone = quiet.map(({ first }) => first);
  const at = (share: number) => median(alone.map((sorted) => quantile(sorted, share)));
  const of = (key: 'perSecond' | 'quartetCpu' | 'databaseCpu') =>
    median(throughput.map(({ first }) => first[key]));
  return [
    {
      name: 'webhooks, Quartet : bare undici loop',
      ...ratios(throughput.map(({ first, second }) => first.perSecond / second)),
    },
    {
      name: '  Quartet, signed and logged',
      value: of('perSecond'),
      unit: 'deliveries/s',
      target: { atLeast: 2000 },
      note: `CPU for each: ${of('quartetCpu').toFixed(0)} µs, PostgreSQL ${of('databaseCpu').toFixed(0)} µs`,
    },
    {
      name: '  bare loop',
      value: median(throughput.map(({ second }) => second)),
      unit: 'posts/s',
    },
    {
      name: 'webhooks, commit to receipt, p50',
      value: at(0.5),
      unit: 'ms',
      target: { atMost: 10 },
    },
    {
      name: 'webhooks, commit to receipt, p99',
      value: at(0.99),
      unit: 'ms',
      target: { atMost: 50 },
    },
    {
      name: 'webhooks, p99 beside five hostile : alone',
      ...ratios(quiet.map(({ first, second }) => quantile(second, 0.99) / quantile(first, 0.99))),
      target: { atMost: 1.1 },
    },
    {
      name: '  memory after that',
      value: memoryAfter,
      unit: 'MB',
      note: `before: ${memoryBefore.toFixed(0)} MB`,
    },
  ];
}
