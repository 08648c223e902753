import type { InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { MUSEUM_DETAILS } from '../../src/museum/document.ts';
import { museumExamples } from '../../src/museum/examples.ts';
import { PROBLEM_EXAMPLES } from '../../src/platform/problems/problem-examples.ts';
import { PROBLEM_TYPES, type ProblemSlug } from '../../src/platform/problems/problem-types.ts';
import type { PaymentGateway } from '../../src/train/payments/gateway.ts';
import { trainExamples } from '../../src/train/examples.ts';
import { CURATOR, EXAMPLE_TRIP, PAYMENT } from '../given.ts';
import { ENGINE, sharedApp, startApp, type TestApp } from '../harness.ts';
import { onServer } from '../template.ts';

const PUBLIC_URL = 'http://127.0.0.1:3000';
const BOOKING = '1725ff48-ab45-4bb5-9d02-88745177dedb';

const t = await sharedApp({ env: { BODY_LIMIT: '2048' } });
const john = await t.as('john');
const json = { 'content-type': 'application/json' };
const booking = { trip_id: EXAMPLE_TRIP, passenger_name: 'John Doe' };
const book = (headers: object = {}, payload: unknown = booking): InjectOptions => ({
  method: 'POST',
  url: '/bookings',
  headers: { ...john, ...json, ...headers },
  payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
});

/** The path of a new booking. */
async function booked(app: TestApp = t) {
  const { id } = (await app.inject(book(await app.as('john')))).json();
  return `/bookings/${id}`;
}

/** The last of these requests gets the problem. */
const PROVOKED: Partial<Record<ProblemSlug, () => InjectOptions[] | Promise<InjectOptions[]>>> = {
  'invalid-request': () => [{ url: '/stations?page=0' }],
  'malformed-body': () => [book({}, '{"passenger_name": "John Doe"')],
  'malformed-url': () => [{ url: '/stations?search=100%' }],
  unauthorized: () => [{ url: '/bookings' }],
  forbidden: async () => [book(await t.as('john', 'read'))],
  'not-found': () => [{ url: `/bookings/${BOOKING}`, headers: john }],
  'method-not-allowed': () => [{ method: 'PUT', url: '/bookings', headers: john }],
  'not-acceptable': () => [{ url: '/stations', headers: { accept: 'text/csv' } }],
  'precondition-failed': async () => [
    { method: 'DELETE', url: await booked(), headers: { ...john, 'if-match': '"old"' } },
  ],
  'body-too-large': () => [book({}, { ...booking, passenger_name: 'J'.repeat(4096) })],
  'uri-too-long': () => [{ url: `/stations/${'a'.repeat(101)}` }],
  'unsupported-media-type': () => [book({ 'content-type': 'text/plain' }, 'A seat, please.')],
  'idempotency-key-reused': () => [
    book({ 'idempotency-key': 'one' }),
    book({ 'idempotency-key': 'one' }, { ...booking, has_dog: true }),
  ],
};

/** What an example says, less tags and numbers that no two servers share. */
const textOf = (detail: string) => detail.replace(/"[\w-]{27}"|\d+(?= requests| s\b)/g, '*');

/** Holds the answer to what the documents show of this problem. */
function expectExample(
  answer: { statusCode: number; json(): unknown },
  slug: ProblemSlug,
  details: Partial<Record<ProblemSlug, string>> = {},
) {
  const { status, title } = PROBLEM_TYPES[slug];
  const { detail: general, errors } = PROBLEM_EXAMPLES[slug];
  const { [slug]: shown = general } = details;
  const { detail, ...problem } = answer.json() as { detail: string };
  expect(answer.statusCode).toBe(status);
  expect({ ...problem, detail: textOf(detail) }).toEqual({
    type: `${PUBLIC_URL}/problems/${slug}`,
    title,
    status,
    ...(errors && { errors }),
    detail: textOf(shown),
    instance: expect.stringMatching(/^\//),
  });
}

describe('the example of the problem', () => {
  it.each(Object.entries(PROVOKED))('%s is what the server says', async (slug, provoke) => {
    const answers = [];
    for (const request of await provoke()) answers.push(await t.inject(request));
    const last = answers.at(-1);
    if (!last) throw new Error('Nothing was sent.');
    expectExample(last, slug as ProblemSlug);
  });

  it('too-many-requests is what the server says', async () => {
    await using limited = await startApp({ env: { RATE_LIMIT_MAX: '1' } });
    await limited.inject({ url: '/stations' });
    expectExample(await limited.inject({ url: '/stations' }), 'too-many-requests');
  });

  it('internal-error and idempotency-key-in-use are what the server says', async () => {
    const charged = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<never>();
    const gateway: PaymentGateway = {
      charge() {
        charged.resolve();
        return ended.promise;
      },
      async cancel() {},
    };
    await using slow = await startApp({ gateway });
    const request: InjectOptions = {
      method: 'POST',
      url: `${await booked(slow)}/payment`,
      headers: { ...(await slow.as('john')), 'idempotency-key': 'one' },
      payload: { ...PAYMENT, amount: 50 },
    };
    const first = slow.inject(request);
    await charged.promise;
    expectExample(await slow.inject(request), 'idempotency-key-in-use');
    ended.reject(new Error('The bank has no electricity.'));
    expectExample(await first, 'internal-error');
  });

  it.runIf(ENGINE === 'postgresql')('unavailable is what the server says', async () => {
    await using away = await startApp();
    const name = new URL(`${away.databaseEnv['DATABASE_URL']}`).pathname.slice(1);
    await onServer(`alter database ${name} with allow_connections false`);
    await onServer(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
    expectExample(await away.inject({ url: '/stations' }), 'unavailable');
  });

  it.each([
    ['unauthorized', { url: '/special-events' }],
    [
      'not-found',
      { url: '/special-events/0194a1f0-7a00-7000-8000-000000000000', headers: CURATOR },
    ],
  ] as const)('%s is what the museum says', async (slug, request) =>
    expectExample(await t.inject({ ...request }), slug, MUSEUM_DETAILS),
  );
});

it('no problem that a document of these services names is left out', async () => {
  const sent = [trainExamples(PUBLIC_URL, PUBLIC_URL), museumExamples(PUBLIC_URL, PUBLIC_URL)]
    .flatMap((examples) => Object.values(examples).flat())
    .map(({ name }) => name);
  const here = ['too-many-requests', 'internal-error', 'idempotency-key-in-use', 'unavailable'];
  // Only a socket that is open too long gets it.
  const known = new Set([...sent, ...here, ...Object.keys(PROVOKED), 'request-timeout']);
  for (const file of ['train.json', 'museum.json']) {
    const { body } = await t.inject({ url: `/openapi/${file}` });
    for (const [, slug] of body.matchAll(/\/problems\/([\w-]+)/g)) expect(known).toContain(slug);
  }
});
