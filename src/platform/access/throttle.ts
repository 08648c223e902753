import { LRUCache } from 'lru-cache';

/** Keys that one window remembers; beyond it the longest silent is forgotten. */
const KEYS = 100_000;

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
  const used = new LRUCache<string, number>({ max: KEYS });
  let endsAt = 0;
  return {
    take(quotas) {
      const now = performance.now();
      if (now >= endsAt) {
        used.clear();
        endsAt = now + seconds * 1000;
      }
      if (quotas.some(([key, max]) => (used.get(key) ?? 0) >= max))
        return Math.ceil((endsAt - now) / 1000);
      for (const [key] of quotas) used.set(key, (used.get(key) ?? 0) + 1);
      return 0;
    },
    giveBack(quotas) {
      for (const [key] of quotas) used.set(key, Math.max(0, (used.get(key) ?? 0) - 1));
    },
  };
}
