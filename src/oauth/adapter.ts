import { createHash } from 'node:crypto';
import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import type { Db } from '../platform/database/database.ts';
import {
  type Artifact,
  consumeArtifact,
  deleteArtifact,
  deleteArtifactsOfGrant,
  deleteGrantOf,
  findArtifact,
  findArtifactByUid,
  findArtifactByUserCode,
  upsertArtifact,
} from './artifacts.queries.ts';

/** What the database has instead of an identifier. */
export const hashId = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The payload without the identifier, which it holds once or, in an interaction, twice. */
function withoutId(id: string, payload: AdapterPayload): AdapterPayload {
  const { jti: _, returnTo, session, ...rest } = payload;
  const { cookie: __, ...sessionRest } = session ?? {};
  return {
    ...rest,
    ...(session && { session: sessionRest }),
    ...(returnTo !== undefined && { returnTo: returnTo.slice(0, -id.length) }),
  };
}

function toPayload({ payload, consumed_at }: Artifact, id?: string): AdapterPayload {
  const { returnTo } = payload;
  return {
    ...payload,
    ...(id !== undefined && { jti: id }),
    ...(id !== undefined && typeof returnTo === 'string' && { returnTo: returnTo + id }),
    ...(consumed_at && { consumed: Math.floor(consumed_at.getTime() / 1000) }),
  };
}

/** Storage of one of the library's models. Identifiers are bearer secrets: only hashes are kept. */
function artifactAdapter(db: Db, kind: string): Adapter {
  const key = (id: string) => ({ kind, idHash: hashId(id) });
  return {
    async upsert(id, payload, expiresIn) {
      if (expiresIn === undefined) throw new Error(`${kind} must expire`);
      const grantId = kind === 'Grant' ? id : payload.grantId;
      await upsertArtifact(db, {
        ...key(id),
        payload: withoutId(id, payload),
        grantHash: grantId === undefined ? null : hashId(grantId),
        uid: payload.uid ?? null,
        userCodeHash: payload.userCode === undefined ? null : hashId(payload.userCode),
        expiresInSeconds: expiresIn,
      });
    },
    async find(id) {
      const artifact = await findArtifact(db, key(id));
      return artifact && toPayload(artifact, id);
    },
    async findByUid(uid) {
      const artifact = await findArtifactByUid(db, kind, uid);
      return artifact && toPayload(artifact);
    },
    async findByUserCode(userCode) {
      const artifact = await findArtifactByUserCode(db, kind, hashId(userCode));
      return artifact && toPayload(artifact);
    },
    async consume(id) {
      if (await consumeArtifact(db, key(id))) return;
      // Two uses at once are a replay like two in a row: whoever holds the other token loses it.
      await deleteGrantOf(db, key(id));
      throw new errors.InvalidGrant('used already');
    },
    destroy: (id) => deleteArtifact(db, key(id)),
    revokeByGrantId: (grantId) => deleteArtifactsOfGrant(db, kind, hashId(grantId)),
  };
}

const readOnly = async () => {
  throw new Error('Clients are not changed through the library.');
};

/** `findClient` answers a client's metadata by its id. */
export function createAdapter(
  db: Db,
  findClient: (clientId: string) => Promise<AdapterPayload | undefined>,
): AdapterFactory {
  const clients: Adapter = {
    find: findClient,
    upsert: readOnly,
    findByUid: readOnly,
    findByUserCode: readOnly,
    consume: readOnly,
    destroy: readOnly,
    revokeByGrantId: readOnly,
  };
  return (kind) => (kind === 'Client' ? clients : artifactAdapter(db, kind));
}
