/** What a client or the clock can do to the bookings of one trip; `slot` names a booking. */
export type Operation =
  | { do: 'book'; slot: number; key?: string }
  | { do: 'pay'; slot: number; card: 'good' | 'declined'; amount: 'right' | 'wrong' }
  | { do: 'delete'; slot: number }
  | { do: 'expire'; slot: number }
  | { do: 'sweep' };

type Status = 'held' | 'confirmed' | 'expired' | 'deleted';

/** All that there is to know of a trip: its bookings, and which key made which. */
export interface Model {
  capacity: number;
  bookings: Readonly<Record<number, Status>>;
  keys: Readonly<Record<string, number>>;
}

export const liveBookings = ({ bookings }: Model): number =>
  Object.values(bookings).filter((status) => status === 'held' || status === 'confirmed').length;

const set = (model: Model, slot: number, status: Status): Model => ({
  ...model,
  bookings: { ...model.bookings, [slot]: status },
});

/** What one operation, done alone, answers, and what is then: the whole contract of bookings. */
function apply(model: Model, operation: Operation): [answer: string, next: Model] {
  if (operation.do === 'sweep') return ['', model];
  const status = model.bookings[operation.slot];
  switch (operation.do) {
    case 'book': {
      const { key, slot } = operation;
      const first = key === undefined ? undefined : model.keys[key];
      if (first !== undefined) return [`201 ${first}`, model];
      if (liveBookings(model) >= model.capacity) return ['409 trip-sold-out', model];
      const next = set(model, slot, 'held');
      return [
        `201 ${slot}`,
        key === undefined ? next : { ...next, keys: { ...next.keys, [key]: slot } },
      ];
    }
    case 'pay':
      if (status === undefined || status === 'deleted') return ['404 not-found', model];
      if (status === 'confirmed') return ['409 booking-already-paid', model];
      if (status === 'expired') return ['409 booking-expired', model];
      if (operation.amount === 'wrong') return ['400 payment-amount-mismatch', model];
      if (operation.card === 'declined') return ['200 failed', model];
      return ['200 succeeded', set(model, operation.slot, 'confirmed')];
    case 'delete':
      if (status === undefined || status === 'deleted') return ['404 not-found', model];
      if (status === 'confirmed') return ['409 booking-confirmed', model];
      return ['204', set(model, operation.slot, 'deleted')];
    case 'expire':
      return ['', status === 'held' ? set(model, operation.slot, 'expired') : model];
  }
}

/**
 * Every state that the trip can be in after the operations, done at once, answered so: one for each
 * order of them that gives the same answers. None: no order explains what was seen.
 */
export function explain(model: Model, done: { operation: Operation; answer: string }[]): Model[] {
  if (done.length === 0) return [model];
  const states = done.flatMap(({ operation, answer }, index) => {
    const rest = done.toSpliced(index, 1);
    // A key whose first request still runs is refused, and nothing happens.
    if (operation.do === 'book' && operation.key && answer === '409 idempotency-key-in-use') {
      const { key } = operation;
      const isShared = done.some(
        (other) =>
          other.operation !== operation &&
          other.operation.do === 'book' &&
          other.operation.key === key,
      );
      return isShared || key in model.keys ? explain(model, rest) : [];
    }
    const [expected, next] = apply(model, operation);
    return expected === answer ? explain(next, rest) : [];
  });
  return [...new Map(states.map((state) => [JSON.stringify(state), state])).values()];
}
