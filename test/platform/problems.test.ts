import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { PROBLEM_TYPES, type ProblemSlug } from '../../src/platform/problems/problem-types.ts';
import { startApp, type TestApp } from '../harness.ts';
import { type Exchange, expectProblem, JSON_BODY, send, sendBytes } from './exchange.ts';

let t: TestApp;
let base: string;
let json: Record<string, string>;
let trip: string;

beforeAll(async () => {
  t = await startApp({ env: { BODY_LIMIT: '1048576' } });
  base = await t.listen();
  json = { ...JSON_BODY, ...(await t.as()) };
  trip = await t.given.trip({ seats: 100 });
});
afterAll(async () => t[Symbol.asyncDispose]());

const MIB = 1_048_576;
const book = (body: string | Buffer, headers = json): Exchange => ({
  method: 'POST',
  path: '/bookings',
  headers,
  body,
});
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const chunked = { 'transfer-encoding': 'chunked' };

/** Each kind of bad request, and the problem that it gets. */
const CASES: [string, ProblemSlug, () => Exchange][] = [
  ['an unknown path', 'not-found', () => ({ path: '/nothing/here' })],
  [
    'an unknown path, with a body that cannot be read',
    'not-found',
    () => ({ method: 'POST', path: '/nothing', headers: { 'content-type': 'x' }, body: '{' }),
  ],
  ['an unknown path, with QUERY', 'not-found', () => ({ method: 'QUERY', path: '/nothing' })],
  ['an unknown station', 'not-found', () => ({ path: `/stations/${newId()}` })],
  ['an unknown trip', 'not-found', () => ({ path: `/trips/${newId()}` })],
  ['an unknown booking', 'not-found', () => ({ path: `/bookings/${newId()}`, headers: json })],
  ['an unknown problem type', 'not-found', () => ({ path: '/problems/nothing' })],
  ['no credentials', 'unauthorized', () => ({ path: '/bookings' })],
  ['a method that a path has not', 'method-not-allowed', () => ({ method: 'PUT', path: '/trips' })],
  [
    'an Accept that rules JSON out',
    'not-acceptable',
    () => ({ path: '/stations', headers: { accept: 'text/html, application/xml;q=0.9' } }),
  ],
  ['a body over the limit', 'body-too-large', () => book('x'.repeat(MIB + 1))],
  [
    'a body over the limit, its length not announced',
    'body-too-large',
    () => book('x'.repeat(MIB + 1), { ...json, ...chunked }),
  ],
  ['no media type', 'unsupported-media-type', () => book('{}', { ...json, 'content-type': '' })],
  ['text', 'unsupported-media-type', () => book('{}', { ...json, 'content-type': 'text/plain' })],
  [
    'a form',
    'unsupported-media-type',
    () => book('a=b', { ...json, 'content-type': 'application/x-www-form-urlencoded' }),
  ],
  [
    'XML',
    'unsupported-media-type',
    () => book('<a/>', { ...json, 'content-type': 'application/xml' }),
  ],
  [
    'nonsense for a media type',
    'unsupported-media-type',
    () => book('{}', { ...json, 'content-type': '/;;=' }),
  ],
  ['an empty body', 'invalid-request', () => book('')],
  ['a body of white space', 'malformed-body', () => book(' \n ')],
  ['truncated JSON', 'malformed-body', () => book('{"trip_id": "')],
  ['a trailing comma', 'malformed-body', () => book('{"passenger_name": "A",}')],
  ['a comment', 'malformed-body', () => book('{} // nothing')],
  ['two values', 'malformed-body', () => book('{} {}')],
  ['NaN', 'malformed-body', () => book('{"trip_id": NaN}')],
  ['an object behind a byte order mark', 'invalid-request', () => book('\uFEFF{}')],
  [
    'bytes that are not UTF-8',
    'malformed-body',
    () => book(Buffer.from('{"a":"\xff\xfe"}', 'latin1')),
  ],
  ['UTF-16', 'malformed-body', () => book(Buffer.from('{"a":1}', 'utf16le'))],
  ['a member __proto__', 'malformed-body', () => book('{"__proto__": {"admin": true}}')],
  ['a hidden member __proto__', 'malformed-body', () => book('{"a": [{"__pr\\u006fto__": 1}]}')],
  [
    'a member constructor.prototype',
    'malformed-body',
    () => book('{"constructor": {"prototype": 1}}'),
  ],
  ['a hundred thousand brackets', 'invalid-request', () => book(nested(100_000))],
  [
    'brackets in a member that is ignored',
    'invalid-request',
    () =>
      book(`{"trip_id":"${trip}","passenger_name":"A","id":${nested(50_000)}}`, {
        ...json,
        'idempotency-key': 'deep',
      }),
  ],
  ['brackets that never close', 'malformed-body', () => book('['.repeat(100_000))],
  ['a megabyte of a string', 'invalid-request', () => book(JSON.stringify('x'.repeat(MIB - 2)))],
  [
    'a megabyte of members',
    'invalid-request',
    () => book(`{${Array.from({ length: 90_000 }, (_, index) => `"m${index}":1`).join()}}`),
  ],
  [
    'NUL in text',
    'invalid-request',
    () => book(JSON.stringify({ trip_id: trip, passenger_name: 'A\0B' })),
  ],
  [
    'half a character',
    'invalid-request',
    () => book(`{"trip_id":"${trip}","passenger_name":"\\ud800"}`),
  ],
  ['a percent sign in the path', 'malformed-url', () => ({ path: '/stations/%ZZ' })],
  ['a percent sign at the end of the path', 'malformed-url', () => ({ path: '/stations/100%' })],
  ['a path that is not UTF-8', 'malformed-url', () => ({ path: '/stations/%ff%fe' })],
  ['a percent sign in the query', 'malformed-url', () => ({ path: '/stations?search=%ZZ' })],
  ['a query that is not UTF-8', 'malformed-url', () => ({ path: '/stations?search=%c3%28' })],
  [
    'a part of the path without end',
    'uri-too-long',
    () => ({ path: `/stations/${'x'.repeat(101)}` }),
  ],
  ['a station that is no UUID', 'invalid-request', () => ({ path: '/stations/1%20or%201=1' })],
  ['NUL in the path', 'invalid-request', () => ({ path: '/stations/%00' })],
  [
    'NUL in the query',
    'invalid-request',
    () => ({ path: `/trips?origin=%00&destination=%00&date=%00` }),
  ],
  ['a parameter twice', 'invalid-request', () => ({ path: '/stations?page=1&page=2' })],
  ['a parameter without a value', 'invalid-request', () => ({ path: '/stations?limit=' })],
  [
    'a year that no calendar has',
    'invalid-request',
    () => ({ path: `/trips?origin=${newId()}&destination=${newId()}&date=0000-01-01` }),
  ],
];

