import { describe, expect, test } from 'vitest';
import { accountFaults } from '../../src/oauth/accounts.ts';
import { hashPassword, verifyPassword } from '../../src/platform/access/passwords.ts';
import { createThrottle } from '../../src/platform/access/throttle.ts';

describe('passwords', () => {
  test('are salted, and verified whatever composes their letters', async () => {
    const [one, other] = await Promise.all([hashPassword('pässword'), hashPassword('pässword')]);
    expect(one).not.toBe(other);
    expect(one).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(await verifyPassword('pässword'.normalize('NFD'), one)).toBe(true);
    expect(await verifyPassword('passwords', one)).toBe(false);
    expect(await verifyPassword('', undefined)).toBe(false);
  });

  test('of a lower cost are still verified', async () => {
    // RFC 7914, section 12: N = 1024, r = 8, p = 16; the first 32 bytes.
    const key = Buffer.from(
      'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162',
      'hex',
    );
    const salt = Buffer.from('NaCl').toString('base64url');
    const hash = `scrypt$10$8$16$${salt}$${key.toString('base64url')}`;
    expect(await verifyPassword('password', hash)).toBe(true);
    expect(await verifyPassword('Password', hash)).toBe(false);
  });
});

test.each([
  ['name@example.com', 'a long sentence', []],
  ['name', 'a long sentence', ['email']],
  ['na me@example.com', 'a long sentence', ['email']],
  [`${'a'.repeat(250)}@example.com`, 'a long sentence', ['email']],
  ['name@example.com', 'short', ['password']],
  ['name@example.com', 'x'.repeat(255), ['password']],
  ['name@example.com', 'aaaaaaaaaaaa', ['password']],
  ['name@example.com', 'name@example.com', ['password']],
  ['', '', ['email', 'password']],
])('an account %s, %s has faults in %j', (email, password, names) => {
  expect(Object.keys(accountFaults(email, password))).toEqual(names);
});

test('a throttle takes from every quota or from none, and starts anew', async () => {
  const throttle = createThrottle(0.2);
  expect(throttle.take([['a', 2]])).toBe(0);
  expect(
    throttle.take([
      ['a', 2],
      ['b', 1],
    ]),
  ).toBe(0);
  expect(
    throttle.take([
      ['a', 2],
      ['c', 1],
    ]),
  ).toBe(1);
  expect(throttle.take([['c', 1]])).toBe(0);
  throttle.giveBack([['a', 2]]);
  expect(throttle.take([['a', 2]])).toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 220));
  expect(throttle.take([['b', 1]])).toBe(0);
});
