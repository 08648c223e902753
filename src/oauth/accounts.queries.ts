import type { Generated } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';

declare module '../platform/database/database.ts' {
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
const findAccounts = (db: Db, withDemo: boolean) =>
  db
    .selectFrom('oauth.accounts')
    .select(['id', 'email', 'password_hash'])
    .$if(!withDemo, (query) => query.where('is_demo', '=', false));

export type Account = Pick<AccountsTable, 'id' | 'email' | 'password_hash'>;

export function findAccount(db: Db, id: string, withDemo: boolean): Promise<Account | undefined> {
  return findAccounts(db, withDemo).where('id', '=', id).executeTakeFirst();
}

/** By the address, whatever its case. */
export function findAccountByEmail(
  db: Db,
  email: string,
  withDemo: boolean,
): Promise<Account | undefined> {
  return findAccounts(db, withDemo)
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirst();
}

/** Inserts the account; false where the address is taken. */
export async function insertAccount(
  db: Db,
  account: { id: string; email: string; passwordHash: string; isDemo: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    insert into oauth.accounts (id, email, password_hash, is_demo)
    values (${account.id}, ${account.email}, ${account.passwordHash}, ${account.isDemo})
    on conflict (lower(email)) do nothing returning 1`.execute(db);
  return rows.length === 1;
}
