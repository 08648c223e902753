import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Database, Db } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { poll } from '../platform/poller.ts';
import type { Deliverer, Outcome } from './delivery.ts';
import {
  type Attempt,
  type Claimed,
  claimDue,
  nextDispatcher,
  releaseAbandoned,
  releaseOwn,
  settle,
  showAlive,
  tuneForDispatch,
} from './dispatch.queries.ts';

/** Attempts at a time: of this process, of a subscription that works, and of one that does not. */
const LIMITS = { total: 1024, healthy: 32, failing: 1 };
/** A subscription has at most this part of what is free, so that many slow ones never take all. */
const SHARE = 1 / 16;
/** What is claimed at a time at most; more waits for the next claim. */
const CLAIM_BATCH = 256;
const POLL_SECONDS = 1;
/** Those that fail have a turn so often: one that fails at once must not keep us busy. */
const FAILING_PAUSE_MS = 1000;
/**
 * Where an answer was broken off the connection is lost, and the next attempt needs a new one: it
 * begins so much later, when those that keep theirs have been sent to.
 */
const BROKEN_OFF_PAUSE_MS = 10;
/** A subscription that fails for five days is disabled. */
const DISABLE_AFTER_SECONDS = 5 * 86_400;
/** Retries come this much sooner or later, so that those of one outage spread. */
const JITTER = 0.2;
/** Retry-After can ask for a day at most. */
const LONGEST_RETRY_AFTER = 86_400;
/** How long a stop waits for attempts under way, before it gives them back. */
const STOP_MS = 3000;

export interface DispatcherOptions {
  database: Database;
  deliverer: Deliverer;
  /** Seconds from each attempt to the next; after the last the delivery has failed. */
  schedule: readonly number[];
  log: Logger;
  /** Told of every attempt, for the metrics. */
  onAttempt?: (outcome: Outcome, seconds: number) => void;
}

export interface Dispatcher {
  /** This process's number, for the notifications that it sends. */
  number: number;
  /** Something may be due. */
  wake: () => void;
  isWorking(): boolean;
  stop(): Promise<void>;
}

/** What the log and the delivery keep of an attempt that has ended. */
function toAttempt(
  delivery: Claimed,
  outcome: Outcome,
  started: Date,
  milliseconds: number,
  schedule: readonly number[],
): Attempt {
  const { status, error, response, retryAfter = 0 } = outcome;
  const isGone = status === 410;
  const pause = delivery.is_test || isGone ? undefined : schedule[delivery.step];
  const jittered = pause === undefined ? null : pause * (1 - JITTER + 2 * JITTER * Math.random());
  return {
    delivery: delivery.id,
    claim: delivery.claim_id,
    log: {
      time: started.toISOString(),
      milliseconds: Math.round(milliseconds),
      ...(status !== null && { status }),
      ...(error !== undefined && { error }),
      response,
    },
    outcome: error === undefined ? 'succeeded' : isGone ? 'gone' : 'failed',
    retry_in: jittered && Math.max(jittered, Math.min(retryAfter, LONGEST_RETRY_AFTER)),
    is_test: delivery.is_test,
  };
}

/**
 * Attempts what is due until it is stopped. Any number of processes do this side by side: each
 * delivery is claimed by one of them, and what a dead one had claimed comes back within seconds.
 */
