import {
  calculateJwkThumbprint,
  CompactEncrypt,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { createHmac, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startApp } from '../harness.ts';
import { clientToken } from './tokens.ts';

const t = await startApp();
afterAll(() => t[Symbol.asyncDispose]());

/** Counts what is fetched: nothing must be. */
let fetches = 0;
const attacker = createServer((_request, response) => {
  fetches += 1;
  response.end('{"keys":[]}');
});
let attackerUrl = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve));
  attackerUrl = `http://127.0.0.1:${(attacker.address() as { port: number }).port}/jwks`;
});
afterAll(() => attacker.close());

const row = await t.db
  .selectFrom('oauth.signing_keys')
  .select(['kid', 'public_jwk', 'private_jwk'])
  .executeTakeFirstOrThrow();
const ours = await importJWK(row.private_jwk, 'ES256');
const theirs = await generateKeyPair('ES256', { extractable: true });
const theirJwk: JWK = await exportJWK(theirs.publicKey);

const now = () => Math.floor(Date.now() / 1000);
const claims = (): JWTPayload => ({
  iss: t.config.PUBLIC_URL,
  aud: t.config.PUBLIC_URL,
  sub: 'somebody',
  client_id: 'quartet-demo',
  scope: 'read',
  iat: now(),
  exp: now() + 600,
});
const header = { alg: 'ES256', typ: 'at+jwt', kid: row.kid };

const encode = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Signs anything with our key, also what the library would not. */
function signed(head: object, body: object | string, key: JWK = row.private_jwk): string {
  const input = `${encode(head)}.${encode(body)}`;
  const signature = sign('sha256', Buffer.from(input), {
    key: key as never,
    format: 'jwk',
    dsaEncoding: 'ieee-p1363',
  });
  return `${input}.${signature.toString('base64url')}`;
}
const withHeader = (changes: object) => signed({ ...header, ...changes }, claims());
const withClaims = (changes: object) => signed(header, { ...claims(), ...changes });
const without = (name: string) => {
  const { [name]: _, ...rest } = claims();
  return signed(header, rest);
};

const call = (token: string) =>
  t.app.inject({ url: '/bookings', headers: { authorization: `Bearer ${token}` } });

async function expectRefused(token: string): Promise<void> {
  const answer = await call(token);
  expect(answer.statusCode).toBe(401);
  expect(answer.headers['www-authenticate']).toMatch(
    /^Bearer realm="[^"]*", resource_metadata="[^"]*", error="invalid_token", error_description="[ !#-[\]-~]+"$/,
  );
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
}

test('a token of ours is taken, signed by the library or by this test', async () => {
  expect((await call(await clientToken(t.app))).statusCode).toBe(200);
  const token = await new SignJWT(claims()).setProtectedHeader(header).sign(ours);
  expect((await call(token)).statusCode).toBe(200);
  expect(
    (await call(withClaims({ aud: ['https://x.example', t.config.PUBLIC_URL] }))).statusCode,
  ).toBe(200);
});

const publicPem = JSON.stringify(row.public_jwk);
const hmac = (alg: string) => {
  const input = `${encode({ ...header, alg })}.${encode(claims())}`;
  return `${input}.${createHmac('sha256', publicPem).update(input).digest('base64url')}`;
};
const [validHead, validBody, validSignature] = withClaims({}).split('.') as [
  string,
  string,
  string,
];
const theirPrivate = await exportJWK(theirs.privateKey);

