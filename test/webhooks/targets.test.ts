import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { createDeliverer } from '../../src/webhooks/delivery.ts';
import type { Lookup } from '../../src/webhooks/lookup.ts';
import { createTargets } from '../../src/webhooks/target.ts';
import { WEBHOOK_SECRET } from '../given.ts';
import { sharedApp, startApp, type TestApp } from '../harness.ts';
import { expectProblem } from '../platform/exchange.ts';
import { type Attempt, findAttempts } from './attempts.ts';
import { LOOPBACK_HOSTS, PRIVATE_HOSTS } from './hosts.ts';
import { startReceiver } from './receiver.ts';

const production = { NODE_ENV: 'production' };
const NOT_PUBLIC = /^leads to an address that is not public/;
/** Public addresses; nothing here connects to them. */
const PUBLIC = ['93.184.215.14', '2606:4700:4700::1111'];

/** Listens on every address of this machine, and counts who connects. */
let connections = 0;
const listener = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
let port = 0;
beforeAll(async () => {
  listener.listen(0, '::');
  await once(listener, 'listening');
  ({ port } = listener.address() as AddressInfo);
});
afterAll(() => {
  listener.close();
});

/** One attempt to deliver to `url`, by names that `lookup` knows. */
async function attempt(config: { NODE_ENV: string }, url: string, lookup?: Lookup) {
  const deliverer = createDeliverer({
    targets: createTargets(config, lookup),
    signToken: async () => undefined,
    timeoutSeconds: 5,
  });
  try {
    return await deliverer.attempt({
      ...{
        id: newId(),
        claim_id: newId(),
        step: 0,
        is_test: false,
        is_failing: false,
        subscription_id: newId(),
      },
      ...{ event_id: newId(), type: 'newBooking', payload: {}, url, headers: {} },
      ...{ secret: WEBHOOK_SECRET, previous_secret: null },
    });
  } finally {
    await deliverer.close();
  }
}

/** Every subscription's attempts, once each has one; the dispatcher of `t` runs meanwhile. */
async function attemptsOf(t: TestApp): Promise<Attempt[]> {
  await t.quartet.webhooks.start();
  const { rows: wanted } = await sql`select from webhooks.deliveries`.execute(t.db);
  await expect
    .poll(async () => (await findAttempts(t.db)).length, { timeout: 20_000 })
    .toBe(wanted.length);
  await t.quartet.webhooks.stop();
  return findAttempts(t.db);
}

async function book(t: TestApp, subject: string): Promise<void> {
  const payload = { trip_id: await t.given.trip(), passenger_name: 'John Doe' };
  const headers = await t.as(subject);
  const answer = await t.inject({ method: 'POST', url: '/bookings', headers, payload });
  expect(answer.statusCode).toBe(201);
}

