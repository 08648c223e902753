import { type Selectable, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';

declare module '../platform/database/database.ts' {
  interface Tables {
    'oauth.artifacts': ArtifactsTable;
  }
}

interface ArtifactsTable {
  /** Model of the library: Session, Interaction, Grant, AuthorizationCode, RefreshToken … */
  kind: string;
  id_hash: Buffer;
  payload: Record<string, unknown>;
  grant_hash: Buffer | null;
  uid: string | null;
  user_code_hash: Buffer | null;
  consumed_at: Date | null;
  expires_at: Date;
}

export type Artifact = Pick<Selectable<ArtifactsTable>, 'payload' | 'consumed_at'>;

interface ArtifactId {
  kind: string;
  idHash: Buffer;
}

/** Rows that one run of `deleteExpired` takes at most. */
export const DELETE_BATCH = 1000;

/** Inserts or replaces; what was consumed stays consumed. */
export async function upsertArtifact(
  db: Db,
  artifact: ArtifactId & {
    payload: object;
    grantHash: Buffer | null;
    uid: string | null;
    userCodeHash: Buffer | null;
    expiresInSeconds: number;
  },
): Promise<void> {
  const { kind, idHash, payload, grantHash, uid, userCodeHash, expiresInSeconds } = artifact;
  await sql`
    insert into oauth.artifacts
      (kind, id_hash, payload, grant_hash, uid, user_code_hash, expires_at)
    values (${kind}, ${idHash}, ${JSON.stringify(payload)}, ${grantHash}, ${uid}, ${userCodeHash},
            now() + ${expiresInSeconds} * interval '1 second')
    on conflict (kind, id_hash) do update
      set payload = excluded.payload, grant_hash = excluded.grant_hash, uid = excluded.uid,
          user_code_hash = excluded.user_code_hash, expires_at = excluded.expires_at`.execute(db);
}

const findArtifacts = (db: Db, kind: string) =>
  db
    .selectFrom('oauth.artifacts')
    .select(['payload', 'consumed_at'])
    .where('kind', '=', kind)
    .where('expires_at', '>', sql<Date>`now()`);

export function findArtifact(db: Db, { kind, idHash }: ArtifactId): Promise<Artifact | undefined> {
  return findArtifacts(db, kind).where('id_hash', '=', idHash).executeTakeFirst();
}

export function findArtifactByUid(
  db: Db,
  kind: string,
  uid: string,
): Promise<Artifact | undefined> {
  return findArtifacts(db, kind).where('uid', '=', uid).executeTakeFirst();
}

export function findArtifactByUserCode(
  db: Db,
  kind: string,
  userCodeHash: Buffer,
): Promise<Artifact | undefined> {
  return findArtifacts(db, kind).where('user_code_hash', '=', userCodeHash).executeTakeFirst();
}

/** True for the one caller that uses it first. */
export async function consumeArtifact(db: Db, { kind, idHash }: ArtifactId): Promise<boolean> {
  const { rows } = await sql`
    update oauth.artifacts set consumed_at = now()
    where kind = ${kind} and id_hash = ${idHash} and consumed_at is null and expires_at > now()
    returning 1`.execute(db);
  return rows.length === 1;
}

export async function deleteArtifact(db: Db, { kind, idHash }: ArtifactId): Promise<void> {
  await db
    .deleteFrom('oauth.artifacts')
    .where('kind', '=', kind)
    .where('id_hash', '=', idHash)
    .execute();
}

export async function deleteArtifactsOfGrant(
  db: Db,
  kind: string,
  grantHash: Buffer,
): Promise<void> {
  await db
    .deleteFrom('oauth.artifacts')
    .where('kind', '=', kind)
    .where('grant_hash', '=', grantHash)
    .execute();
}

/** Deletes the grant that the artifact comes from, and everything else that came from it. */
export async function deleteGrantOf(db: Db, { kind, idHash }: ArtifactId): Promise<void> {
  await sql`
    delete from oauth.artifacts where grant_hash = (
      select grant_hash from oauth.artifacts where kind = ${kind} and id_hash = ${idHash})`.execute(
    db,
  );
}

/** Deletes these grants, and everything that came from them. */
export async function deleteSessionGrants(db: Db, grantHashes: Buffer[]): Promise<void> {
  if (grantHashes.length === 0) return;
  await db.deleteFrom('oauth.artifacts').where('grant_hash', 'in', grantHashes).execute();
}

/** Deletes what has expired, at most `DELETE_BATCH` rows; answers how many. */
export async function deleteExpired(db: Db): Promise<number> {
  const { rows } = await sql`
    delete from oauth.artifacts where (kind, id_hash) in (
      select kind, id_hash from oauth.artifacts
      where expires_at < now() order by expires_at limit ${DELETE_BATCH})
    returning 1`.execute(db);
  return rows.length;
}
