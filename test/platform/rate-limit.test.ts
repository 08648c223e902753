import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { addressKey } from '../../src/platform/http/rate-limit.ts';
import { startApp, type TestApp } from '../harness.ts';
import { expectProblem } from './exchange.ts';

/** A window that no test outlives. */
const limited = (max: number) =>
  startApp({ env: { RATE_LIMIT_MAX: String(max), RATE_LIMIT_WINDOW: '3600' } });

/** `[limit, remaining, reset]` of an answer's header. */
function quota(answer: { headers: Record<string, unknown> }): number[] {
  const match = /^limit=(\d+), remaining=(\d+), reset=(\d+)$/.exec(
    `${answer.headers['ratelimit']}`,
  );
  expect(match).not.toBeNull();
  return (match ?? []).slice(1).map(Number);
}

const remaining = async (t: TestApp, url: string, headers = {}, remoteAddress = '192.0.2.1') =>
  quota(await t.inject({ url, headers, remoteAddress }))[1];

describe('the quota', () => {
  it('is told on every answer of a service, good or bad', async () => {
    await using t = await limited(100);
    const requests: [number, Parameters<TestApp['inject']>[0]][] = [
      [200, { url: '/stations?limit=1' }],
      [400, { url: '/stations?limit=x' }],
      [400, { url: '/stations/%ZZ' }],
      [400, { url: '/stations?search=%ZZ' }],
      [401, { url: '/bookings' }],
      [404, { url: '/nothing' }],
      [404, { url: '/stations/0190f3a2-7c1e-7b4a-9d3e-5f6a7b8c9d0e' }],
      [405, { url: '/stations', method: 'PUT' }],
      [405, { url: '/stations', method: 'PROPFIND' as 'PUT' }],
      [406, { url: '/stations', headers: { accept: 'text/html' } }],
      [414, { url: `/stations/${'x'.repeat(200)}` }],
    ];
    for (const [index, [status, request]] of requests.entries()) {
      const answer = await t.inject(request);
      const [limit, left, reset] = quota(answer);
      expect([request.url, answer.statusCode]).toEqual([request.url, status]);
      expect([request.url, limit, left]).toEqual([request.url, 100, 99 - index]);
      expect(reset).toBeGreaterThan(3500);
      expect(reset).toBeLessThanOrEqual(3600);
      expect(answer.headers['ratelimit-policy']).toBe('100;w=3600');
    }
  });

  it('ends in 429, which says when it is full again', async () => {
    await using t = await limited(3);
    for (const left of [2, 1, 0])
      expect(await remaining(t, '/stations', {}, '127.0.0.1')).toBe(left);
    for (const url of ['/stations', '/nothing', '/stations/%ZZ', '/stations?search=%ZZ']) {
      const answer = await t.inject({ url });
      expectProblem(answer, 'too-many-requests', t.config.PUBLIC_URL);
      const [, left, reset] = quota(answer);
      expect(left).toBe(0);
      expect(answer.headers['retry-after']).toBe(String(reset));
    }
    const probe = await t.inject({ url: '/livez' });
    expect(probe.statusCode).toBe(200);
  });

  it('is each caller’s own; a wrong token counts on the address', async () => {
    await using t = await limited(50);
    const [ann, bob] = [await t.as('ann'), await t.as('bob')];
    expect(await remaining(t, '/bookings', ann)).toBe(49);
    expect(await remaining(t, '/bookings', ann, '192.0.2.2')).toBe(48);
    expect(await remaining(t, '/bookings', bob)).toBe(49);
    expect(await remaining(t, '/stations')).toBe(49);
    const wrong = { authorization: 'Bearer nonsense' };
    expect(await remaining(t, '/stations', wrong)).toBe(48);
    expect(await remaining(t, '/bookings', { authorization: 'Bearer other' })).toBe(47);
    expect(await remaining(t, '/stations', {}, '192.0.2.2')).toBe(49);
    expect(await remaining(t, '/bookings', ann)).toBe(47);
  });

  it('does not believe X-Forwarded-For unless from a proxy that is named', async () => {
    const headers = (client: string) => ({ 'x-forwarded-for': client });
    {
      await using t = await limited(50);
      expect(await remaining(t, '/stations', headers('203.0.113.1'))).toBe(49);
      expect(await remaining(t, '/stations', headers('203.0.113.2'))).toBe(48);
    }
    await using t = await startApp({
      env: { RATE_LIMIT_MAX: '50', RATE_LIMIT_WINDOW: '3600', TRUST_PROXY: '192.0.2.1' },
    });
    expect(await remaining(t, '/stations', headers('203.0.113.1'))).toBe(49);
    expect(await remaining(t, '/stations', headers('203.0.113.2'))).toBe(49);
    expect(await remaining(t, '/stations', headers('203.0.113.3'), '192.0.2.9')).toBe(49);
    expect(await remaining(t, '/stations', headers('203.0.113.4'), '192.0.2.9')).toBe(48);
  });

  it('is full again in the next window', async () => {
    await using t = await startApp({ env: { RATE_LIMIT_MAX: '2', RATE_LIMIT_WINDOW: '1' } });
    const statuses = async () => [
      (await t.inject({ url: '/livez/no' })).statusCode,
      (await t.inject({ url: '/livez/no' })).statusCode,
      (await t.inject({ url: '/livez/no' })).statusCode,
    ];
    // A window may end between two of them, but not twice in a row.
    const rounds = [await statuses(), await statuses()];
    expect(rounds.flat()).toContain(429);
    await sleep(1100);
    expect(await statuses()).toContain(404);
  });

  it('is off where the limit is 0', async () => {
    await using t = await startApp({ env: { RATE_LIMIT_MAX: '0' } });
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => t.inject({ url: '/nothing' })),
    );
    for (const { statusCode, headers } of answers) {
      expect(statusCode).toBe(404);
      expect(headers).not.toHaveProperty('ratelimit');
      expect(headers).not.toHaveProperty('ratelimit-policy');
    }
  });
});

describe('what counts as one address', () => {
  it.for([
    ['192.0.2.1', '192.0.2.2', false],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['2001:db8::1', '2001:db8::2', true],
    ['2001:db8::1', '2001:db8:0:0:1::', true],
    ['2001:db8::1', '2001:db8:0:1::1', false],
    ['2001:db8::1:1', '2001:db8::2:1', true],
    ['2001:db8::', '2001:db8:0:0:5:6:7:8', true],
    ['2001:db8::a:b:c:d:e', '2001:db8::1:b:c:d:e', false],
    ['2001:db8:1:2::1', '2001:db8:1:2:5::', true],
    ['::1', '::2', true],
    ['::1', '2001:db8::1', false],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
    ['::ffff:192.0.2.1', '192.0.2.1', true],
    ['fe80::1%eth0', 'fe80::2%eth0', true],
  ] as const)('%s and %s: %s', ([one, other, same]) => {
    expect(addressKey(one) === addressKey(other)).toBe(same);
  });
});
