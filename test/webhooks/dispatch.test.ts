import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { sharedApp } from '../harness.ts';
import { type Handler, startReceiver } from './receiver.ts';

// Retries within tests' time; every pause comes up to a fifth sooner or later.
const t = await sharedApp({ env: { WEBHOOK_RETRY_SCHEDULE: '200ms,400ms' } });
const origin = await t.listen();
await t.quartet.webhooks.start();

const PATH = '/webhooks/newBooking/subscriptions';

/** A receiver, and a new subject with a subscription that leads to it. */
async function subscribed(handler?: Handler, body: object = {}) {
  const receiver = await startReceiver(handler);
  const headers = await t.as();
  const owner = decodeJwt(headers.authorization.slice(7)).sub ?? '';
  const payload = { url: `${receiver.url}hook?a=b`, ...body };
  const made = (await t.inject({ method: 'POST', url: PATH, headers, payload })).json();
  const url = `${PATH}/${made.id}`;
  return {
    receiver,
    headers,
    owner,
    ...(made as { id: string; secret: string }),
    url,
    async book() {
      const wanted = { trip_id: await t.given.trip(), passenger_name: 'Ada' };
      return (
        await t.inject({ method: 'POST', url: '/bookings', headers, payload: wanted })
      ).json();
    },
    read: async () => (await t.inject({ url, headers })).json(),
    post: (path: string, body?: object) =>
      t.inject({ method: 'POST', url: `${url}/${path}`, headers, ...(body && { payload: body }) }),
    patch: (body: object) => t.inject({ method: 'PATCH', url, headers, payload: body }),
    deliveries: async (query = '') =>
      (await t.inject({ url: `${url}/deliveries?${query}`, headers })).json().data,
    /** The only delivery, once it is in `state`. */
    async settled(state: 'succeeded' | 'failed') {
      for (;;) {
        const [delivery] = await this.deliveries(`state=${state}`);
        if (delivery) return delivery;
        await new Promise((next) => setTimeout(next, 10));
      }
    },
    [Symbol.asyncDispose]: () => receiver.close(),
  };
}
const answering =
  (status: number, headers: Record<string, string> = {}): Handler =>
  (_request, response) =>
    response.writeHead(status, headers).end('words');

describe('a request', () => {
  it('is the booking, signed, with the headers of the subscription', async () => {
    await using s = await subscribed(undefined, { headers: { 'X-Tenant': 'blue' } });
    const booking = await s.book();
    const [request] = await s.receiver.waitFor(1);
    expect(JSON.parse(request?.body ?? '')).toEqual(booking);
    expect(new Webhook(s.secret).verify(request?.body ?? '', request?.headers ?? {})).toEqual(
      booking,
    );
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-tenant': 'blue',
      'webhook-id': expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect(request?.headers).not.toHaveProperty('webhook-test');
    const changed = (request?.body ?? '').replace('Ada', 'Eve');
    expect(() => new Webhook(s.secret).verify(changed, request?.headers ?? {})).toThrow();
    const delivery = await s.settled('succeeded');
    expect(delivery).toMatchObject({
      event: { id: request?.id, type: 'newBooking' },
      attempts: [{ status: 204, response: '', milliseconds: expect.any(Number) }],
    });
    expect(delivery.attempts[0]).not.toHaveProperty('error');
    expect(delivery).not.toHaveProperty('due');
  });

  it('carries a token of ours for the origin of the receiver, and for nobody else', async () => {
    await using s = await subscribed();
    await s.book();
    const [request] = await s.receiver.waitFor(1);
    const token = request?.headers['authorization']?.replace(/^Bearer /, '') ?? '';
    const keys = createRemoteJWKSet(new URL(`${origin}/oauth/jwks`));
    const issuer = t.config.PUBLIC_URL;
    const audience = new URL(s.receiver.url).origin;
    await jwtVerify(token, keys, { issuer, audience, typ: 'at+jwt', algorithms: ['ES256'] });
    await expect(jwtVerify(token, keys, { issuer, audience: issuer })).rejects.toThrow('aud');
    const authorization = `Bearer ${token}`;
    const used = await t.inject({ url: '/bookings', headers: { authorization } });
    expect(used.statusCode).toBe(401);
  });

  it('is signed with both secrets after a rotation, until the old one ends', async () => {
    await using s = await subscribed();
    const rotated = (await s.post('rotate-secret')).json();
    expect(Date.parse(rotated.overlap) - Date.now()).toBeGreaterThan(86_000_000);
    await s.book();
    const [both] = await s.receiver.waitFor(1);
    for (const secret of [s.secret, rotated.secret])
      new Webhook(secret).verify(both?.body ?? '', both?.headers ?? {});
    await sql`update webhooks.subscriptions set previous_secret_until = now()
              where id = ${s.id}`.execute(t.db);
    await s.book();
    const [, one] = await s.receiver.waitFor(2);
    new Webhook(rotated.secret).verify(one?.body ?? '', one?.headers ?? {});
    expect(() => new Webhook(s.secret).verify(one?.body ?? '', one?.headers ?? {})).toThrow();
  });
});

