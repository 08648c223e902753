import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeProtectedHeader } from 'jose';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { MAX_AGE_MS } from '../../src/oauth/keys/key-set.ts';
import { REMEMBER_MS } from '../../src/oauth/verifier.ts';
import { rotateSigningKeys } from '../../src/oauth/keys/signing-keys.ts';
import { ENGINE, startApp } from '../harness.ts';
import { freePort } from '../processes.ts';
import { TEST_ENV } from '../template.ts';
import { clientToken, DEMO } from './tokens.ts';

const t = await startApp();
afterAll(() => t[Symbol.asyncDispose]());

const kidOf = (token: string) => decodeProtectedHeader(token).kid;
const published = async (url: string) =>
  ((await (await fetch(`${url}/oauth/jwks`)).json()) as { keys: { kid: string }[] }).keys.map(
    ({ kid }) => kid,
  );

async function startInstance(env: Record<string, string>) {
  const port = String(await freePort());
  const file = fileURLToPath(new URL('./instance.ts', import.meta.url));
  const child = fork(file, { env: { ...process.env, ...TEST_ENV, ...env, PORT: port } });
  await once(child, 'message');
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function newToken(url: string): Promise<string> {
  const answer = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: DEMO },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'read' }),
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { access_token: string }).access_token;
}
const call = async (url: string, token: string): Promise<number> =>
  (await fetch(`${url}/whoami`, { headers: { authorization: `Bearer ${token}` } })).status;

test.runIf(ENGINE === 'postgresql')(
  'two processes follow a rotation without a failed request, and stop a revoked key',
  async () => {
    // One issuer, two instances behind it.
    const env = { ...t.databaseEnv, PUBLIC_URL: 'http://127.0.0.1:3000' };
    await using one = await startInstance(env);
    await using two = await startInstance(env);
    const first = await newToken(one.url);
    const oldKid = kidOf(first);

    let running = true;
    const statuses = new Map<number, number>();
    const signers = new Set<string | undefined>();
    const traffic = [
      [one, two],
      [two, one],
    ].map(async ([issuer, service]) => {
      while (running) {
        const token = await newToken(issuer?.url ?? '');
        signers.add(kidOf(token));
        const status = await call(service?.url ?? '', token);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });

    const kid = await rotateSigningKeys(t.db, {
      revoke: false,
      overlap: { publish: 1, verify: 2 },
    });
    await sleep(500);
    for (const { url } of [one, two]) expect(await published(url)).toEqual([oldKid, kid]);
    expect(kidOf(await newToken(one.url))).toBe(oldKid);
    await sleep(1000);
    for (const { url } of [one, two]) {
      expect(kidOf(await newToken(url))).toBe(kid);
      expect(await call(url, first)).toBe(200);
    }
    await sleep(2000);
    running = false;
    await Promise.all(traffic);
    expect([...statuses.keys()]).toEqual([200]);
    expect(statuses.get(200)).toBeGreaterThan(50);
    expect(signers).toEqual(new Set([oldKid, kid]));
    for (const { url } of [one, two]) {
      expect(await published(url)).toEqual([kid]);
      expect(await call(url, first)).toBe(401);
    }

    const stolen = await newToken(one.url);
    for (const { url } of [one, two]) expect(await call(url, stolen)).toBe(200);
    const next = await rotateSigningKeys(t.db, { revoke: true });
    await sleep(700);
    for (const { url } of [one, two]) {
      expect(await call(url, stolen)).toBe(401);
      expect(await call(url, await newToken(url))).toBe(200);
      expect(await published(url)).toEqual([next]);
    }
  },
);

test('a process signs with the next key once it is told to look', async () => {
  await t.quartet.oauth.followKeys();
  const before = await clientToken(t.app);
  const kid = await rotateSigningKeys(t.db, { revoke: false, overlap: { publish: 0, verify: 60 } });
  expect(kidOf(await clientToken(t.app))).toBe(kidOf(before));
  await t.quartet.oauth.followKeys();
  const after = await clientToken(t.app);
  expect(kidOf(after)).toBe(kid);
  for (const token of [before, after]) {
    const authorization = `Bearer ${token}`;
    const answer = await t.app.inject({ url: '/bookings', headers: { authorization } });
    expect(answer.statusCode).toBe(200);
  }
});

test('the usual times keep the promises', async () => {
  // A revoked key stops within a minute.
  expect(MAX_AGE_MS + REMEMBER_MS).toBeLessThanOrEqual(60_000);
  const kid = await rotateSigningKeys(t.db, { revoke: false });
  const { rows: keys } = await sql<{ kid: string; signs_in: number; ends_in: number | null }>`
    select kid, extract(epoch from signs_from - now())::float8 as signs_in,
           extract(epoch from verifies_until - now())::float8 as ends_in
    from oauth.signing_keys`.execute(t.db);
  const next = keys.find((key) => key.kid === kid);
  // A key set is kept a minute by others, 30 s by us; an instance looks every 15 s.
  expect(next?.signs_in).toBeGreaterThan(90);
  // A token of ten minutes, signed by an instance that looked just before.
  for (const old of keys.filter((key) => key.kid !== kid && (key.ends_in ?? 0) > 60))
    expect(old.ends_in).toBeGreaterThan(120 + 15 + 600 + 30);
});
