import type { Generated } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

declare module '../platform/database.ts' {
  interface Tables {
    'oauth.accounts': AccountsTable;
  }
}

interface AccountsTable {
  id: string;
  email: string;
  password_hash: string;
  is_demo: Generated<boolean>;
  created_at: Generated<Date>;
}

/** `withDemo` false: demo accounts do not exist. */
export function findAccount(
  db: Db,
  id: string,
  withDemo: boolean,
): Promise<{ id: string; email: string } | undefined> {
  return db
    .selectFrom('oauth.accounts')
    .select(['id', 'email'])
    .where('id', '=', id)
    .$if(!withDemo, (query) => query.where('is_demo', '=', false))
    .executeTakeFirst();
}

/** Inserts the account unless the address is taken. */
export async function insertAccount(
  db: Db,
  account: { id: string; email: string; passwordHash: string; isDemo: boolean },
): Promise<void> {
  await sql`
    insert into oauth.accounts (id, email, password_hash, is_demo)
    values (${account.id}, ${account.email}, ${account.passwordHash}, ${account.isDemo})
    on conflict (lower(email)) do nothing`.execute(db);
}
