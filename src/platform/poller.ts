import type { Logger } from 'pino';

export interface Poller {
  /** Runs as soon as the run under way, if any, has ended. */
  wake: () => void;
  /** No further run starts; resolves when the one under way has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `work` every `seconds` (0: only when woken), never twice at a time. A failed run is logged
 * and tried again at the next turn. The timer does not keep the process alive.
 */
export function poll(
  name: string,
  seconds: number,
  work: () => Promise<unknown>,
  log: Logger,
): Poller {
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;

  async function run(): Promise<void> {
    do {
      again = false;
      try {
        await work();
      } catch (error) {
        log.error({ err: error, worker: name }, 'worker run failed');
      }
    } while (again && !stopped);
    running = undefined;
  }
  const wake = () => {
    if (stopped) return;
    if (running) again = true;
    else running = run();
  };
  const timer = seconds > 0 ? setInterval(wake, seconds * 1000).unref() : undefined;
  return {
    wake,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