describe('what is not received', () => {
  it('is tried again with the same webhook-id and body, and then has failed', async () => {
    await using s = await subscribed(answering(500));
    await s.book();
    const delivery = await s.settled('failed');
    expect(delivery.attempts).toHaveLength(3);
    expect(delivery.attempts[0]).toMatchObject({
      status: 500,
      error: 'The answer was 500; only 2xx counts as received.',
      response: 'words',
    });
    expect(s.receiver.received).toHaveLength(3);
    expect(new Set(s.receiver.received.map(({ id, body }) => id + body)).size).toBe(1);
    for (const { body, headers } of s.receiver.received)
      new Webhook(s.secret).verify(body, headers);
    const [first = 0, second = 0, third = 0] = s.receiver.received.map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(155); // never earlier than the jitter allows
    expect(third - second).toBeGreaterThanOrEqual(315);
  });

  it.each([301, 302, 307, 400, 404, 429])('%i is a failure, and leads nowhere', async (status) => {
    await using other = await startReceiver();
    await using s = await subscribed(answering(status, { location: other.url }));
    await s.book();
    await s.settled('failed');
    expect(other.received).toEqual([]);
  });

  it('is tried later where Retry-After says so, but not sooner, and not after a day', async () => {
    for (const [status, header, least, most] of [
      [503, '3600', 3500, 3700],
      [429, new Date(Date.now() + 7_200_000).toUTCString(), 7000, 7300],
      [503, '99999999', 86_000, 86_500],
      [503, '0', 0, 1],
      [503, '-5', 0, 1],
      [500, '3600', 0, 1],
    ] as const) {
      await using s = await subscribed(answering(status, { 'retry-after': header }));
      await s.book();
      await s.receiver.waitFor(1);
      let delivery: { attempts: { time: string }[]; due: string };
      do [delivery] = await s.deliveries();
      while (delivery.attempts.length === 0);
      const attempted = Date.parse(delivery.attempts[0]?.time ?? '');
      const pause = delivery.due ? (Date.parse(delivery.due) - attempted) / 1000 : 0;
      expect(pause, header).toBeGreaterThanOrEqual(least);
      expect(pause, header).toBeLessThanOrEqual(most);
    }
  });

  it('disables the subscription where it is gone, and what waits is sent once it is back', async () => {
    let status = 410;
    await using s = await subscribed((_request, response) => response.writeHead(status).end());
    await s.book();
    await s.settled('failed');
    const disabled = await s.read();
    expect(disabled).toMatchObject({
      enabled: false,
      disabled: { reason: 'The target answered 410 Gone.' },
    });
    status = 200;
    const missed = await s.book();
    const refused = await s.post('test');
    expect([refused.statusCode, refused.json().type]).toEqual([
      409,
      'http://127.0.0.1:3000/problems/subscription-disabled',
    ]);
    await s.patch({ enabled: true });
    const recovered = await s.post('recover', { since: disabled.created });
    expect([recovered.statusCode, recovered.json()]).toEqual([202, { deliveries: 2 }]);
    await s.receiver.waitFor(3);
    const bodies = s.receiver.received.slice(1).map(({ body }) => JSON.parse(body).id);
    expect(bodies).toContain(missed.id);
  });

  it('disables the subscription after five days of nothing else', async () => {
    await using s = await subscribed(answering(500));
    const failingFor = (days: number) =>
      sql`update webhooks.subscriptions
          set failing_since = now() - ${days}::float8 * interval '1 day'
          where id = ${s.id}`.execute(t.db);
    await failingFor(4.9);
    await s.book();
    await s.settled('failed');
    expect(await s.read()).toMatchObject({ enabled: true });
    await failingFor(5.1);
    await s.book();
    while ((await s.read()).enabled);
    expect((await s.read()).disabled.reason).toMatch(/^Every attempt failed since \d{4}-.*Z\.$/);
    await s.patch({ enabled: true });
    await s.book();
    await s.receiver.waitFor(5);
    expect(await s.read()).toMatchObject({ enabled: true });
  });

  it('does not count against a subscription any more once one succeeds', async () => {
    let status = 500;
    await using s = await subscribed((_request, response) => response.writeHead(status).end());
    await s.book();
    await s.settled('failed');
    status = 200;
    await s.book();
    await s.settled('succeeded');
    const { rows } = await sql`
      select failing_since from webhooks.subscriptions where id = ${s.id}`.execute(t.db);
    expect(rows).toEqual([{ failing_since: null }]);
  });
});