describe('the header', () => {
  test.each([
    ...['none', 'None', 'NONE', 'nOnE'].map((alg) => [
      `alg ${alg}`,
      `${encode({ ...header, alg })}.${encode(claims())}.`,
    ]),
    ['alg none with our signature', withHeader({ alg: 'none' })],
    ['HS256 with the public key', hmac('HS256')],
    ['alg RS256', withHeader({ alg: 'RS256' })],
    ['alg ES384', withHeader({ alg: 'ES384' })],
    ['alg missing', withHeader({ alg: undefined })],
    ['alg a list', withHeader({ alg: ['ES256'] })],
    ['typ JWT', withHeader({ typ: 'JWT' })],
    ['typ in capitals', withHeader({ typ: 'AT+JWT' })],
    ['typ with application/', withHeader({ typ: 'application/at+jwt' })],
    ['typ missing', withHeader({ typ: undefined })],
    ['typ of an ID token, logout token', withHeader({ typ: 'logout+jwt' })],
    ['kid missing', withHeader({ kid: undefined })],
    ['kid unknown', withHeader({ kid: 'x' })],
    ['kid a path', withHeader({ kid: '../../../../dev/null' })],
    ['kid SQL', withHeader({ kid: "' or 1=1 --" })],
    ['kid with NUL', withHeader({ kid: 'a\0b' })],
    ['kid an object', withHeader({ kid: { kid: row.kid } })],
    ['kid of a prototype', withHeader({ kid: '__proto__' })],
    ['crit', withHeader({ crit: ['exp'] })],
    ['crit empty', withHeader({ crit: [] })],
    ['b64 false', withHeader({ b64: false })],
    ['b64 false, critical', withHeader({ b64: false, crit: ['b64'] })],
    ['zip', withHeader({ zip: 'DEF' })],
  ] as [string, string][])('%s', (_name, token) => expectRefused(token));
});

describe('keys that a token brings along', () => {
  test('attacker key under our kid', () => expectRefused(signed(header, claims(), theirPrivate)));
  test('embedded jwk', () =>
    expectRefused(signed({ ...header, jwk: theirJwk }, claims(), theirPrivate)));
  test('embedded jwk under its own kid', async () => {
    const kid = await calculateJwkThumbprint(theirJwk);
    await expectRefused(
      signed({ ...header, kid, jwk: { ...theirJwk, kid } }, claims(), theirPrivate),
    );
  });
  test('our own key, embedded', () => expectRefused(withHeader({ jwk: row.public_jwk })));
  test.each(['jku', 'x5u'])('%s: nothing is fetched', async (member) => {
    await expectRefused(signed({ ...header, [member]: attackerUrl }, claims(), theirPrivate));
    await expectRefused(withHeader({ [member]: attackerUrl }));
    expect(fetches).toBe(0);
  });
  test('x5c', () => expectRefused(signed({ ...header, x5c: ['MIIB'] }, claims(), theirPrivate)));
});

describe('the claims', () => {
  const past = now() - 1;
  test.each([
    ...['iss', 'aud', 'exp', 'iat', 'sub', 'client_id'].map((name) => [
      `${name} missing`,
      without(name),
    ]),
    ['iss another', withClaims({ iss: 'https://evil.example' })],
    ['iss with a slash', withClaims({ iss: `${t.config.PUBLIC_URL}/` })],
    ['iss a list', withClaims({ iss: [t.config.PUBLIC_URL] })],
    ['aud another', withClaims({ aud: 'https://x.example' })],
    ['aud empty', withClaims({ aud: [] })],
    ['aud an object', withClaims({ aud: { 0: t.config.PUBLIC_URL } })],
    ['exp past', withClaims({ exp: past })],
    ['exp now', withClaims({ exp: now() })],
    ['exp text', withClaims({ exp: String(now() + 600) })],
    ['exp null', withClaims({ exp: null })],
    ['exp infinite', signed(header, JSON.stringify(claims()).replace(/"exp":\d+/, '"exp":1e999'))],
    ['nbf future', withClaims({ nbf: now() + 600 })],
    ['nbf text', withClaims({ nbf: String(past) })],
    ['nbf null', withClaims({ nbf: null })],
    ['iat text', withClaims({ iat: String(past) })],
    ['iat null', withClaims({ iat: null })],
    ['iat future', withClaims({ iat: now() + 600 })],
    ['sub a number', withClaims({ sub: 1 })],
    ['sub empty', withClaims({ sub: '' })],
    ['client_id a list', withClaims({ client_id: ['quartet-demo'] })],
    ['scope a list', withClaims({ scope: ['read'] })],
    ['cnf', withClaims({ cnf: { jkt: 'x' } })],
    ['cnf null', withClaims({ cnf: null })],
    ['a list', signed(header, [claims()])],
    ['text', signed(header, '"text"')],
    ['null', signed(header, 'null')],
    ['not JSON', signed(header, '{')],
    [
      'not UTF-8',
      `${validHead}.${Buffer.from([0xff, 0xfe]).toString('base64url')}.${validSignature}`,
    ],
  ] as [string, string][])('%s', (_name, token) => expectRefused(token));
});

