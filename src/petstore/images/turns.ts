import type { onRequestAsyncHookHandler } from 'fastify';
import { unavailable } from '../../platform/problems/problems.ts';

/**
 * A hook that lets `places` requests of its route in at a time, before their bodies are read. The
 * others wait their turn, and are refused with 503 after `waitMs`.
 */
export function takeTurns(places: number, waitMs: number): onRequestAsyncHookHandler {
  let free = places;
  const waiting = new Set<() => void>();

  function leave(): void {
    const [next] = waiting;
    if (next) next();
    else free += 1;
  }

  const enter = () =>
    new Promise<void>((resolve, reject) => {
      if (free > 0) {
        free -= 1;
        return resolve();
      }
      const timer = setTimeout(() => {
        waiting.delete(start);
        reject(unavailable('Too many uploads at this time. Nothing was changed.'));
      }, waitMs);
      const start = () => {
        clearTimeout(timer);
        waiting.delete(start);
        resolve();
      };
      waiting.add(start);
    });

  return async (_request, { raw }) => {
    await enter();
    if (!raw.destroyed) return void raw.once('close', leave);
    leave();
    throw unavailable('The client went away while it waited.');
  };
}
