import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BERLIN, EXAMPLE_TRIP, PARIS } from '../given.ts';
import { startApp, type TestApp } from '../harness.ts';
import { type Exchange, send } from './exchange.ts';

let t: TestApp;
let base: string;
let ann: { authorization: string };
beforeAll(async () => {
  t = await startApp();
  base = await t.listen();
  ann = await t.as();
});
afterAll(async () => t[Symbol.asyncDispose]());

/** Characters that a request line can hold; what has to be escaped comes escaped, or half so. */
const piece = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '%00',
    '%ZZ',
    '%',
    '%2F',
    '%c3%28',
    '',
    '*',
    "'",
    '--',
    ';',
    '\\',
    '{}',
  ),
  fc.constantFrom(
    BERLIN,
    PARIS,
    EXAMPLE_TRIP,
    BERLIN.toUpperCase(),
    'stations',
    'payment',
    '1',
    '-1',
  ),
  fc
    .string({ unit: 'grapheme', maxLength: 12 })
    .map((text) => encodeURIComponent(text.toWellFormed())),
  fc.string({
    unit: fc.constantFrom(...'abcXYZ019-._~!$&()*+,;=:@%[]|^`"<>'.split('')),
    maxLength: 20,
  }),
);
const path = fc
  .tuple(
    fc.constantFrom(
      '/stations',
      '/trips',
      '/bookings',
      '/problems',
      '/livez',
      '/readyz',
      '/metrics',
      '',
      '/openapi',
    ),
    fc.array(piece, { maxLength: 3 }),
  )
  .map(([first, rest]) => [first, ...rest].join('/') || '/');
const name = fc.oneof(
  fc.constantFrom(
    'page',
    'limit',
    'search',
    'coordinates',
    'country',
    'origin',
    'destination',
    'date',
    'bicycles',
  ),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'page[]', ''),
  piece,
);
const value = fc.oneof(
  piece,
  fc.constantFrom('1', '0', '100', '2147483647', '1e9', 'true', 'NaN', '2024-02-01', '0000-00-00'),
  fc.constantFrom('52.5,13.4', '90,180', '-0,-0', '2024-02-01T09:00:00Z', '9999-12-31T23:59:60Z'),
);
const query = fc
  .array(fc.tuple(name, value), { maxLength: 5 })
  .map((pairs) => (pairs.length ? `?${pairs.map((pair) => pair.join('=')).join('&')}` : ''));
/** Queries whose required parameters are all there reach the database. */
const tripQuery = fc
  .tuple(value, query)
  .map(([date, rest]) => `?origin=${BERLIN}&destination=${PARIS}&date=${date}&${rest.slice(1)}`);

const headerValue = fc.oneof(
  fc.constantFrom(
    '',
    '*',
    '*/*',
    'application/json',
    'text/html;q=0',
    'W/"x"',
    '"',
    'Bearer',
    'Basic eDp5',
    'null',
  ),
  fc
    .string({ unit: fc.constantFrom(...'abz019 ,;=/"*-_.:éÿ\t'.split('')), maxLength: 60 })
    .map((text) => text.trim()),
);
const headers = fc.dictionary(
  fc.constantFrom(
    'accept',
    'content-type',
    'if-none-match',
    'if-match',
    'idempotency-key',
    'origin',
    'x-request-id',
    'authorization',
    'accept-encoding',
    'cookie',
    'range',
    'expect',
    'x-http-method-override',
    'access-control-request-method',
  ),
  headerValue,
  { maxKeys: 4 },
);
const booking = fc.record(
  {
    trip_id: fc.oneof(fc.constant(EXAMPLE_TRIP), fc.uuid(), fc.anything()),
    passenger_name: fc.oneof(fc.string({ unit: 'binary' }), fc.anything()),
    has_bicycle: fc.oneof(fc.boolean(), fc.anything()),
    has_dog: fc.boolean(),
    id: fc.jsonValue({ maxDepth: 8 }),
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  fc.constant(undefined),
  booking.map((each) =>
    JSON.stringify(each, (_, part) => (typeof part === 'bigint' ? `${part}` : part)),
  ),
  fc.json(),
  fc.string(),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);
const exchange: fc.Arbitrary<Exchange> = fc
  .record({
    method: fc.oneof(
      {
        weight: 5,
        arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
      },
      { weight: 1, arbitrary: fc.constantFrom('TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH') },
    ),
    target: fc.oneof(
      fc.tuple(path, query).map((parts) => parts.join('')),
      tripQuery.map((text) => `/trips${text}`),
      query.map((text) => `/stations${text}`),
      fc.constant('/bookings'),
    ),
    headers,
    isJson: fc.boolean(),
    isSignedIn: fc.boolean(),
    body,
  })
  .map(({ method, target, headers: some, isJson, isSignedIn, body: content }) => ({
    method,
    path: target,
    headers: {
      ...some,
      ...(isJson && { 'content-type': 'application/json' }),
      ...(isSignedIn && ann),
    },
    ...(content !== undefined && { body: content }),
  }));

describe('random requests', () => {
  it('get a documented success or a problem, never a fault of ours', async () => {
    const met = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(exchange, async (sent) => {
        const answer = await send(base, sent);
        const { statusCode } = answer;
        met.set(statusCode, (met.get(statusCode) ?? 0) + 1);
        expect(statusCode).toBeLessThan(500);
        expect(answer.headers['cache-control']).toBeDefined();
        if (sent.method === 'HEAD') return;
        if (statusCode >= 400) {
          expect(answer.headers['content-type']).toBe('application/problem+json');
          const problem = JSON.parse(answer.body);
          expect(problem).toMatchObject({
            status: statusCode,
            instance: sent.path.split('?', 1)[0],
          });
          expect(problem.type).toMatch(`${t.config.PUBLIC_URL}/problems/`);
        } else if (statusCode === 204 || statusCode === 304) expect(answer.body).toBe('');
        else if (sent.path.startsWith('/metrics')) expect(answer.body).toMatch(/^# HELP /);
        else {
          expect([200, 201]).toContain(statusCode);
          expect(answer.headers['content-type']).toMatch(/^application\/json/);
          expect(typeof JSON.parse(answer.body)).toBe('object');
        }
      }),
      { numRuns: 2000 },
    );
    // The requests are not all refused at the door.
    for (const status of [200, 204, 400, 401, 404, 405, 415])
      expect([...met.keys()]).toContain(status);
  });
});
