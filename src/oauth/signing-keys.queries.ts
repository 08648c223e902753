import type { JWK } from 'jose';
import { type Generated, sql } from 'kysely';
import type { Db, Tx } from '../platform/database.ts';

declare module '../platform/database.ts' {
  interface Tables {
    'oauth.signing_keys': SigningKeysTable;
  }
}

interface SigningKeysTable {
  kid: string;
  public_jwk: JWK;
  private_jwk: JWK;
  created_at: Generated<Date>;
  signs_from: Generated<Date>;
  verifies_until: Date | null;
}

const validKeys = (db: Db) =>
  db
    .selectFrom('oauth.signing_keys')
    .where((where) =>
      where.or([
        where('verifies_until', 'is', null),
        where('verifies_until', '>', sql<Date>`now()`),
      ]),
    );

/** Public keys that verify now, those that do not sign yet included. */
export function listVerificationKeys(db: Db): Promise<{ kid: string; public_jwk: JWK }[]> {
  return validKeys(db).select(['kid', 'public_jwk']).execute();
}

/** Private keys to publish, the one that signs first: the newest whose time has come. */
export function listPrivateKeys(db: Db): Promise<{ kid: string; private_jwk: JWK }[]> {
  return validKeys(db)
    .select(['kid', 'private_jwk'])
    .orderBy(sql`signs_from <= now()`, 'desc')
    .orderBy('signs_from', 'desc')
    .orderBy('kid')
    .execute();
}

export async function insertSigningKey(
  db: Db,
  key: { kid: string; publicJwk: JWK; privateJwk: JWK },
): Promise<void> {
  await db
    .insertInto('oauth.signing_keys')
    .values({
      kid: key.kid,
      public_jwk: JSON.stringify(key.publicJwk) as never,
      private_jwk: JSON.stringify(key.privateJwk) as never,
    })
    .execute();
}

/** Held to the end of the transaction: nobody else makes keys meanwhile. */
export async function lockSigningKeys(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('oauth signing keys', 0))`.execute(tx);
}
