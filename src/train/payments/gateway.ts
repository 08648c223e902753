import { setTimeout as sleep } from 'node:timers/promises';
import type { NewPayment } from './payments.schemas.ts';

/** One charge, in the smallest unit of its currency. */
interface Charge {
  /** The payment's id: the gateway takes it as its idempotency key. */
  id: string;
  amountCents: number;
  currency: string;
  source: NewPayment['source'];
}

type ChargeResult =
  | { status: 'succeeded' }
  | { status: 'failed'; reason: 'card_declined' | 'insufficient_funds' | 'expired_card' };

/** All that Quartet wants of a payment provider. */
export interface PaymentGateway {
  charge(charge: Charge): Promise<ChargeResult>;
  /** Gives the money of a charge back; a charge that never was is no error. */
  cancel(id: string): Promise<void>;
}

const SLOW_ANSWER_MS = 3000;

const TEST_CARDS: Record<string, (slowMs: number) => Promise<ChargeResult>> = {
  '4000000000000002': async () => ({ status: 'failed', reason: 'card_declined' }),
  '4000000000009995': async () => ({ status: 'failed', reason: 'insufficient_funds' }),
  '4000000000000259': async (slowMs) => {
    await sleep(slowMs);
    return { status: 'succeeded' };
  },
};

/** Cards are valid through the last day of their month. */
const hasExpired = (year: number, month: number, now: Date): boolean =>
  Date.UTC(year, month, 1) <= now.getTime();

/** A gateway that moves no money and knows the published test numbers; any other number succeeds. */
export function sandboxGateway(slowMs = SLOW_ANSWER_MS): PaymentGateway {
  return {
    async charge({ source }) {
      if (!('cvc' in source)) return { status: 'succeeded' };
      if (hasExpired(source.exp_year, source.exp_month, new Date()))
        return { status: 'failed', reason: 'expired_card' };
      const outcome = TEST_CARDS[source.number.replace(/[ -]/g, '')];
      return outcome ? outcome(slowMs) : { status: 'succeeded' };
    },
    async cancel() {},
  };
}
