import type { Logger } from 'pino';
import type { Db } from '../platform/database/database.ts';
import { type Poller, poll } from '../platform/poller.ts';
import { expireHolds } from './bookings.queries.ts';
import type { PaymentGateway } from './payments/gateway.ts';
import { endAbandonedPayments } from './payments/payments.ts';
import { extendTimetable, pruneTimetable } from './timetable/timetable.ts';

const SWEEP_BATCH = 500;
const HOUR = 3600;

/** Sweeps expired holds until a batch is not full. */
async function sweepHolds(db: Db): Promise<void> {
  while ((await expireHolds(db, SWEEP_BATCH)) >= SWEEP_BATCH);
}

/** Housekeeping of the train service. Safe in several processes, and nothing is wrong without it. */
export function startTrainWorkers(
  db: Db,
  config: { SWEEP_SECONDS: number; TIMETABLE_DAYS: number },
  gateway: PaymentGateway,
  log: Logger,
): Poller[] {
  const { SWEEP_SECONDS, TIMETABLE_DAYS } = config;
  const workers = [
    poll('timetable', HOUR, () => extendTimetable(db, TIMETABLE_DAYS), log),
    poll('old trips', HOUR, () => pruneTimetable(db), log),
  ];
  if (SWEEP_SECONDS > 0)
    workers.push(
      poll('expired holds', SWEEP_SECONDS, () => sweepHolds(db), log),
      poll('abandoned payments', SWEEP_SECONDS, () => endAbandonedPayments(db, gateway), log),
    );
  return workers;
}
