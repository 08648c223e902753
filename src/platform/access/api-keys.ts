import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type ApiKeyService, findApiKey, insertApiKey } from './api-keys.queries.ts';
import type { Db } from '../database/database.ts';
import { newId } from '../ids.ts';

/** Keys have 256 bits, so one SHA-256 is as strong as a slow hash. */
const hash = (key: string): Buffer => createHash('sha256').update(key).digest();

/** Makes a key and stores its hash; the key itself is nowhere but in the answer. */
export async function createApiKey(
  db: Db,
  service: ApiKeyService,
  name: string,
): Promise<{ id: string; key: string }> {
  const id = newId();
  const key = `${service}_${randomBytes(32).toString('base64url')}`;
  await insertApiKey(db, { id, service, name, key_hash: hash(key), is_demo: false });
  return { id, key };
}

/** A published key, for demonstrations; does not exist where NODE_ENV is production. */
export async function seedDemoApiKey(db: Db, service: ApiKeyService, key: string): Promise<void> {
  const name = 'Demonstration';
  await insertApiKey(db, { id: newId(), service, name, key_hash: hash(key), is_demo: true });
}

/** Who sent the request, by its API key. */
export interface ApiKeyHolder {
  id: string;
  name: string;
}

/** Finds the holder of a key that is good; undefined for any other. */
export type VerifyApiKey = (key: string) => Promise<ApiKeyHolder | undefined>;

/** How long a key that was found is not looked up again; a revoked one works no longer than that. */
const REMEMBER_MS = 10_000;

/**
 * Verifies the keys of one service. A key that was good within the last ten seconds costs no query;
 * in memory too there are only hashes, and the lookup by hash tells nothing of a key by its time.
 */
export function apiKeyVerifier(db: Db, service: ApiKeyService, withDemo: boolean): VerifyApiKey {
  const known = new LRUCache<string, ApiKeyHolder>({ max: 10_000, ttl: REMEMBER_MS });
  return async (key) => {
    const sent = hash(key);
    const name = sent.toString('base64url');
    const remembered = known.get(name);
    if (remembered) return remembered;
    const row = await findApiKey(db, service, sent, withDemo);
    if (!row || !timingSafeEqual(row.key_hash, sent)) return undefined;
    const holder = { id: row.id, name: row.name };
    known.set(name, holder);
    return holder;
  };
}
