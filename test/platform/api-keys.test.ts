import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  apiKeyVerifier,
  createApiKey,
  seedDemoApiKey,
} from '../../src/platform/access/api-keys.ts';
import { createDatabase, startApp } from '../harness.ts';
import { quartet } from '../processes.ts';

test('a key opens its own service, and only its hash is stored', async () => {
  await using t = await startApp();
  const { id, key } = await createApiKey(t.db, 'petstore', 'Ada');
  expect(await apiKeyVerifier(t.db, 'petstore', true)(key)).toEqual({ id, name: 'Ada' });
  for (const [service, wrong] of [
    ['learning', key],
    ['petstore', `${key}x`],
    ['petstore', key.slice(0, -1)],
    ['petstore', ''],
  ] as const)
    expect(await apiKeyVerifier(t.db, service, true)(wrong)).toBeUndefined();
  const { rows } = await sql<{ row: string }>`
    select k::text as row from platform.api_keys k where id = ${id}`.execute(t.db);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.row).not.toContain(key);
});

test('demonstration keys are no keys where they are not wanted', async () => {
  await using t = await startApp();
  await seedDemoApiKey(t.db, 'learning', 'a-published-key');
  await seedDemoApiKey(t.db, 'learning', 'a-published-key');
  expect(await apiKeyVerifier(t.db, 'learning', true)('a-published-key')).toBeDefined();
  expect(await apiKeyVerifier(t.db, 'learning', false)('a-published-key')).toBeUndefined();
});

test('keys are added, listed and revoked from the command line', async () => {
  await using database = await createDatabase();
  const run = (...args: string[]) => quartet(database.env, ['keys', ...args]);
  const added = await run('add', 'learning', 'Course 1');
  const [, id = '', key = ''] = /^id: (\S+)\nkey: (learning_\S{43})\n/.exec(added.stdout) ?? [];
  expect(added).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(key) });
  const listed = await run('list');
  expect(listed.stdout).toMatch(new RegExp(`^${id}  learning  \\S+Z  Course 1$`, 'm'));
  expect(listed.stdout).not.toContain(key);
  expect(await run('revoke', id)).toMatchObject({
    exitCode: 0,
    stdout: `Revoked the key ${id}.\n`,
  });
  expect((await run('list')).stdout).toMatch(/Course 1 {2}revoked \S+Z$/m);
  expect(await run('revoke', id)).toMatchObject({
    exitCode: 1,
    stderr: `There is no API key ${id} that is still good.\n`,
  });
});
