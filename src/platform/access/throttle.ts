import { createCounter } from './counter.ts';

/** What an attempt counts against, and how many of them a window takes. */
export type Quota = [key: string, max: number];

/** Counts attempts that guess at a secret, in fixed windows and in this process. */
export interface Throttle {
  /** Takes an attempt from every quota; answers seconds to wait where one is used up, else 0. */
  take(quotas: Quota[]): number;
  /** Gives the attempt back: it was no guess. */
  giveBack(quotas: Quota[]): void;
}

/** Attempts count before they run, so those that run at the same time count too. */
export function createThrottle(seconds: number): Throttle {
  const used = createCounter(seconds);
  return {
    take(quotas) {
      const left = used.secondsLeft();
      if (quotas.some(([key, max]) => used.count(key) >= max)) return left;
      for (const [key] of quotas) used.add(key, 1);
      return 0;
    },
    giveBack(quotas) {
      for (const [key] of quotas) used.add(key, -1);
    },
  };
}
