import type { JWK } from 'jose';
import { type Generated, sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';

declare module '../../platform/database/database.ts' {
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

/** The key signs from `signsInSeconds` from now on. */
export async function insertSigningKey(
  db: Db,
  key: { kid: string; publicJwk: JWK; privateJwk: JWK },
  signsInSeconds = 0,
): Promise<void> {
  await sql`
    insert into oauth.signing_keys (kid, public_jwk, private_jwk, signs_from)
    values (${key.kid}, ${JSON.stringify(key.publicJwk)}, ${JSON.stringify(key.privateJwk)},
            now() + ${signsInSeconds}::float8 * interval '1 second')`.execute(db);
}

/** Every key but `kid` verifies for `seconds` more at most. */
export async function retireOtherKeys(tx: Tx, kid: string, seconds: number): Promise<void> {
  await sql`
    update oauth.signing_keys
    set verifies_until =
      least(verifies_until, now() + ${seconds}::float8 * interval '1 second')
    where kid <> ${kid}`.execute(tx);
}

/** Held to the end of the transaction: nobody else makes keys meanwhile. */
export async function lockSigningKeys(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('oauth signing keys', 0))`.execute(tx);
}