describe('a bad request over HTTP', () => {
  it.for(CASES)('%s: %s', async ([, slug, exchange]) => {
    const sent = exchange();
    const answer = await send(base, sent);
    const problem = expectProblem(answer, slug, t.config.PUBLIC_URL);
    expect(problem.instance).toBe(sent.path.split('?', 1)[0]);
    expect(answer.headers['x-request-id']).toMatch(/^[\w.-]{1,64}$/);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  it('says which format a body must have', async () => {
    const answer = await send(base, book('<a/>', { ...json, 'content-type': 'application/xml' }));
    expect(answer.headers['accept']).toBe('application/json');
  });

  it('names every fault of a body, and no more than a hundred and a bit of a huge one', async () => {
    const wrong = { trip_id: 1, passenger_name: null, has_dog: 'yes', 'a/b~c': 1 };
    const few = expectProblem(
      await send(base, book(JSON.stringify(wrong))),
      'invalid-request',
      t.config.PUBLIC_URL,
    );
    expect(few.errors?.map((fault) => fault.pointer).sort()).toEqual([
      '/a~1b~0c',
      '/has_dog',
      '/passenger_name',
      '/trip_id',
    ]);
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`m${index}`, 1]));
    const huge = expectProblem(
      await send(base, book(JSON.stringify(many))),
      'invalid-request',
      t.config.PUBLIC_URL,
    );
    expect(huge.errors).toHaveLength(101);
    expect(huge.errors?.at(-1)?.detail).toBe('has 902 faults more');
  });

  it('names every wrong parameter of a query', async () => {
    const answer = await send(base, { path: '/trips?origin=x&date=soon&bicycles=1&limit=101' });
    const { errors } = expectProblem(answer, 'invalid-request', t.config.PUBLIC_URL);
    expect(new Set(errors?.map((fault) => fault.parameter))).toEqual(
      new Set(['origin', 'destination', 'date', 'bicycles', 'limit']),
    );
  });

  it('changes nothing', async () => {
    for (const [, , exchange] of CASES) await send(base, exchange());
    expect(await t.given.seats(trip)).toMatchObject({ seats_left: 100, held: 0 });
  });
});

