import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type PaymentGateway, sandboxGateway } from '../../src/train/payments/gateway.ts';
import { endAbandonedPayments, pay as payDirectly } from '../../src/train/payments/payments.ts';
import { maskSource } from '../../src/train/payments/payments.schemas.ts';
import { newId } from '../../src/platform/ids.ts';
import { BANK_ACCOUNT, CARD, PAYMENT } from '../given.ts';
import { sharedApp } from '../harness.ts';

/** The sandbox, with what a test wants to happen while it is being asked, and what it gave back. */
const sandbox = sandboxGateway(20);
let meanwhile: () => Promise<unknown> = async () => undefined;
const cancelled: string[] = [];
const gateway: PaymentGateway = {
  async charge(charge) {
    await meanwhile();
    return sandbox.charge(charge);
  },
  async cancel(id) {
    cancelled.push(id);
  },
};

const t = await sharedApp({ gateway });
let alice: { authorization: string };
beforeAll(async () => {
  alice = await t.as('alice');
});

const booked = async (): Promise<string> => {
  const answer = await t.inject({
    method: 'POST',
    url: '/bookings',
    headers: alice,
    payload: { trip_id: await t.given.trip(), passenger_name: 'John Doe' },
  });
  expect(answer.statusCode).toBe(201);
  return answer.json().id;
};

const pay = (id: string, payload: object = PAYMENT, headers: object = {}) =>
  t.inject({
    method: 'POST',
    url: `/bookings/${id}/payment`,
    headers: { ...alice, ...headers },
    payload,
  });

const withCard = (card: object) => ({ ...PAYMENT, source: { ...CARD, ...card } });
const status = async (id: string) =>
  (await t.inject({ url: `/bookings/${id}`, headers: alice })).json().status;
const history = async (id: string) =>
  (await t.inject({ url: `/bookings/${id}/payment`, headers: alice })).json().data;

