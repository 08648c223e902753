import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { RegistrationError, registerClient } from '../../src/oauth/registration.ts';
import { createDatabase, ENGINE, sharedApp } from '../harness.ts';
import { quartet, startServer } from '../processes.ts';

const t = await sharedApp();

test('accounts and clients are added, shown once, and work in production', async () => {
  await using database = await createDatabase();
  const env = database.env;
  const user = ['users', 'add', 'ada@example.com'];
  expect(await quartet(env, user, 'a long sentence\n')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^Created the account ada@example\.com \([\da-f-]{36}\)\.\n$/),
  });
  expect(await quartet(env, user, 'a long sentence\n')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'There is an account ada@example.com already.\n',
  });

  const client = ['clients', 'add', 'Nightly report', '--scope', 'read bookings:all'];
  const added = await quartet(env, client);
  expect(added.exitCode).toBe(0);
  const [, id = '', secret = ''] =
    /client_id: (\S+)\nclient_secret: (\S+)/.exec(added.stdout) ?? [];
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  {
    await using server = await startServer({ ...env, NODE_ENV: 'production' } as Record<
      string,
      string
    >);
    const answer = await fetch(`${server.url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'bookings:all' }),
    });
    const { access_token } = (await answer.json()) as { access_token: string };
    expect(decodeJwt(access_token)).toMatchObject({ sub: id, scope: 'bookings:all' });

    const meanwhile = await quartet(env, ['keys', 'rotate']);
    if (ENGINE === 'postgresql') expect(meanwhile.exitCode).toBe(0);
    else {
      expect(meanwhile.exitCode).toBe(1);
      expect(meanwhile.stderr).toMatch(/^Another process is using .*\nThe embedded database/);
    }
  }
});

test.each([
  [{ scopes: ['admin'] }, '--scope takes some of'],
  [{ scopes: [] }, '--scope takes some of'],
  [{ isPublic: true }, 'needs a --redirect-uri'],
  [{ isPublic: true, redirectUris: ['/cb'], scopes: ['bookings:all'] }, 'cannot have bookings:all'],
  [{ redirectUris: ['http://x.example/cb'] }, 'must be https'],
  [{ redirectUris: ['javascript:alert(1)'] }, 'must be https'],
  [{ redirectUris: ['//x.example/cb'] }, 'is no redirect URI'],
  [{ redirectUris: ['https://x.example/#a'] }, 'is no redirect URI'],
  [{ redirectUris: ['https://*.x.example/'] }, 'is no redirect URI'],
  [{ redirectUris: ['https://ours@x.example/'] }, 'is no redirect URI'],
  [{ id: '0b1c2d3e-0000-4000-8000-000000000000' }, 'not a UUID'],
  [{ id: 'quartet-login' }, 'already'],
  [{ isFirstParty: true, redirectUris: ['http://localhost/cb'] }, 'must be asked'],
])('the registration %j is refused', async (changes, message) => {
  const registration = {
    name: 'X',
    redirectUris: [],
    scopes: ['read'],
    isPublic: false,
    isFirstParty: false,
    ...changes,
  };
  const refused = registerClient(t.db, registration);
  await expect(refused).rejects.toThrow(RegistrationError);
  await expect(refused).rejects.toThrow(message);
});

// What does not reach a database is tried once.
describe.runIf(ENGINE === 'embedded')('without a database', () => {
  test.each([
    [['clients', 'add', 'X', '--nonsense'], 'nonsense'],
    [['keys', 'turn'], 'There is no command "keys turn"'],
  ])('%j exits with 2', async (args, message) => {
    const result = await quartet({}, args);
    expect(result).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });

  test('help says what there is', async () => {
    const { exitCode, stdout } = await quartet({}, ['keys', '--help']);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('keys rotate [--revoke]')]);
  });

  test('one that is away is one sentence', async () => {
    const env = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    const result = await quartet(env, ['keys', 'rotate']);
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toMatch(/^DATABASE_URL leads to no database .*\n$/);
  });
});