describe('what is not quite HTTP', () => {
  const close = 'Host: a\r\nConnection: close\r\n';
  const RAW: [string, ProblemSlug, string][] = [
    [
      'bytes of something else',
      'malformed-request',
      '\x16\x03\x01\x02\x00\x01\xfc\x03\x03\r\n\r\n',
    ],
    ['a word', 'malformed-request', 'hello\r\n\r\n'],
    ['the preface of HTTP/2', 'malformed-request', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a method that nobody knows', 'malformed-request', `BREW /stations HTTP/1.1\r\n${close}\r\n`],
    ['a space in the path', 'malformed-request', `GET /a b HTTP/1.1\r\n${close}\r\n`],
    ['no Host', 'malformed-request', 'GET /stations HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['a tunnel', 'malformed-request', `CONNECT example.com:443 HTTP/1.1\r\n${close}\r\n`],
    [
      'two lengths',
      'malformed-request',
      `POST /bookings HTTP/1.1\r\n${close}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
    ],
    [
      'a chunk without a length',
      'malformed-request',
      `POST /nothing HTTP/1.1\r\n${close}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`,
    ],
    [
      'headers without end',
      'headers-too-large',
      `GET /livez HTTP/1.1\r\n${close}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    ],
  ];

  it.for(RAW)('%s: %s', async ([, slug, bytes]) => {
    expectProblem(await sendBytes(base, Buffer.from(bytes, 'latin1')), slug, t.config.PUBLIC_URL);
  });

  it('an expectation that we do not know is passed over', async () => {
    const answer = await sendBytes(base, `GET /livez HTTP/1.1\r\n${close}Expect: tea\r\n\r\n`);
    expect(answer).toMatchObject({ statusCode: 200, body: '{"status":"ok"}' });
  });

  it('a whole address in the request line is its path', async () => {
    const line = 'GET http://evil.example/stations?limit=1&page=2 HTTP/1.1';
    const answer = await sendBytes(base, `${line}\r\n${close}\r\n`);
    expect(answer.statusCode).toBe(200);
    const { links } = JSON.parse(answer.body);
    const { PUBLIC_URL } = t.config;
    expect(links.self).toBe(`${PUBLIC_URL}/stations?limit=1&page=2`);
    expect(links.prev).toBe(`${PUBLIC_URL}/stations?limit=1&page=1`);
  });
});

describe('the type of a problem', () => {
  it.for(Object.entries(PROBLEM_TYPES))('%s leads to its explanation', async ([slug, type]) => {
    const answer = await send(base, { path: `/problems/${slug}` });
    expect(answer.statusCode).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({
      type: `${t.config.PUBLIC_URL}/problems/${slug}`,
      ...type,
    });
  });
});
