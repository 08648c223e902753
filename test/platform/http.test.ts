import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { BERLIN, PAYMENT } from '../given.ts';
import { startApp, type TestApp } from '../harness.ts';
import { expectProblem } from './exchange.ts';

let t: TestApp;
let ann: { authorization: string };
const lines: Record<string, unknown>[] = [];
beforeAll(async () => {
  t = await startApp({ log: { write: (line) => void lines.push(JSON.parse(line)) } });
  ann = await t.as();
});
afterAll(async () => t[Symbol.asyncDispose]());

const station = `/stations/${BERLIN}`;
const booked = async () => {
  const answer = await t.inject({
    method: 'POST',
    url: '/bookings',
    headers: ann,
    payload: { trip_id: await t.given.trip(), passenger_name: 'John Doe' },
  });
  return answer.json() as { id: string };
};

describe('an entity tag', () => {
  it('is strong, stands for the bytes, and saves sending them again', async () => {
    const first = await t.inject({ url: station });
    const tag = `${first.headers['etag']}`;
    expect(tag).toMatch(/^"[^"]+"$/);
    expect((await t.inject({ url: station })).headers['etag']).toBe(tag);
    for (const known of [tag, `W/${tag}`, `"x", ${tag} ,"y"`, `"x",W/${tag}`, '*']) {
      const answer = await t.inject({ url: station, headers: { 'if-none-match': known } });
      expect([known, answer.statusCode, answer.body]).toEqual([known, 304, '']);
      expect(answer.headers['etag']).toBe(tag);
      expect(answer.headers['cache-control']).toBe(first.headers['cache-control']);
    }
    for (const other of ['"x"', tag.slice(1, -1), '"', '']) {
      const answer = await t.inject({ url: station, headers: { 'if-none-match': other } });
      expect([other, answer.statusCode, answer.body]).toEqual([other, 200, first.body]);
    }
  });

  it('changes with the resource', async () => {
    const { id } = await booked();
    const tag = async () =>
      (await t.inject({ url: `/bookings/${id}`, headers: ann })).headers['etag'];
    const before = await tag();
    await t.inject({
      method: 'POST',
      url: `/bookings/${id}/payment`,
      headers: ann,
      payload: PAYMENT,
    });
    expect(await tag()).not.toBe(before);
  });

  it('of another state keeps a booking from being deleted', async () => {
    const { id } = await booked();
    const url = `/bookings/${id}`;
    const tag = `${(await t.inject({ url, headers: ann })).headers['etag']}`;
    const remove = (ifMatch: string) =>
      t.inject({ method: 'DELETE', url, headers: { ...ann, 'if-match': ifMatch } });
    for (const wrong of ['"x"', `W/${tag}`, '"x", "y"', tag.slice(1, -1)])
      expectProblem(await remove(wrong), 'precondition-failed', t.config.PUBLIC_URL);
    expect((await t.inject({ url, headers: ann })).statusCode).toBe(200);
    expect((await remove(`"x", ${tag}`)).statusCode).toBe(204);
    expectProblem(await remove('*'), 'not-found', t.config.PUBLIC_URL);
    const other = await booked();
    const any = { ...ann, 'if-match': '*' };
    const gone = await t.inject({ method: 'DELETE', url: `/bookings/${other.id}`, headers: any });
    expect(gone.statusCode).toBe(204);
  });
});

