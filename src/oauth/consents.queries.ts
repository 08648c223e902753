import { type Generated, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';

declare module '../platform/database/database.ts' {
  interface Tables {
    'oauth.consents': ConsentsTable;
  }
}

interface ConsentsTable {
  account_id: string;
  client_id: string;
  scopes: string[];
  granted_at: Generated<Date>;
}

interface ConsentId {
  accountId: string;
  clientId: string;
}

export interface Consent {
  client_id: string;
  name: string;
  scopes: string[];
  granted_at: Date;
}

/** The scopes that the user let the client have; none where there is no consent. */
export async function findConsentedScopes(
  db: Db,
  { accountId, clientId }: ConsentId,
): Promise<string[]> {
  const consent = await db
    .selectFrom('oauth.consents')
    .select('scopes')
    .where('account_id', '=', accountId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return consent?.scopes ?? [];
}

/** Adds to what the user let the client have before. */
export async function addConsent(
  db: Db,
  { accountId, clientId, scopes }: ConsentId & { scopes: string[] },
): Promise<void> {
  await sql`
    insert into oauth.consents as consent (account_id, client_id, scopes)
    values (${accountId}, ${clientId}, ${scopes})
    on conflict (account_id, client_id) do update
      set granted_at = now(),
          scopes = array(select distinct unnest(consent.scopes || excluded.scopes) order by 1)`.execute(
    db,
  );
}

/** Everything the user consented to, the latest first. */
export function listConsents(db: Db, accountId: string): Promise<Consent[]> {
  return db
    .selectFrom('oauth.consents as consent')
    .innerJoin('oauth.clients as client', 'client.client_id', 'consent.client_id')
    .select(['consent.client_id', 'client.name', 'consent.scopes', 'consent.granted_at'])
    .where('consent.account_id', '=', accountId)
    .orderBy('consent.granted_at', 'desc')
    .orderBy('consent.client_id')
    .execute();
}

/** Forgets the consent, and deletes the grants of it with every code and token they led to. */
export async function revokeConsent(db: Db, { accountId, clientId }: ConsentId): Promise<void> {
  await sql`
    with consent as (
      delete from oauth.consents where account_id = ${accountId} and client_id = ${clientId}
    )
    delete from oauth.artifacts where grant_hash in (
      select grant_hash from oauth.artifacts
      where kind = 'Grant' and payload ->> 'accountId' = ${accountId}
        and payload ->> 'clientId' = ${clientId})`.execute(db);
}
