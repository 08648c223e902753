import type { Generated } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '../database/database.ts';

declare module '../database/database.ts' {
  interface Tables {
    'platform.api_keys': ApiKeysTable;
  }
}

/** The services that take API keys. */
export const API_KEY_SERVICES = ['petstore', 'learning'] as const;
export type ApiKeyService = (typeof API_KEY_SERVICES)[number];

interface ApiKeysTable {
  id: string;
  service: ApiKeyService;
  name: string;
  key_hash: Buffer;
  is_demo: Generated<boolean>;
  created_at: Generated<Date>;
  revoked_at: Generated<Date | null>;
}

/** Inserts the key; does nothing where its hash is there already. */
export async function insertApiKey(
  db: Db,
  key: { id: string; service: ApiKeyService; name: string; key_hash: Buffer; is_demo: boolean },
): Promise<void> {
  await db
    .insertInto('platform.api_keys')
    .values(key)
    .onConflict((conflict) => conflict.column('key_hash').doNothing())
    .execute();
}

/** `withDemo` false: demo keys do not exist. */
export function findApiKey(
  db: Db,
  service: ApiKeyService,
  hash: Buffer,
  withDemo: boolean,
): Promise<{ id: string; name: string; key_hash: Buffer } | undefined> {
  return db
    .selectFrom('platform.api_keys')
    .select(['id', 'name', 'key_hash'])
    .where('key_hash', '=', hash)
    .where('service', '=', service)
    .where('revoked_at', 'is', null)
    .$if(!withDemo, (query) => query.where('is_demo', '=', false))
    .executeTakeFirst();
}

/** All of them, oldest first. */
export function listApiKeys(db: Db) {
  return db
    .selectFrom('platform.api_keys')
    .select(['id', 'service', 'name', 'created_at', 'revoked_at'])
    .orderBy('id')
    .execute();
}

/** False where there is no such key, or it is revoked already. */
export async function revokeApiKey(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    update platform.api_keys set revoked_at = now()
    where id = ${id} and revoked_at is null returning 1`.execute(db);
  return rows.length === 1;
}