export async function startDispatcher(options: DispatcherOptions): Promise<Dispatcher> {
  const { database, deliverer, schedule, log, onAttempt } = options;
  const number = await nextDispatcher(database.db);
  const running = new Map<string, number>();
  /** Those that have all the attempts that they may: more of theirs may wait for one to end. */
  const full = new Set<string>();
  // Where retries come sooner than that, so do the turns.
  const soonestRetry = (schedule[0] ?? Infinity) * (1 - JITTER) * 1000;
  const failingPause = Math.min(FAILING_PAUSE_MS, soonestRetry);
  /** Subscriptions whose last answer from here was broken off. */
  const brokenOff = new LRUCache<string, true>({ max: 1024 });
  let attempts = 0;
  /** Those of them that go to subscriptions that work. */
  let working = 0;
  let failingAt = Number.NEGATIVE_INFINITY;
  /** Something may be due that was not claimed for want of room: what ends now makes some. */
  let isWaiting = false;
  let done: Attempt[] = [];
  /** Claims whose answer never came: they may stand in the database. */
  const lost = new Set<string>();
  let stopped = false;

  const session = await database.openSession({
    setUp: (db: Db) => showAlive(db, number),
    tune: tuneForDispatch,
    onOpen() {
      takeover.wake();
      claims.wake();
    },
    // Another dispatcher may have said so; what this one says itself it knows.
    onNotification: (from) => from !== String(number) && claims.wake(),
  });

  const claims = poll('webhook claims', POLL_SECONDS, claim, log);
  const takeover = poll('webhook takeover', POLL_SECONDS, takeOver, log);
  const settlements = poll('webhook settlements', POLL_SECONDS, settleDone, log);

  /**
   * Those that fail have their turn when there is nothing else to do, so that no event waits for
   * them; where that is never so, every other pause.
   */
  async function claim(): Promise<void> {
    const paused = performance.now() - failingAt;
    const isBusy = await claimSome(paused >= 2 * failingPause);
    if (!isBusy && paused >= failingPause) await claimSome(true);
  }

  /** Answers whether subscriptions that work are sent anything now. */
  async function claimSome(withFailing: boolean): Promise<boolean> {
    const free = LIMITS.total - attempts;
    if (free <= 0) isWaiting = true;
    if (!session.isOpen() || free <= 0) return true;
    const total = Math.min(CLAIM_BATCH, free);
    const healthy = Math.min(LIMITS.healthy, Math.ceil(free * SHARE));
    if (withFailing) failingAt = performance.now();
    const limits = { total, healthy, failing: withFailing ? LIMITS.failing : 0 };
    const claimId = newId();
    /** Under way as the claim sees it, and what it adds: some end while it is made. */
    const taken = new Map(running);
    const rows = await claimDue(session.db, number, claimId, running, limits).catch((error) => {
      lost.add(claimId);
      throw error;
    });
    if (rows.length >= total || healthy < LIMITS.healthy) isWaiting = true;
    for (const row of rows) {
      const { subscription_id: id } = row;
      const count = (taken.get(id) ?? 0) + 1;
      taken.set(id, count);
      if (count >= (row.is_failing ? LIMITS.failing : healthy)) full.add(id);
      running.set(id, (running.get(id) ?? 0) + 1);
      void attempt(row);
    }
    return working > 0;
  }

  async function attempt(delivery: Claimed): Promise<void> {
    attempts += 1;
    if (!delivery.is_failing) working += 1;
    if (brokenOff.has(delivery.subscription_id)) await sleep(BROKEN_OFF_PAUSE_MS);
    const started = new Date();
    const clock = performance.now();
    const outcome = await deliverer.attempt(delivery);
    const milliseconds = performance.now() - clock;
    attempts -= 1;
    if (!delivery.is_failing) working -= 1;
    const count = (running.get(delivery.subscription_id) ?? 1) - 1;
    if (count > 0) running.set(delivery.subscription_id, count);
    else running.delete(delivery.subscription_id);
    if (full.delete(delivery.subscription_id)) isWaiting = true;
    if (!outcome) return; // the process stops, and gives it back
    if (outcome.isBrokenOff) brokenOff.set(delivery.subscription_id, true);
    else brokenOff.delete(delivery.subscription_id);
    onAttempt?.(outcome, milliseconds / 1000);
    done.push(toAttempt(delivery, outcome, started, milliseconds, schedule));
    settlements.wake();
  }

  async function settleDone(): Promise<void> {
    if (done.length === 0) return;
    const batch = done;
    const wasWaiting = isWaiting;
    done = [];
    isWaiting = false;
    try {
      for (const { id, disabled_reason } of await settle(
        session.isOpen() ? session.db : database.writes,
        batch,
        DISABLE_AFTER_SECONDS,
      ))
        log.warn({ subscription: id, reason: disabled_reason }, 'webhook subscription disabled');
    } catch (error) {
      done = batch.concat(done); // what was sent is written down as soon as that is possible
      isWaiting ||= wasWaiting;
      throw error;
    }
    const soonest = Math.min(...batch.map(({ retry_in }) => retry_in ?? Infinity));
    if (soonest < POLL_SECONDS) setTimeout(claims.wake, soonest * 1000).unref();
    const isTurnOfFailing = working === 0 && performance.now() - failingAt >= failingPause;
    if (wasWaiting || isTurnOfFailing) claims.wake();
  }

  async function takeOver(): Promise<void> {
    if (!session.isOpen()) return;
    const known = [...lost];
    if ((await releaseAbandoned(session.db, known)) > 0) claims.wake();
    for (const claimId of known) lost.delete(claimId);
  }

  return {
    number,
    wake: claims.wake,
    isWorking: () => session.isOpen() && !stopped,
    async stop() {
      stopped = true;
      await Promise.all([claims.stop(), takeover.stop()]);
      const end = Date.now() + STOP_MS;
      while (attempts > 0 && Date.now() < end) await new Promise((next) => setTimeout(next, 20));
      await deliverer.close();
      await settlements.stop();
      try {
        await settleDone();
        await releaseOwn(database.db, number);
      } catch (error) {
        log.warn({ err: error }, 'webhook claims are left to others');
      }
      await session.close();
    },
  };
}
