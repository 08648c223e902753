import { createHook } from 'node:async_hooks';
import { beforeEach, describe, expect, it } from 'vitest';
import { staffVerifier } from '../../src/museum/staff/credentials.ts';
import {
  deleteStaff,
  insertStaff,
  setStaffPassword,
} from '../../src/museum/staff/staff.queries.ts';
import { hashPassword } from '../../src/platform/access/passwords.ts';
import { basic, CURATOR, MERMAIDS } from '../given.ts';
import { sharedApp, startApp } from '../harness.ts';

const t = await sharedApp();

/** Guesses count against their address: each test has one of its own. */
let address = 0;
beforeEach(() => {
  address += 1;
});
const get = (url: string, headers: object) =>
  t.inject({ url, headers: { ...headers }, remoteAddress: `192.0.2.${address}` });
const events = (headers: object) => get('/special-events', headers);
const status = async (headers: object) => (await events(headers)).statusCode;

/** Staff of the name, with a password that the test then uses. */
async function hired(name: string, password: string): Promise<void> {
  const passwordHash = await hashPassword(password);
  expect(await insertStaff(t.db, { name, passwordHash, isDemo: false })).toBe(true);
}

/** How many passwords were hashed meanwhile. */
async function hashes(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'SCRYPTREQUEST') count += 1;
    },
  }).enable();
  try {
    await work();
  } finally {
    hook.disable();
  }
  return count;
}

describe('what is for staff', () => {
  const STAFF_ONLY = [
    ['GET', '/special-events'],
    ['POST', '/special-events'],
    ['GET', `/special-events/${MERMAIDS}`],
    ['PATCH', `/special-events/${MERMAIDS}`],
    ['DELETE', `/special-events/${MERMAIDS}`],
    ['GET', '/tickets'],
  ] as const;

  it.each([
    ['nobody', async () => ({})],
    ['a wrong password', async () => basic('curator', 'Demo')],
    ['an unknown name', async () => basic('nobody', 'demo')],
    ['a name with a colon', async () => basic('curator:demo', '')],
    ['a user of the train service', async () => basic('demo@example.com', 'demo')],
    ['an OAuth client', async () => basic('quartet-demo', 'demo-secret')],
    ['an access token', () => t.as('curator')],
  ])('is not for %s', async (_who, credentials) => {
    const headers = { ...(await credentials()) };
    const answers = await Promise.all(
      STAFF_ONLY.map(([method, url]) =>
        t.inject({ method, url, headers, remoteAddress: `192.0.2.${address}` }),
      ),
    );
    for (const answer of answers) {
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Basic realm="museum", charset="UTF-8"');
      expect(answer.body).not.toContain('Mermaid');
    }
    expect((await events(CURATOR)).json()).toHaveLength(10);
  });

  it('is one to all of the staff', async () => {
    await hired('docent', 'the other entrance');
    const docent = basic('docent', 'the other entrance');
    expect((await events(docent)).body).toBe((await events(CURATOR)).body);
  });
});

it('wrong credentials are 401 also where none are needed', async () => {
  for (const url of ['/museum-hours', '/tickets/0194a1f0-7a00-7000-8000-000000000000/pkpass']) {
    expect((await get(url, basic('curator', 'wrong'))).statusCode).toBe(401);
  }
  expect((await get('/museum-hours', CURATOR)).statusCode).toBe(200);
});

it.each([
  '',
  'Basic',
  'Basic ',
  'Basic !!!!',
  `Basic ${btoa('curator')}`,
  `Basic ${btoa('curator:demo\u0000')}`,
  `Basic  ${btoa('curator:demo')}`,
  `Basic ${btoa('curator:demo')} x`,
  `Bearer ${btoa('curator:demo')}`,
  btoa('curator:demo'),
])('the header "%s" is 401, and says what to send', async (authorization) => {
  const answer = await t.inject({ url: '/museum-hours', headers: { authorization } });
  expect(answer.statusCode).toBe(401);
  expect(answer.json().detail).toContain('"Authorization: Basic <base64 of name:password>"');
  expect(answer.headers['www-authenticate']).toMatch(/^Basic realm="museum"/);
});