describe('CORS', () => {
  const origin = { origin: 'https://app.example' };
  const preflight = (url: string, method: string) =>
    t.inject({
      method: 'OPTIONS',
      url,
      headers: {
        ...origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,idempotency-key',
      },
    });

  it.for(['/stations', '/bookings', '/nothing', '/stations?search=%ZZ'])(
    'lets pages of other origins read %s',
    async (url) => {
      const { headers } = await t.inject({ url, headers: origin });
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      const exposed = `${headers['access-control-expose-headers']}`.toLowerCase().split(/, */);
      expect(exposed).toEqual(
        expect.arrayContaining(['etag', 'location', 'ratelimit', 'retry-after', 'x-request-id']),
      );
    },
  );

  it.for([
    ['/bookings', 'POST'],
    [`/bookings/${BERLIN}`, 'DELETE'],
    ['/trips', 'GET'],
  ] as const)('allows %s %s beforehand, without a token', async ([url, method]) => {
    const answer = await preflight(url, method);
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(`${answer.headers['access-control-allow-methods']}`.split(', ')).toContain(method);
    expect(answer.headers['access-control-allow-headers']).toBe('authorization,idempotency-key');
  });

  it('answers a plain OPTIONS too', async () => {
    for (const url of ['/stations', '*'])
      expect((await t.inject({ method: 'OPTIONS', url })).statusCode).toBe(204);
  });

  it.for([
    '/oauth/authorize?client_id=quartet-demo',
    '/%6Fauth/authorize?client_id=quartet-demo',
    '/oauth/logout',
    '/oauth/nothing',
  ])('is off for %s', async (url) => {
    const { headers } = await t.inject({ url, headers: origin });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('every answer', () => {
  const requests = (): Parameters<TestApp['inject']>[0][] => [
    { url: '/stations' },
    { url: station },
    { url: station, headers: { 'if-none-match': '*' } },
    { url: '/bookings', headers: ann },
    { url: '/bookings' },
    { url: '/nothing' },
    { url: '/stations/%ZZ' },
    { url: '/stations?x=%ZZ' },
    { url: '/livez' },
    { url: '/readyz' },
    { url: '/metrics' },
    { url: '/problems/not-found' },
    { url: '/oauth/jwks' },
    { url: '/oauth/token', method: 'POST' },
    { url: '/.well-known/openid-configuration' },
    { url: '/stations', method: 'OPTIONS' },
    { url: '/stations', method: 'DELETE' },
    { url: '/bookings', method: 'POST', headers: ann, payload: {} },
    { url: `/bookings/${BERLIN}`, method: 'DELETE', headers: ann },
  ];

  it('says how long it may be kept, and what it is', async () => {
    for (const request of requests()) {
      const { headers } = await t.inject(request);
      const { method = 'GET', url } = request;
      expect([method, url, headers['cache-control']]).toEqual([
        method,
        url,
        expect.stringMatching(/no-store|no-cache|max-age=\d+/),
      ]);
      expect([url, headers['x-content-type-options']]).toEqual([url, 'nosniff']);
    }
  });

  it('is private where it is one caller’s', async () => {
    const { id } = await booked();
    for (const url of ['/bookings', `/bookings/${id}`, `/bookings/${id}/payment`])
      expect((await t.inject({ url, headers: ann })).headers['cache-control']).toContain('private');
  });

  it('has the request’s id where that is sane, else one of ours', async () => {
    const idOf = async (id: string) =>
      (await t.inject({ url: '/livez', headers: { 'x-request-id': id } })).headers['x-request-id'];
    for (const id of ['abc-123', 'a.b_c', 'x'.repeat(64)]) expect(await idOf(id)).toBe(id);
    const ours = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    for (const id of ['', 'x'.repeat(65), 'a b', 'ä', '{"a":1}', '<script>'])
      expect(await idOf(id)).toMatch(ours);
    for (const request of requests())
      expect((await t.inject(request)).headers['x-request-id']).toMatch(ours);
  });

  it('to HEAD is that to GET, without its body', async () => {
    for (const url of ['/stations', station, '/livez', '/nothing', '/bookings']) {
      const get = await t.inject({ url });
      const head = await t.inject({ url, method: 'HEAD' });
      expect([url, head.statusCode, head.body]).toEqual([url, get.statusCode, '']);
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control'])
        expect([url, name, head.headers[name]]).toEqual([url, name, get.headers[name]]);
    }
  });
});

describe('the log', () => {
  it('has one line an answer, with its path and without its query', async () => {
    for (const [url, status] of [
      ['/stations?search=secret-word', 200],
      ['/nothing?password=secret-word', 404],
      ['/stations/%ZZ?secret-word', 400],
      ['/stations?secret-word=%ZZ', 400],
    ] as const) {
      lines.length = 0;
      const answer = await t.inject({ url, headers: { ...ann, 'x-request-id': 'this-one' } });
      expect(answer.statusCode).toBe(status);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatchObject({
        level: 'info',
        msg: 'answered',
        reqId: 'this-one',
        method: 'GET',
        path: url.split('?', 1)[0],
        status,
      });
      expect(lines[0]?.['ms']).toBeGreaterThanOrEqual(0);
      expect(`${lines[0]?.['time']}`).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      expect(JSON.stringify(lines)).not.toMatch(/secret-word|Bearer|eyJ/);
    }
  });

  it('shows no secret that is logged by mistake', () => {
    lines.length = 0;
    const secret = 'hunter2';
    t.quartet.log.info({ authorization: secret, password: secret, token: secret });
    t.quartet.log.info({ headers: { authorization: secret, cookie: secret } });
    t.quartet.log.info({ body: { source: { number: secret, cvc: secret } } });
    t.quartet.log.info({ req: { headers: { authorization: secret } }, client: { secret } });
    expect(lines).toHaveLength(4);
    expect(JSON.stringify(lines)).not.toContain(secret);
  });

  it('does not show the values of a row that the database refuses', async () => {
    lines.length = 0;
    const refused = sql`insert into train.stations (id, name) values (${BERLIN}, 'Geheim')`;
    const error = await refused.execute(t.db).catch((caught: unknown) => caught);
    t.quartet.log.error({ err: error }, 'failed');
    expect(lines[0]).toMatchObject({ err: { code: '23502' } });
    expect(JSON.stringify(lines)).not.toContain('Geheim');
  });
});
