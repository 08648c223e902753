import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../database/database.ts';

declare module '../database/database.ts' {
  interface Tables {
    'platform.idempotency_keys': IdempotencyKeysTable;
  }
}

interface IdempotencyKeysTable {
  /** SHA-256 of caller, route and key. */
  key_hash: Buffer;
  /** HMAC-SHA256 of the request under the key, which is not stored: the body cannot be guessed. */
  fingerprint: Buffer;
  claim_id: string;
  claimed_until: Date;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
  created_at: Date;
}

export type IdempotencyRecord = Pick<
  Selectable<IdempotencyKeysTable>,
  'fingerprint' | 'status' | 'headers' | 'body'
>;

/** Longer than any request runs; a claim older than this belonged to a process that died. */
const CLAIM_SECONDS = 60;
const KEEP_HOURS = 24;

/** True when the key is the caller's to use: new, forgotten, or left behind by a dead process. */
export async function claimKey(
  db: Db,
  claim: { keyHash: Buffer; fingerprint: Buffer; claimId: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into platform.idempotency_keys as k (key_hash, fingerprint, claim_id, claimed_until)
    values (${claim.keyHash}, ${claim.fingerprint}, ${claim.claimId},
            now() + ${CLAIM_SECONDS} * interval '1 second')
    on conflict (key_hash) do update
      set fingerprint = excluded.fingerprint, claim_id = excluded.claim_id,
          claimed_until = excluded.claimed_until, created_at = now(),
          status = null, headers = null, body = null
      where (k.status is null and k.claimed_until < now() and k.fingerprint = excluded.fingerprint)
         or k.created_at < now() - ${KEEP_HOURS} * interval '1 hour'
    returning 1`.execute(db);
  return rows.length === 1;
}

export function findKey(db: Db, keyHash: Buffer): Promise<IdempotencyRecord | undefined> {
  return db
    .selectFrom('platform.idempotency_keys')
    .select(['fingerprint', 'status', 'headers', 'body'])
    .where('key_hash', '=', keyHash)
    .executeTakeFirst();
}

/** Stores the answer beside the effect; false when the claim was taken over meanwhile. */
export async function completeKey(
  tx: Tx,
  claimId: string,
  answer: { status: number; headers: Record<string, string>; body: string },
): Promise<boolean> {
  const { rows } = await sql`
    update platform.idempotency_keys
    set status = ${answer.status}, headers = ${JSON.stringify(answer.headers)}, body = ${answer.body}
    where claim_id = ${claimId} and status is null
    returning 1`.execute(tx);
  return rows.length === 1;
}

export async function releaseKey(db: Db, claimId: string): Promise<void> {
  await sql`delete from platform.idempotency_keys
            where claim_id = ${claimId} and status is null`.execute(db);
}

/** Forgets keys older than a day, a thousand at a time; answers how many. */
export async function deleteOldKeys(db: Db): Promise<number> {
  const { rows } = await sql`
    delete from platform.idempotency_keys where key_hash in (
      select key_hash from platform.idempotency_keys
      where created_at < now() - ${KEEP_HOURS} * interval '1 hour' limit 1000)
    returning 1`.execute(db);
  return rows.length;
}