describe('a subscription to what is not public', async () => {
  const t = await sharedApp({ env: production });
  const developer = await sharedApp();

  const create = async (app: TestApp, url: string) =>
    app.inject({
      method: 'POST',
      url: '/webhooks/newBooking/subscriptions',
      headers: await app.as('ann'),
      payload: { url },
    });
  const expectRefused = async (app: TestApp, url: string, detail: RegExp) => {
    const answer = await create(app, url);
    const [error, ...others] = expectProblem(answer, 'invalid-request', app.config.PUBLIC_URL)[
      'errors'
    ] as { pointer: string; detail: string }[];
    expect([error?.pointer, others]).toEqual(['/url', []]);
    expect(error?.detail).toMatch(detail);
  };

  it.each([...LOOPBACK_HOSTS, ...PRIVATE_HOSTS])('is refused in production: %s', async (host) => {
    await expectRefused(t, `http://${host}:${port}/`, NOT_PUBLIC);
  });

  it.each(PRIVATE_HOSTS)('is refused outside of production, too: %s', async (host) => {
    await expectRefused(developer, `https://${host}:${port}/`, NOT_PUBLIC);
  });

  it.each([
    [`http://93.184.215.14@127.0.0.1/`, /user name/],
    [`http://93.184.215.14:80@127.0.0.1/`, /user name/],
    [`http://:secret@93.184.215.14/`, /user name/],
    [`http://127.0.0.1\\@93.184.215.14/`, NOT_PUBLIC],
    [`http://93.184.215.14#@127.0.0.1/`, /fragment/],
    [`http:127.0.0.1/`, NOT_PUBLIC],
    [`http:////127.0.0.1/`, NOT_PUBLIC],
    [` http://127.0.0.1/`, NOT_PUBLIC],
    [`ht\ntp://127.0.0.1/`, NOT_PUBLIC],
    [`http://127.0.\t0.1/`, NOT_PUBLIC],
    [`//127.0.0.1/`, /absolute URL/],
    [`http://[fe80::1%25lo]/`, /absolute URL/],
    [`http://[::1%lo]/`, /absolute URL/],
    [`http://127.0.0.256/`, /absolute URL/],
    [`http://`, /absolute URL/],
    [`file:///etc/passwd`, /https:\/\/ or http:\/\//],
    [`ftp://127.0.0.1/`, /https:\/\/ or http:\/\//],
    [`unix:/var/run/docker.sock`, /https:\/\/ or http:\/\//],
    [`javascript:alert(1)`, /https:\/\/ or http:\/\//],
  ])('is refused however it is put: %j', async (url, detail) => {
    await expectRefused(t, url, detail);
  });

  it('is refused by PATCH as well, and the old target stays', async () => {
    const made = (await create(t, 'https://93.184.215.14/hook')).json();
    const [url, headers] = [new URL(made.links.self).pathname, await t.as('ann')];
    const payload = { url: 'http://169.254.169.254/latest/meta-data' };
    const answer = await t.inject({ method: 'PATCH', url, headers, payload });
    expectProblem(answer, 'invalid-request', t.config.PUBLIC_URL);
    expect((await t.inject({ url, headers })).json().url).toBe('https://93.184.215.14/hook');
  });

  it('that is there already is attempted without a connection', async () => {
    const before = connections;
    for (const [app, hosts] of [
      [t, [...LOOPBACK_HOSTS, ...PRIVATE_HOSTS]],
      [developer, PRIVATE_HOSTS],
    ] as const) {
      const owner = `owner-${newId()}`;
      for (const host of hosts)
        await app.given.subscription({ owner, url: `http://${host}:${port}/` });
      await book(app, owner);
      const attempts = await attemptsOf(app);
      expect(attempts).toHaveLength(hosts.length);
      for (const { error } of attempts)
        expect(error).toMatch(/^The target leads .*Nothing was sent/);
    }
    expect(connections).toBe(before);
  });
});

describe('a name', () => {
  const to =
    (...answers: string[][]): Lookup =>
    async () =>
      (answers.length > 1 ? answers.shift() : answers[0]) ?? [];

  it.each([
    ['127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['fe80::1%lo'],
    ['::1%lo'],
    ['93.184.215.14', '127.0.0.1'],
    [...PUBLIC, ...PUBLIC, ...PUBLIC, '::1'],
    ['0.0.0.0'],
    ['127.1'], // no name server writes that; the system would connect to it
    ['2130706433'],
    [''],
  ])('that leads to %s is refused at once and at every connection', async (...addresses) => {
    const before = connections;
    const url = `http://hooks.example.com:${port}/`;
    expect(await createTargets(production, to(addresses)).findFault(url)).toMatch(NOT_PUBLIC);
    const outcome = await attempt(production, url, to(addresses));
    expect(outcome).toMatchObject({ status: null, response: '' });
    expect(outcome?.error).toMatch(/Nothing was sent/);
    expect(connections).toBe(before);
  });

  it('that is public when it is checked and private when it is connected to gets nothing', async () => {
    const before = connections;
    const lookup = to(PUBLIC, ['127.0.0.1']);
    const url = `https://rebind.example.com:${port}/`;
    expect(await createTargets(production, lookup).findFault(url)).toBeUndefined();
    expect((await attempt(production, url, lookup))?.error).toMatch(/Nothing was sent/);
    expect(connections).toBe(before);
  });

  it('is asked for once a connection: what was checked is what is connected to', async () => {
    await using receiver = await startReceiver();
    const asked: string[] = [];
    const lookup: Lookup = async (name) => {
      asked.push(name);
      return asked.length === 1 ? ['127.0.0.1'] : ['10.0.0.1'];
    };
    const url = receiver.url.replace('127.0.0.1', 'Hooks.Example.com');
    expect(await attempt({ NODE_ENV: 'test' }, url, lookup)).toEqual({ status: 204, response: '' });
    expect(asked).toEqual(['hooks.example.com']);
    expect(receiver.received[0]?.headers['host']).toBe(new URL(url).host);
  });

  it('whose first address does not answer is reached at the next', async () => {
    await using receiver = await startReceiver();
    const url = receiver.url.replace('127.0.0.1', 'hooks.example.com');
    const lookup = to(['127.0.0.3', '::1', '127.0.0.1']);
    expect(await attempt({ NODE_ENV: 'test' }, url, lookup)).toMatchObject({ status: 204 });
  });

  it.each([
    ['that nobody knows', () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }))],
    ['without an address', async () => []],
  ])('%s is taken, and fails in words', async (_, lookup) => {
    const url = 'http://later.example.com/';
    expect(await createTargets(production, lookup).findFault(url)).toBeUndefined();
    const outcome = await attempt(production, url, lookup);
    expect(outcome).toMatchObject({ status: null, error: 'The name of the target is not known.' });
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('%d is not followed', async (status) => {
    const before = connections;
    await using receiver = await startReceiver((_request, response) =>
      response.writeHead(status, { location: `http://127.0.0.1:${port}/` }).end('elsewhere'),
    );
    const outcome = await attempt({ NODE_ENV: 'test' }, receiver.url);
    expect(outcome).toMatchObject({ status, response: 'elsewhere' });
    expect(outcome?.error).toContain(`${status}`);
    expect([receiver.received.length, connections]).toEqual([1, before]);
  });
});

describe('what is allowed', () => {
  const fault = (config: Parameters<typeof createTargets>[0], host: string) =>
    createTargets(config).findFault(`https://${host}/`);

  it('outside of production is loopback, by every name it has', async () => {
    for (const host of LOOPBACK_HOSTS)
      expect([host, await fault({ NODE_ENV: 'development' }, host)]).toEqual([host, undefined]);
  });

  it('by WEBHOOK_ALLOWED_NETWORKS is what it names and no more', async () => {
    const config = { ...production, WEBHOOK_ALLOWED_NETWORKS: '10.1.0.0/16,fd00::/8,127.0.0.2/32' };
    for (const host of ['10.1.0.0', '10.1.255.255', '[fd12::1]', '[::ffff:10.1.2.3]', '127.0.0.2'])
      expect([host, await fault(config, host)]).toEqual([host, undefined]);
    for (const host of [
      '10.0.255.255',
      '10.2.0.0',
      '[fc00::1]',
      '127.0.0.1',
      '[::1]',
      '[::10.1.2.3]',
    ])
      expect([host, await fault(config, host)]).toEqual([host, expect.stringMatching(NOT_PUBLIC)]);
    await using t = await startApp({ env: { ...config, WEBHOOK_TIMEOUT: '2' } });
    await using receiver = await startReceiver();
    const { port: own } = new URL(receiver.url);
    for (const host of ['127.0.0.2', '127.0.0.1', '10.2.0.0'])
      await t.given.subscription({ owner: 'ann', url: `http://${host}:${own}/` });
    await book(t, 'ann');
    const attempts = await attemptsOf(t);
    const errors = new Map(attempts.map(({ url, error }) => [new URL(url).hostname, error]));
    expect(errors.get('127.0.0.1')).toMatch(/Nothing was sent/);
    expect(errors.get('10.2.0.0')).toMatch(/Nothing was sent/);
    expect(errors.get('127.0.0.2')).toBe('The connection was refused.'); // it listens on .1 alone
    expect(receiver.received).toEqual([]);
  });
});
