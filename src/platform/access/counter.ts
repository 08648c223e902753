import { LRUCache } from 'lru-cache';

/** Keys that one window remembers; beyond it the longest silent is forgotten. */
const KEYS = 100_000;

/** Counts by key in fixed windows, in this process. */
export interface Counter {
  /** Until the window ends; the first call after that begins the next one, with nothing counted. */
  secondsLeft(): number;
  count(key: string): number;
  /** Answers the new count, which is never less than 0. */
  add(key: string, change: number): number;
}

export function createCounter(windowSeconds: number): Counter {
  // By size, not by `max`: that would set aside 3 MB at once, and 20 ms of the start.
  const counts = new LRUCache<string, number>({ maxSize: KEYS, sizeCalculation: () => 1 });
  let endsAt = 0;
  const count = (key: string) => counts.get(key) ?? 0;
  return {
    secondsLeft() {
      const now = performance.now();
      if (now >= endsAt) {
        counts.clear();
        endsAt = now + windowSeconds * 1000;
      }
      return Math.ceil((endsAt - now) / 1000);
    },
    count,
    add(key, change) {
      const changed = Math.max(0, count(key) + change);
      counts.set(key, changed);
      return changed;
    },
  };
}
