import { createHash } from 'node:crypto';
import { type AdapterPayload, errors } from 'oidc-provider';
import { afterAll, expect, test } from 'vitest';
import { createAdapter } from '../../src/oauth/adapter.ts';
import { loadSigningKeys } from '../../src/oauth/keys/signing-keys.ts';
import { startApp } from '../harness.ts';

const t = await startApp();
afterAll(() => t[Symbol.asyncDispose]());

const adapter = createAdapter(t.db, async () => undefined);
const stored = (id: string) =>
  t.db
    .selectFrom('oauth.artifacts')
    .select(['payload', 'kind'])
    .where('id_hash', '=', createHash('sha256').update(id).digest())
    .executeTakeFirst();

test.each(['RefreshToken', 'AuthorizationCode'])(
  'of 8 redemptions of one %s at once, one succeeds, and the replay ends the grant',
  async (kind) => {
    for (let round = 0; round < 10; round += 1) {
      const grantId = `grant-${kind}-${round}`;
      const id = `token-${kind}-${round}`;
      const other = `other-${kind}-${round}`;
      await adapter('Grant').upsert(grantId, { jti: grantId, accountId: 'a' }, 60);
      await adapter(kind).upsert(id, { jti: id, grantId }, 60);
      await adapter('RefreshToken').upsert(other, { jti: other, grantId }, 60);
      const results = await Promise.allSettled(
        Array.from({ length: 8 }, () => adapter(kind).consume(id)),
      );
      const failures = results.filter((result) => result.status === 'rejected');
      expect(failures).toHaveLength(7);
      for (const { reason } of failures) expect(reason).toBeInstanceOf(errors.InvalidGrant);
      for (const [model, name] of [
        ['Grant', grantId],
        [kind, id],
        ['RefreshToken', other],
      ] as const)
        expect(await adapter(model).find(name)).toBeUndefined();
    }
  },
);

test('a consumed token is found, and says so', async () => {
  await adapter('RefreshToken').upsert('used', { jti: 'used', grantId: 'g' }, 60);
  await adapter('RefreshToken').consume('used');
  expect(await adapter('RefreshToken').find('used')).toEqual({
    jti: 'used',
    grantId: 'g',
    consumed: expect.any(Number),
  });
});

test('the database holds no identifier that opens anything', async () => {
  const uid = 'interaction-secret';
  const payload: AdapterPayload = {
    jti: uid,
    returnTo: `http://127.0.0.1:3000/oauth/authorize/${uid}`,
    session: { accountId: 'a', uid: 'session-uid', cookie: 'session-cookie' },
    params: { state: 's' },
  };
  await adapter('Interaction').upsert(uid, payload, 60);
  const row = JSON.stringify(await stored(uid));
  expect(row).not.toContain(uid);
  expect(row).not.toContain('session-cookie');
  expect(await adapter('Interaction').find(uid)).toEqual({
    ...payload,
    session: { accountId: 'a', uid: 'session-uid' },
  });

  await adapter('Session').upsert('cookie', { jti: 'cookie', uid: 'the-uid' }, 60);
  expect(JSON.stringify(await stored('cookie'))).not.toContain('cookie');
  expect(await adapter('Session').findByUid('the-uid')).toEqual({ uid: 'the-uid' });
  expect(await adapter('Session').find('cookie')).toEqual({ jti: 'cookie', uid: 'the-uid' });
});

test('what has expired is not found, not consumed, and deleted', async () => {
  const codes = adapter('AuthorizationCode');
  await codes.upsert('old', { jti: 'old', uid: 'old-uid', userCode: 'old-code' }, -1);
  expect(await codes.find('old')).toBeUndefined();
  expect(await codes.findByUid('old-uid')).toBeUndefined();
  expect(await codes.findByUserCode('old-code')).toBeUndefined();
  await expect(codes.consume('old')).rejects.toThrow(errors.InvalidGrant);
  await codes.upsert('new', { jti: 'new', userCode: 'new-code' }, 60);
  await codes.upsert('older', { jti: 'older' }, -1);
  await t.quartet.oauth.housekeeping();
  expect(await stored('older')).toBeUndefined();
  expect(await codes.findByUserCode('new-code')).toEqual({ userCode: 'new-code' });
});

test('one kind does not answer for another', async () => {
  await adapter('RefreshToken').upsert('mine', { jti: 'mine' }, 60);
  expect(await adapter('AuthorizationCode').find('mine')).toBeUndefined();
  await adapter('AuthorizationCode').destroy('mine');
  expect(await adapter('RefreshToken').find('mine')).toBeDefined();
  await adapter('RefreshToken').destroy('mine');
  expect(await adapter('RefreshToken').find('mine')).toBeUndefined();
});

test('processes that start together share one key', async () => {
  await t.db.deleteFrom('oauth.signing_keys').execute();
  const loaded = await Promise.all(Array.from({ length: 8 }, () => loadSigningKeys(t.db)));
  expect(new Set(loaded.map((keys) => JSON.stringify(keys))).size).toBe(1);
  expect(loaded[0]).toHaveLength(1);
});
