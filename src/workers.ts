import type { Quartet } from './app.ts';
import { deleteOldKeys } from './platform/http/idempotency.queries.ts';
import { deleteEndedSessions } from './petstore/sessions.queries.ts';
import { type Poller, poll } from './platform/poller.ts';
import { startTrainWorkers } from './train/workers.ts';

const TEN_MINUTES = 600;
const FIFTEEN_SECONDS = 15;

export type Worker = Pick<Poller, 'stop'>;

/** Everything that runs beside the requests; each is safe in several processes at once. */
export async function startWorkers(quartet: Quartet): Promise<Worker[]> {
  const { config, database, log, oauth, gateway, webhooks } = quartet;
  const { db } = database;
  await webhooks.start();
  return [
    webhooks,
    ...startTrainWorkers(db, config, gateway, log),
    poll('idempotency keys', TEN_MINUTES, () => deleteOldKeys(db), log),
    poll('petstore sessions', TEN_MINUTES, () => deleteEndedSessions(db), log),
    poll('oauth', TEN_MINUTES, () => oauth.housekeeping(), log),
    poll('oauth keys', FIFTEEN_SECONDS, () => oauth.followKeys(), log),
  ];
}
