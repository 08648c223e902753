import { describe, expect, it } from 'vitest';
import { PAYMENT } from '../given.ts';
import { sharedApp } from '../harness.ts';

const t = await sharedApp();
const [alice, bob] = [await t.as('alice'), await t.as('bob')];

const UNKNOWN = '0194a1f0-7a00-7000-8000-000000000000';

describe('who may do what', () => {
  const operations = [
    ['GET', '/bookings', 'read'],
    ['POST', '/bookings', 'write'],
    ['GET', `/bookings/${UNKNOWN}`, 'read'],
    ['DELETE', `/bookings/${UNKNOWN}`, 'write'],
    ['POST', `/bookings/${UNKNOWN}/payment`, 'write'],
    ['GET', `/bookings/${UNKNOWN}/payment`, 'read'],
    ['GET', `/bookings/${UNKNOWN}/ticket`, 'read'],
  ] as const;

  it.each(operations)('%s %s needs a token with the scope %s', async (method, url, scope) => {
    const none = await t.inject({ method, url });
    expect(none.statusCode).toBe(401);
    // Nothing was sent, so no error code (RFC 6750, section 3.1).
    expect(none.headers['www-authenticate']).toBe(
      'Bearer realm="train", resource_metadata="http://127.0.0.1:3000/.well-known/oauth-protected-resource"',
    );
    const other = scope === 'read' ? 'write' : 'read';
    const lacking = await t.inject({ method, url, headers: await t.as('alice', other) });
    expect(lacking.statusCode).toBe(403);
    expect(lacking.headers['www-authenticate']).toContain(
      `error="insufficient_scope", scope="${scope}"`,
    );
    const basic = await t.inject({ method, url, headers: { authorization: 'Basic YTpi' } });
    expect(basic.statusCode).toBe(401);
    const query = await t.inject({
      method,
      url: `${url}?access_token=${alice.authorization.slice(7)}`,
    });
    expect(query.statusCode).toBe(401);
  });

  it("is 404 for somebody else's booking in every operation, and changes nothing", async () => {
    const booked = await t.inject({
      method: 'POST',
      url: '/bookings',
      headers: alice,
      payload: { trip_id: await t.given.trip(), passenger_name: 'John Doe' },
    });
    const booking = booked.json();
    const url = `/bookings/${booking.id}`;
    const attempts = [
      { method: 'GET' as const, url },
      { method: 'DELETE' as const, url },
      { method: 'DELETE' as const, url, headers: { 'if-match': '*' } },
      { method: 'GET' as const, url: `${url}/payment` },
      { method: 'GET' as const, url: `${url}/ticket` },
      { method: 'POST' as const, url: `${url}/payment`, payload: PAYMENT },
    ];
    for (const { headers, ...attempt } of attempts) {
      const answer = await t.inject({ ...attempt, headers: { ...bob, ...headers } });
      expect(answer.statusCode).toBe(404);
      expect(answer.json().type).toMatch(/not-found$/);
      expect(answer.body).not.toContain('alice');
    }
    const mine = await t.inject({ url, headers: alice });
    expect(mine.json()).toMatchObject({ id: booking.id, status: 'held' });
    const listed = await t.inject({ url: '/bookings?limit=100', headers: bob });
    expect(listed.body).not.toContain(booking.id);
  });
});