describe('POST /bookings/{bookingId}/payment', () => {
  it('confirms the booking and masks the card', async () => {
    const id = await booked();
    const answer = await pay(id);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      id: expect.any(String),
      amount: 49.99,
      currency: 'eur',
      source: {
        object: 'card',
        name: 'John Doe',
        number: '************4242',
        exp_month: 12,
        exp_year: 2040,
        address_city: 'London',
        address_country: 'gb',
        address_post_code: 'N12 9XX',
      },
      status: 'succeeded',
      links: { booking: `http://127.0.0.1:3000/bookings/${id}` },
    });
    expect(await status(id)).toBe('confirmed');
    expect(await history(id)).toEqual([answer.json()]);
  });

  it('takes a bank account, masked too, and a source that does not name its kind', async () => {
    const first = await pay(await booked(), { ...PAYMENT, source: BANK_ACCOUNT });
    expect(first.json().source).toEqual({
      ...BANK_ACCOUNT,
      number: '******************5555',
    });
    for (const { object: _, ...source } of [BANK_ACCOUNT, CARD]) {
      const answer = await pay(await booked(), { ...PAYMENT, source });
      expect(answer.json().source.object).toBe(_);
    }
  });

  it('takes a card number with spaces or dashes', async () => {
    for (const number of ['4242 4242 4242 4242', '4242-4242-4242-4242'])
      expect((await pay(await booked(), withCard({ number }))).json().source.number).toBe(
        '************4242',
      );
  });

  it.each([
    ['card_declined', { number: '4000000000000002' }],
    ['insufficient_funds', { number: '4000 0000 0000 9995' }],
    ['expired_card', { exp_year: 2020 }],
  ])('keeps the hold after %s, and another attempt may follow', async (failure_reason, card) => {
    const id = await booked();
    const declined = await pay(id, withCard(card));
    expect(declined.statusCode).toBe(200);
    expect(declined.json()).toMatchObject({ status: 'failed', failure_reason });
    expect(await status(id)).toBe('held');
    expect((await pay(id)).json().status).toBe('succeeded');
    const attempts = await history(id);
    expect(attempts.map((each: { status: string }) => each.status)).toEqual([
      'succeeded',
      'failed',
    ]);
  });

  it('takes a card in the month that it expires in', async () => {
    const now = new Date();
    const card = { exp_month: now.getUTCMonth() + 1, exp_year: now.getUTCFullYear() };
    expect((await pay(await booked(), withCard(card))).json().status).toBe('succeeded');
  });

  it('refuses an amount or a currency that is not the price, naming both', async () => {
    const id = await booked();
    for (const wrong of [{ amount: 49.98 }, { amount: 50 }, { currency: 'gbp' }]) {
      const answer = await pay(id, { ...PAYMENT, ...wrong });
      expect(answer.statusCode).toBe(400);
      expect(answer.json().type).toMatch(/payment-amount-mismatch$/);
      expect(answer.json().detail).toMatch(/49\.99 eur.*(49\.98 eur|50 eur|49\.99 gbp)/);
    }
    expect(await history(id)).toEqual([]);
  });

  it('refuses a second payment', async () => {
    const id = await booked();
    await pay(id);
    const second = await pay(id);
    expect(second.statusCode).toBe(409);
    expect(second.json().type).toMatch(/booking-already-paid$/);
    expect(await history(id)).toHaveLength(1);
  });

  it.each([
    [{ amount: 0 }, '/amount'],
    [{ amount: -1 }, '/amount'],
    [{ amount: 49.999 }, '/amount'],
    [{ amount: '49.99' }, '/amount'],
    [{ amount: 1e300 }, '/amount'],
    [{ currency: 'usd' }, '/currency'],
    [{ currency: 'EUR' }, '/currency'],
    [{ source: null }, '/source'],
    [{ source: { ...CARD, number: '4242424242424241' } }, '/source/number'],
    [{ source: { ...CARD, number: '42' } }, '/source/number'],
    [{ source: { ...CARD, cvc: '12' } }, '/source/cvc'],
    [{ source: { ...CARD, cvc: 123 } }, '/source/cvc'],
    [{ source: { ...CARD, exp_month: 13 } }, '/source/exp_month'],
    [{ source: { ...CARD, exp_year: 2030.5 } }, '/source/exp_year'],
    [{ source: { ...CARD, address_country: 'GBR' } }, '/source/address_country'],
    [{ source: { ...CARD, cvv: '123' } }, '/source/cvv'],
    [{ source: { ...CARD, name: ' ' } }, '/source/name'],
    [{ source: { ...BANK_ACCOUNT, account_type: 'joint' } }, '/source/account_type'],
    [{ source: { ...BANK_ACCOUNT, number: '123' } }, '/source/number'],
    [{ source: { ...BANK_ACCOUNT, sort_code: '1' } }, '/source/sort_code'],
    [{ source: { ...CARD, object: 'paypal' } }, '/source/object'],
    [{ tip: 1 }, '/tip'],
  ])('names the fault in %j', async (wrong, pointer) => {
    const answer = await pay(await booked(), { ...PAYMENT, ...wrong });
    expect(answer.statusCode).toBe(400);
    const pointers = answer.json().errors.map((error: { pointer: string }) => error.pointer);
    expect(pointers).toEqual([pointer]);
    // What was sent is not sent back: it may be a card number.
    expect(answer.body).not.toMatch(/4242424242424/);
  });
});

