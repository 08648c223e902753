import type { Generated, Insertable } from 'kysely';
import type { Db } from '../platform/database/database.ts';

declare module '../platform/database/database.ts' {
  interface Tables {
    'oauth.clients': ClientsTable;
  }
}

interface ClientsTable {
  client_id: string;
  name: string;
  secret_hash: Buffer | null;
  redirect_uris: string[];
  grant_types: string[];
  scopes: string[];
  is_first_party: boolean;
  is_demo: boolean;
  created_at: Generated<Date>;
}

export type ClientRow = Omit<Insertable<ClientsTable>, 'created_at'>;

/** `withDemo` false: demo clients do not exist. */
export function findClient(
  db: Db,
  clientId: string,
  withDemo: boolean,
): Promise<ClientRow | undefined> {
  return db
    .selectFrom('oauth.clients')
    .select([
      'client_id',
      'name',
      'secret_hash',
      'redirect_uris',
      'grant_types',
      'scopes',
      'is_first_party',
      'is_demo',
    ])
    .where('client_id', '=', clientId)
    .$if(!withDemo, (query) => query.where('is_demo', '=', false))
    .executeTakeFirst();
}

/** Inserts the client; false where its id is taken. */
export async function insertClient(db: Db, client: ClientRow): Promise<boolean> {
  const inserted = await db
    .insertInto('oauth.clients')
    .values(client)
    .onConflict((conflict) => conflict.doNothing())
    .returning('client_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function upsertClient(db: Db, client: ClientRow): Promise<void> {
  const { client_id: _, ...changes } = client;
  await db
    .insertInto('oauth.clients')
    .values(client)
    .onConflict((conflict) => conflict.column('client_id').doUpdateSet(changes))
    .execute();
}
