import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { expireHolds } from '../../src/train/bookings.queries.ts';
import { CARD, PAYMENT } from '../given.ts';
import { ENGINE, startApp, type TestApp } from '../harness.ts';
import { explain, liveBookings, type Model, type Operation } from './booking-model.ts';

const CAPACITY = 3;

/** An operation before it is known which bookings exist: `pick` chooses among those. */
const plan = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('book' as const),
      key: fc.option(fc.constantFrom('a', 'b', 'c')),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      pick: fc.nat(5),
      card: fc.constantFrom('good' as const, 'good' as const, 'declined' as const),
      amount: fc.constantFrom('right' as const, 'right' as const, 'wrong' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), pick: fc.nat(5) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('expire' as const), pick: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sweep' as const) }) },
);

/** One step is one to four operations at once. */
const steps = fc.array(fc.array(plan, { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 12,
});

/** Drives one trip over HTTP and knows which booking is in which slot. */
async function openTrip(t: TestApp) {
  const tripId = await t.given.trip({ seats: CAPACITY });
  const headers = await t.as();
  const ids = new Map<number, string>();
  const slotOf = (id: string) => [...ids].find(([, each]) => each === id)?.[0];
  const keyPrefix = tripId;

  async function perform(operation: Operation): Promise<string> {
    if (operation.do === 'sweep') {
      await expireHolds(t.db, 100);
      return '';
    }
    const id = ids.get(operation.slot) ?? '0194a1f0-7a00-7000-8000-000000000000';
    if (operation.do === 'expire') {
      // Only a hold has a time to run out; a booking being paid at this instant is the race.
      await sql`update train.bookings set expires_at = clock_timestamp()
                where id = ${id} and status = 'held'`.execute(t.db);
      return '';
    }
    const answer = await request(operation, id);
    const body = answer.body === '' ? {} : answer.json();
    if (answer.statusCode >= 400) return `${answer.statusCode} ${body.type.split('/').at(-1)}`;
    if (operation.do === 'pay') return `200 ${body.status}`;
    if (operation.do === 'delete') return String(answer.statusCode);
    if (answer.headers['idempotency-replayed'] === undefined) ids.set(operation.slot, body.id);
    return `${answer.statusCode} ${slotOf(body.id)}`;
  }

  function request(operation: Exclude<Operation, { do: 'sweep' | 'expire' }>, id: string) {
    if (operation.do === 'delete')
      return t.inject({ method: 'DELETE', url: `/bookings/${id}`, headers });
    if (operation.do === 'book')
      return t.inject({
        method: 'POST',
        url: '/bookings',
        headers: {
          ...headers,
          ...(operation.key && { 'idempotency-key': keyPrefix + operation.key }),
        },
        payload: { trip_id: tripId, passenger_name: 'John Doe' },
      });
    const number = operation.card === 'good' ? CARD.number : '4000000000000002';
    return t.inject({
      method: 'POST',
      url: `/bookings/${id}/payment`,
      headers,
      payload: {
        ...PAYMENT,
        amount: operation.amount === 'right' ? PAYMENT.amount : 1,
        source: { ...CARD, number },
      },
    });
  }

  /** Everything that must hold whatever happened, in the tables and over HTTP. */
  async function expectConsistent(models: Model[]): Promise<void> {
    const seats = await t.given.seats(tripId);
    expect(seats.seats_left + seats.held + seats.confirmed).toBe(CAPACITY);
    const trip = (await t.inject({ url: `/trips/${tripId}` })).json();
    expect(models.map((model) => CAPACITY - liveBookings(model))).toContain(trip.seats_available);
    const { rows } = await sql<{ status: string; succeeded: number; pending: number }>`
      select b.status, count(*) filter (where p.status = 'succeeded')::int as succeeded,
             count(*) filter (where p.status = 'pending')::int as pending
      from train.bookings b left join train.payments p on p.booking_id = b.id
      where b.trip_id = ${tripId} group by b.id`.execute(t.db);
    for (const { status, succeeded, pending } of rows) {
      expect(succeeded).toBe(status === 'confirmed' ? 1 : 0);
      expect(pending).toBe(0);
    }
  }

  return { perform, expectConsistent, slots: () => [...ids.keys()] };
}

describe('bookings under any operations, in any order, in parallel', () => {
  it('are as if the operations had been done one after another', async () => {
    await using t = await startApp();
    let events = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (plans) => {
        const trip = await openTrip(t);
        let models: Model[] = [{ capacity: CAPACITY, bookings: {}, keys: {} }];
        let slot = 0;
        for (const step of plans) {
          const known = trip.slots();
          const operations = step.map((each): Operation => {
            if (each.do === 'sweep') return each;
            if (each.do === 'book')
              return { do: 'book', slot: slot++, ...(each.key !== null && { key: each.key }) };
            const { pick, ...rest } = each;
            return { ...rest, slot: known[pick % Math.max(1, known.length)] ?? -1 };
          });
          const answers = await Promise.all(operations.map(trip.perform));
          const done = operations.map((operation, index) => ({
            operation,
            answer: answers[index] ?? '',
          }));
          const next = models.flatMap((model) => explain(model, done));
          expect(
            next,
            `no order explains ${JSON.stringify(done)} after ${JSON.stringify(models)}`,
          ).not.toEqual([]);
          models = next;
          events += operations.length;
          await trip.expectConsistent(models);
        }
      }),
      { numRuns: ENGINE === 'postgresql' ? 150 : 80 },
    );
    expect(events).toBeGreaterThan(100);
  });
});