describe('a payment that something overtakes', () => {
  /** Pays while `event` happens between the gateway's question and its answer. */
  const overtaken = async (id: string, event: () => Promise<unknown>) => {
    meanwhile = async () => {
      meanwhile = async () => undefined;
      await event();
    };
    const before = cancelled.length;
    const answer = await pay(id);
    return { answer, refunds: cancelled.length - before };
  };

  it('loses against expiry: nothing is charged, the seat is free', async () => {
    const id = await booked();
    const { answer, refunds } = await overtaken(id, () => t.given.expiredHold(id));
    expect(answer.statusCode).toBe(409);
    expect(answer.json().type).toMatch(/booking-expired$/);
    expect(refunds).toBe(1);
    expect(await history(id)).toMatchObject([
      { status: 'failed', failure_reason: 'booking-expired' },
    ]);
  });

  it('loses against deletion', async () => {
    const id = await booked();
    const { answer, refunds } = await overtaken(id, async () => {
      const gone = await t.inject({ method: 'DELETE', url: `/bookings/${id}`, headers: alice });
      expect(gone.statusCode).toBe(204);
    });
    expect(answer.statusCode).toBe(404);
    expect(refunds).toBe(1);
  });

  it('loses against another payment', async () => {
    const id = await booked();
    const { answer, refunds } = await overtaken(id, async () => {
      expect((await pay(id)).json().status).toBe('succeeded');
    });
    expect(answer.statusCode).toBe(409);
    expect(answer.json().type).toMatch(/booking-already-paid$/);
    expect(refunds).toBe(1);
    expect(await status(id)).toBe('confirmed');
  });

  it('succeeds once of twenty at once', async () => {
    const id = await booked();
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay(id)));
    const codes = answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b);
    expect(codes).toEqual([200, ...Array(19).fill(409)]);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from train.payments
      where booking_id = ${id} and status = 'succeeded'`.execute(t.db);
    expect(rows[0]?.count).toBe(1);
  });

  it('keeps the money where only the answer of the commit is lost', async () => {
    const id = await booked();
    const before = cancelled.length;
    const attempt = {
      id: newId(),
      bookingId: id,
      subject: 'alice',
      amountCents: 4999,
      currency: 'eur',
      source: maskSource(CARD),
    };
    const lost = payDirectly(t.db, gateway, attempt, CARD, async (settle) => {
      await settle(t.db);
      throw new Error('Connection terminated unexpectedly');
    });
    await expect(lost).rejects.toThrow('Connection terminated');
    expect(await status(id)).toBe('confirmed');
    expect(await history(id)).toMatchObject([{ id: attempt.id, status: 'succeeded' }]);
    expect(cancelled.length).toBe(before);
  });

  it('counts as failed when its gateway breaks or its process dies, and can be tried again', async () => {
    const id = await booked();
    const { answer, refunds } = await overtaken(id, async () => {
      throw new Error('connection reset');
    });
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('connection reset');
    expect(refunds).toBe(1);
    expect(await history(id)).toMatchObject([
      { status: 'failed', failure_reason: 'processing_error' },
    ]);
    await sql`
      insert into train.payments (id, booking_id, amount_cents, currency, source, status, created_at)
      select gen_random_uuid(), ${id}, 4999, 'eur', '{}', 'pending', now() - interval '2 minutes'`.execute(
      t.db,
    );
    await endAbandonedPayments(t.db, gateway);
    const { rows } = await sql`
      select 1 from train.payments where booking_id = ${id} and status = 'pending'`.execute(t.db);
    expect(rows).toEqual([]);
    expect((await pay(id)).json().status).toBe('succeeded');
  });
});

describe('GET /bookings/{bookingId}/payment', () => {
  it('is empty before the first attempt, and pages through many', async () => {
    const id = await booked();
    const url = `/bookings/${id}/payment`;
    expect((await t.inject({ url, headers: alice })).json()).toEqual({
      data: [],
      links: { self: `http://127.0.0.1:3000${url}` },
    });
    for (let attempt = 0; attempt < 3; attempt++)
      await pay(id, withCard({ number: '4000000000000002' }));
    const page = (await t.inject({ url: `${url}?limit=2`, headers: alice })).json();
    expect(page.data).toHaveLength(2);
    expect(page.links.next).toBe(`http://127.0.0.1:3000${url}?limit=2&page=2`);
  });
});
