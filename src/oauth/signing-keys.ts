import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Db } from '../platform/database.ts';
import { insertSigningKey, listPrivateKeys, lockSigningKeys } from './signing-keys.queries.ts';

/** The only algorithm that we sign with, and the only one that we take from ourselves. */
export const SIGNING_ALGORITHM = 'ES256';

async function generateSigningKey(): Promise<{ kid: string; publicJwk: JWK; privateJwk: JWK }> {
  const pair = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const publicJwk = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const members = { kid, alg: SIGNING_ALGORITHM, use: 'sig' };
  const privateJwk = { ...(await exportJWK(pair.privateKey)), ...members };
  return { kid, publicJwk: { ...publicJwk, ...members }, privateJwk };
}

/**
 * The private keys as JWKs, the one that signs first; never empty. Processes that start together
 * on an empty database share the key that the first of them makes.
 */
export async function loadSigningKeys(db: Db): Promise<JWK[]> {
  let keys = await listPrivateKeys(db);
  if (keys.length === 0) {
    const key = await generateSigningKey();
    keys = await db.transaction().execute(async (tx) => {
      await lockSigningKeys(tx);
      const others = await listPrivateKeys(tx);
      if (others.length > 0) return others;
      await insertSigningKey(tx, key);
      return listPrivateKeys(tx);
    });
  }
  return keys.map((key) => key.private_jwk);
}
