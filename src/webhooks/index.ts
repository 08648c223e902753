import type { Logger } from 'pino';
import { Gauge, Histogram, type Registry } from 'prom-client';
import type { Database } from '../platform/database/database.ts';
import { type Poller, poll } from '../platform/poller.ts';
import { createDeliverer, type SignToken } from './delivery.ts';
import { deleteOld, findLag, wakeOthers } from './dispatch.queries.ts';
import { type Dispatcher, startDispatcher } from './dispatcher.ts';
import { createTargets, type TargetOptions, type Targets } from './target.ts';

export interface WebhooksOptions {
  config: TargetOptions & {
    WEBHOOK_RETRY_SCHEDULE: string;
    WEBHOOK_TIMEOUT: number;
    WEBHOOK_RETENTION_DAYS: number;
  };
  database: Database;
  log: Logger;
  registry: Registry;
  signToken: SignToken;
}

export interface Webhooks {
  targets: Targets;
  /** Call it once a transaction is committed that wrote an event or made a delivery due. */
  announce(): void;
  /** Starts to deliver in this process. */
  start(): Promise<void>;
  /** False once the dispatcher was started and does not work. */
  isWorking: () => boolean;
  /** Resolves when what was under way is written down or given back. */
  stop(): Promise<void>;
}

const SECONDS: Record<string, number> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

/** The pauses of a schedule such as `5s,5m,2h`, in seconds; a number alone is seconds too. */
function parseSchedule(text: string): number[] {
  return text.split(',').map((pause) => {
    const [, number, unit = 's'] = /^([\d.]+)([a-z]*)$/.exec(pause) ?? [];
    return Number(number) * (SECONDS[unit || 's'] ?? 1);
  });
}

/** Other processes are told at most this often; each looks by itself every second anyway. */
const ANNOUNCE_MS = 20;
const HOUR = 3600;
const DELETE_BATCH = 1000;

/** What delivers events to their subscribers. Nothing is delivered here until `start`. */
export function openWebhooks(options: WebhooksOptions): Webhooks {
  const { config, database, log, registry, signToken } = options;
  const targets = createTargets(config);
  let dispatcher: Dispatcher | undefined;
  let retention: Poller | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isAnnounced = false;
  let stopped = false;

  new Gauge({
    name: 'webhook_lag_seconds',
    help: 'How long the oldest delivery that is due has waited.',
    registers: [registry],
    async collect() {
      this.set(await findLag(database.reads).catch(() => Number.NaN));
    },
  });
  const durations = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Time from the start of an attempt to the end of its answer.',
    labelNames: ['status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers: [registry],
  });

  function tellOthers(): void {
    if (database.engine === 'embedded' || stopped) return;
    if (timer) {
      isAnnounced = true;
      return;
    }
    isAnnounced = false;
    wakeOthers(database.writes, dispatcher?.number ?? 0).catch((error: Error) =>
      log.debug({ err: error }, 'webhooks not announced'),
    );
    timer = setTimeout(() => {
      timer = undefined;
      if (isAnnounced) tellOthers();
    }, ANNOUNCE_MS).unref();
  }

  async function prune(): Promise<void> {
    const days = config.WEBHOOK_RETENTION_DAYS;
    while (!stopped && (await deleteOld(database.db, days, DELETE_BATCH)) >= DELETE_BATCH);
  }

  return {
    targets,
    announce() {
      dispatcher?.wake();
      tellOthers();
    },
    async start() {
      dispatcher = await startDispatcher({
        database,
        deliverer: createDeliverer({ targets, signToken, timeoutSeconds: config.WEBHOOK_TIMEOUT }),
        schedule: parseSchedule(config.WEBHOOK_RETRY_SCHEDULE),
        log,
        onAttempt: ({ status }, seconds) =>
          durations.observe({ status: status ?? 'none' }, seconds),
      });
      retention = poll('webhook retention', HOUR, prune, log);
      retention.wake();
    },
    isWorking: () => dispatcher?.isWorking() ?? true,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await Promise.all([dispatcher?.stop(), retention?.stop()]);
    },
  };
}
