import { type Generated, sql } from 'kysely';
import type { Db, Tx } from '../database/database.ts';

declare module '../database/database.ts' {
  interface Tables {
    'platform.pass_certificates': PassCertificatesTable;
  }
}

interface PassCertificatesTable {
  id: string;
  certificate: string;
  private_key: string;
  issuer: string;
  expires_at: Date;
  created_at: Generated<Date>;
}

/** A certificate, its private key and its issuer's certificate, as PEM. */
export type StoredCertificate = Pick<
  PassCertificatesTable,
  'certificate' | 'private_key' | 'issuer' | 'expires_at'
>;

/** The newest that is good for another `days`. */
export function findPassCertificate(db: Db, days: number): Promise<StoredCertificate | undefined> {
  return db
    .selectFrom('platform.pass_certificates')
    .select(['certificate', 'private_key', 'issuer', 'expires_at'])
    .where('expires_at', '>', sql<Date>`now() + ${days}::int * interval '1 day'`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function insertPassCertificate(
  tx: Tx,
  certificate: StoredCertificate & { id: string },
): Promise<void> {
  await tx.insertInto('platform.pass_certificates').values(certificate).execute();
}

/** Held to the end of the transaction: nobody else makes a certificate meanwhile. */
export async function lockPassCertificates(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('pass certificates', 0))`.execute(tx);
}
