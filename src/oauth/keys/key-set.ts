import { type CryptoKey, importJWK, type JWK } from 'jose';
import type { Db } from '../../platform/database/database.ts';
import { listVerificationKeys } from './signing-keys.queries.ts';
import { SIGNING_ALGORITHM } from './signing-keys.ts';

/** Public keys by their `kid`. */
export interface KeySet {
  /** Undefined for a key that does not exist, no longer verifies, or not with this algorithm. */
  find(kid: string, algorithm: string): Promise<CryptoKey | JWK | undefined>;
}

export const MAX_AGE_MS = 30_000;
/** An unknown `kid` asks the database at once, but so often at most, however many are sent. */
const MIN_AGE_MS = 1000;

/** The keys of our own authorization server, never older than half a minute. */
export function openKeySet(db: Db, maxAgeMs = MAX_AGE_MS): KeySet {
  let keys = new Map<string, CryptoKey>();
  let loadedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;

  async function load(): Promise<void> {
    const askedAt = performance.now();
    const rows = await listVerificationKeys(db);
    const entries = rows.map(async ({ kid, public_jwk }) => {
      // A kid is the thumbprint of its key: what was imported once stays right.
      const key = keys.get(kid) ?? (await importJWK(public_jwk, SIGNING_ALGORITHM));
      return [kid, key as CryptoKey] as const;
    });
    keys = new Map(await Promise.all(entries));
    loadedAt = askedAt;
  }
  const refresh = (): Promise<void> => {
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return loading;
  };

  return {
    async find(kid) {
      if (performance.now() - loadedAt > maxAgeMs) await refresh();
      if (!keys.has(kid) && performance.now() - loadedAt > Math.min(MIN_AGE_MS, maxAgeMs))
        await refresh();
      return keys.get(kid);
    },
  };
}
