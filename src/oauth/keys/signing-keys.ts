import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Db } from '../../platform/database/database.ts';
import {
  insertSigningKey,
  listPrivateKeys,
  lockSigningKeys,
  retireOtherKeys,
} from './signing-keys.queries.ts';

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

/** How rotation overlaps, in seconds. */
export interface Overlap {
  /** From the publication of the new key until it signs: longer than anybody keeps a key set. */
  publish: number;
  /** From then on until the old one verifies nothing: longer than a token lives. */
  verify: number;
}

/** JWKS are kept for a minute, instances follow within 15 seconds, a token lives ten minutes. */
const OVERLAP: Overlap = { publish: 120, verify: 900 };

/**
 * Makes the key that signs next, and ends the others once their last token has expired; with
 * `revoke` at once, tokens and all. Answers its `kid`.
 */
export async function rotateSigningKeys(
  db: Db,
  { revoke, overlap = OVERLAP }: { revoke: boolean; overlap?: Overlap },
): Promise<string> {
  const key = await generateSigningKey();
  await db.transaction().execute(async (tx) => {
    await lockSigningKeys(tx);
    await insertSigningKey(tx, key, revoke ? 0 : overlap.publish);
    await retireOtherKeys(tx, key.kid, revoke ? 0 : overlap.publish + overlap.verify);
  });
  return key.kid;
}