it('names and passwords are UTF-8; the case and composition of a name do not matter', async () => {
  await hired('zoë', 'пароль: с двоеточием 🗝');
  expect(await status(basic('Zoë', 'пароль: с двоеточием 🗝'))).toBe(200);
  expect(await status(basic('zoë'.normalize('NFD'), 'пароль: с двоеточием 🗝'))).toBe(200);
  expect(await status(basic('zoe', 'пароль: с двоеточием 🗝'))).toBe(401);
});

describe('a password', () => {
  it('is hashed once, for as many requests as there are', async () => {
    await hired('busy', 'a long sentence');
    const headers = basic('busy', 'a long sentence');
    const many = () => Promise.all(Array.from({ length: 40 }, () => status(headers)));
    expect(await hashes(async () => expect(new Set(await many())).toEqual(new Set([200])))).toBe(1);
    expect(await hashes(many)).toBe(0);
  });

  it('that is wrong costs as much as one of nobody: one hash', async () => {
    expect(await hashes(() => status(basic('curator', 'guess')))).toBe(1);
    expect(await hashes(() => status(basic('nobody at all', 'guess')))).toBe(1);
    expect(await hashes(() => status(basic('', '')))).toBe(1);
    // Refused before anything is hashed: nobody can have them.
    expect(await hashes(() => status(basic('x'.repeat(300), 'guess')))).toBe(0);
    expect(await hashes(() => status(basic('curator', 'x'.repeat(300))))).toBe(0);
  });

  it('that is changed counts at once, in other processes too', async () => {
    await hired('ada', 'the first sentence');
    const [old, fresh] = [basic('ada', 'the first sentence'), basic('ada', 'the second sentence')];
    // As another process on the same database would: what it remembers is its own.
    const elsewhere = staffVerifier(t.db, true);
    expect(await status(old)).toBe(200);
    expect(await elsewhere('ada', 'the first sentence', '::1')).toBe('ada');
    expect(await status(fresh)).toBe(401);
    expect(await setStaffPassword(t.db, 'ada', await hashPassword('the second sentence'))).toBe(
      true,
    );
    expect([await status(old), await status(fresh)]).toEqual([401, 200]);
    expect(await elsewhere('ada', 'the first sentence', '::1')).toBeUndefined();
    expect(await elsewhere('ada', 'the second sentence', '::1')).toBe('ada');
    expect(await deleteStaff(t.db, 'ada')).toBe(true);
    expect(await status(fresh)).toBe(401);
    expect(await elsewhere('ada', 'the second sentence', '::1')).toBeUndefined();
  });

  it('can be guessed at ten times in ten minutes; who knows it goes on', async () => {
    expect(await status(CURATOR)).toBe(200);
    const guesses = await Promise.all(
      Array.from({ length: 11 }, (_, guess) => events(basic('curator', `guess ${guess}`))),
    );
    const refused = guesses.filter(({ statusCode }) => statusCode !== 401);
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([429]);
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused[0]?.headers['www-authenticate']).toBeUndefined();
    expect(refused[0]?.json().type).toMatch(/too-many-requests$/);
    // The curator, who was let in before, does not have to wait, nor does another address.
    expect(await status(CURATOR)).toBe(200);
    expect(await status(basic('curator', 'guess 11'))).toBe(429);
    address += 1;
    expect(await status(basic('curator', 'guess 11'))).toBe(401);
  });
});

it('in production there is no demo staff', async () => {
  await using other = await startApp({ env: { NODE_ENV: 'production' } });
  const answer = await other.inject({ url: '/special-events', headers: CURATOR });
  expect(answer.statusCode).toBe(401);
});

it('each member of the staff has a quota, whatever the address', async () => {
  await using other = await startApp({ env: { RATE_LIMIT_MAX: '3', RATE_LIMIT_WINDOW: '600' } });
  const hours = (headers: object) =>
    other.inject({ url: '/museum-hours', headers: { ...headers } });
  for (const remaining of [2, 1, 0])
    expect((await hours(CURATOR)).headers['ratelimit']).toContain(`remaining=${remaining}`);
  expect((await hours(CURATOR)).statusCode).toBe(429);
  expect((await hours({})).statusCode).toBe(200);
});