describe('the form', () => {
  test.each([
    ['signature stripped', `${validHead}.${validBody}.`],
    ['no third part', `${validHead}.${validBody}`],
    ['four parts', `${validHead}.${validBody}.${validSignature}.${validSignature}`],
    ['signature of zeros', `${validHead}.${validBody}.${Buffer.alloc(64).toString('base64url')}`],
    [
      'signature in DER',
      `${validHead}.${validBody}.${sign('sha256', Buffer.from(`${validHead}.${validBody}`), { key: row.private_jwk as never, format: 'jwk' }).toString('base64url')}`,
    ],
    [
      'body changed',
      `${validHead}.${encode({ ...claims(), scope: 'read write' })}.${validSignature}`,
    ],
    ['padding', `${validHead}.${validBody}.${validSignature}==`],
    ['a word', 'token'],
    ['dots', '..'],
    ['1 MB', `${validHead}.${'A'.repeat(9000)}.${validSignature}`],
  ])('%s', (_name, token) => expectRefused(token));

  test('JWE', async () => {
    const encrypted = await new CompactEncrypt(Buffer.from(withClaims({})))
      .setProtectedHeader({
        alg: 'ECDH-ES',
        enc: 'A256GCM',
        typ: 'at+jwt',
        kid: row.kid,
        cty: 'at+jwt',
      })
      .encrypt(await importJWK({ ...row.public_jwk, use: 'enc', alg: 'ECDH-ES' }, 'ECDH-ES'));
    await expectRefused(encrypted);
  });

  test('a megabyte does not reach a parser', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    expect(() => t.quartet.oauth.verify('A'.repeat(1_000_000))).toThrow(/8 KiB/);
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });
});

describe('what is remembered', () => {
  test('a token that was found valid is answered at once, until it ends', async () => {
    const token = withClaims({ exp: now() + 2 });
    expect(t.quartet.oauth.verify(token)).toBeInstanceOf(Promise);
    await t.quartet.oauth.verify(token);
    expect(t.quartet.oauth.verify(token)).toMatchObject({ subject: 'somebody' });
    await new Promise((resolve) => setTimeout(resolve, 2100));
    await expect(async () => t.quartet.oauth.verify(token)).rejects.toThrow(/expired/);
  });

  test('a failure is not', async () => {
    const token = withClaims({ aud: 'x' });
    await expect(async () => t.quartet.oauth.verify(token)).rejects.toThrow();
    const again = t.quartet.oauth.verify(token);
    expect(again).toBeInstanceOf(Promise);
    await expect(again).rejects.toThrow();
  });
});

test('a key that appears is found at once; unknown ones do not each ask the database', async () => {
  const pair = await generateKeyPair('ES256', { extractable: true });
  const publicJwk = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const privateJwk = await exportJWK(pair.privateKey);
  const token = signed({ ...header, kid }, claims(), privateJwk);
  await expectRefused(token);
  await t.db
    .insertInto('oauth.signing_keys')
    .values({
      kid,
      public_jwk: JSON.stringify(publicJwk) as never,
      private_jwk: JSON.stringify(privateJwk) as never,
    })
    .execute();
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect((await call(token)).statusCode).toBe(200);
});
