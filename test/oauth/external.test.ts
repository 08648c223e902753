import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import { openExternalKeySet } from '../../src/oauth/external/keys.ts';
import { openOauth } from '../../src/oauth/index.ts';
import { toProblem } from '../../src/platform/http/errors.ts';
import { createLog } from '../../src/platform/operations/log.ts';
import { startApp, type TestApp } from '../harness.ts';
import { startPublicApp } from './browser.ts';
import { clientToken } from './tokens.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A provider like common ones: RS256, `typ` JWT, an issuer with a path, `azp` and a list of scopes. */
async function startProvider() {
  const pair = await generateKeyPair('RS256', { extractable: true });
  let keys: JWK[] = [{ ...(await exportJWK(pair.publicKey)), kid: 'rsa', use: 'sig' }];
  let override: Handler | undefined;
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (override) return override(request, response);
    const metadata = { issuer, jwks_uri: `${issuer}/keys` };
    const body = request.url?.endsWith('/keys') ? { keys } : metadata;
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `${origin}/tenant`;
  const claims = (): JWTPayload => {
    const now = Math.floor(Date.now() / 1000);
    return {
      iss: issuer,
      aud: 'api://quartet',
      sub: 'user-1',
      azp: 'app',
      scp: ['read'],
      iat: now,
      exp: now + 300,
    };
  };
  return {
    issuer,
    requests,
    setKeys: (next: JWK[]) => void (keys = next),
    answer: (handler: Handler | undefined) => void (override = handler),
    sign: (
      changes: JWTPayload = {},
      header: object = {},
      key: Parameters<SignJWT['sign']>[0] = pair.privateKey,
    ) =>
      new SignJWT({ ...claims(), ...changes })
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: 'rsa', ...header })
        .sign(key),
    env: {
      OAUTH_ISSUER: issuer,
      OAUTH_AUDIENCE: 'api://quartet',
      OAUTH_ALGORITHMS: 'RS256',
      OAUTH_TYP: 'JWT',
      OAUTH_SCOPE_CLAIM: 'scp',
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const call = (t: TestApp, token: string) =>
  t.inject({ url: '/bookings', headers: { authorization: `Bearer ${token}` } });
const status = async (t: TestApp, token: string) => (await call(t, token)).statusCode;

const provider = await startProvider();
const t = await startApp({ env: provider.env });
afterAll(async () => {
  await t[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

describe('an issuer that signs RS256 with typ JWT', () => {
  test('its tokens are taken, with the scopes and client where it has them', async () => {
    expect(await status(t, await provider.sign())).toBe(200);
    expect(await status(t, await provider.sign({ scp: 'read write' }))).toBe(200);
    const lacking = await call(t, await provider.sign({ scp: ['write'] }));
    expect(lacking.statusCode).toBe(403);
    expect(lacking.headers['www-authenticate']).toContain('error="insufficient_scope"');
    expect(provider.requests.filter((url) => url.endsWith('/keys'))).toHaveLength(1);
  });

  test.each([
    ['of another issuer', { iss: 'https://evil.example' }, {}],
    ['of the same host, another tenant', { iss: provider.issuer.replace('tenant', 'other') }, {}],
    ['for another audience', { aud: 'api://other' }, {}],
    ['that has expired', { exp: Math.floor(Date.now() / 1000) - 1 }, {}],
    ['without a client', { azp: undefined }, {}],
    ['with scopes that are no text', { scp: [1] }, {}],
    ['of another type', {}, { typ: 'at+jwt' }],
    ['of an unknown key', {}, { kid: 'x' }],
    ['with keys of its own', {}, { jku: `${provider.issuer}/keys` }],
  ] as [string, JWTPayload, object][])('a token %s is refused', async (_name, changes, header) => {
    expect(await status(t, await provider.sign(changes, header))).toBe(401);
  });

  test('a key of another type or algorithm under its kid is refused', async () => {
    const other = await generateKeyPair('ES256');
    expect(await status(t, await provider.sign({}, { alg: 'ES256' }, other.privateKey))).toBe(401);
    const hmac = new TextEncoder().encode('x'.repeat(32));
    expect(await status(t, await provider.sign({}, { alg: 'HS256' }, hmac))).toBe(401);
  });

  test('nothing of our own server is left, and metadata and pages say where tokens come from', async () => {
    for (const url of [
      '/oauth/token',
      '/oauth/authorize',
      '/oauth/jwks',
      '/.well-known/openid-configuration',
    ])
      expect((await t.inject({ url })).statusCode).toBe(404);
    const metadata = await t.inject({ url: '/.well-known/oauth-protected-resource' });
    expect(metadata.json().authorization_servers).toEqual([provider.issuer]);
    expect((await t.inject({ url: '/login' })).body).toContain(provider.issuer);
    const own = await t.as('somebody', 'read');
    expect((await t.inject({ url: '/bookings', headers: own })).statusCode).toBe(401);
  });
});

describe('a second Quartet as the issuer', () => {
  test('its tokens are taken here, and ours are not taken there', async () => {
    await using first = await startPublicApp();
    const env = { OAUTH_ISSUER: first.url, OAUTH_AUDIENCE: first.url };
    await using second = await startApp({ env });
    expect(await status(second, await clientToken(first.app))).toBe(200);
    const challenge = await second.inject({ url: '/bookings' });
    expect(challenge.headers['www-authenticate']).not.toContain('error=');
  });
});

const log = createLog('silent');
const failure = async (keys: ReturnType<typeof openExternalKeySet>, kid = 'rsa') => {
  const error = await keys.find(kid, 'RS256').catch((caught: unknown) => caught);
  return error instanceof Error ? toProblem(error) : undefined;
};

describe('keys that cannot be had', () => {
  test('the start does not wait for them; calls are 503 with Retry-After until they come', async () => {
    await using late = await startProvider();
    late.answer((_request, response) => void response.writeHead(500).end());
    const options = { rateLimit: () => {}, log, db: t.db, times: { external: { pauseMs: 50 } } };
    const config = { ...t.config, ...late.env };
    const { verify } = await openOauth({ ...options, config });
    const token = await late.sign();
    const problem = toProblem(
      await Promise.resolve(verify(token)).catch((error: unknown) => error),
    );
    expect(problem).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    late.answer(undefined);
    await sleep(60);
    expect(await verify(token)).toMatchObject({ subject: 'user-1', clientId: 'app' });
  });

  const hang: Handler = () => {};
  const endless: Handler = (_request, response) => {
    const chunk = 'x'.repeat(65_536);
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  };
  const json =
    (body: object): Handler =>
    (_request, response) =>
      void response.end(JSON.stringify(body));
  test.each([
    ['that never answers', hang],
    ['that never ends', endless],
    [
      'that redirects',
      (_request: IncomingMessage, response: ServerResponse) =>
        void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    ],
    [
      'that speaks for another issuer',
      json({ issuer: 'https://evil.example', jwks_uri: 'https://evil.example/keys' }),
    ],
    ['with keys under file:', json({ issuer: provider.issuer, jwks_uri: 'file:///etc/passwd' })],
    ['without keys', json({ issuer: provider.issuer })],
    ['that answers a list', json([])],
    ['that answers no JSON', ((_request, response) => void response.end('<html>')) as Handler],
  ] as [string, Handler][])('a provider %s: 503 within its deadline', async (_name, handler) => {
    await using broken = await startProvider();
    broken.answer(handler);
    const problem = await failure(openExternalKeySet(broken.issuer, log, { deadlineMs: 300 }));
    expect(problem?.status).toBe(503);
  });

  test('those from before are good for a while, and then no more', async () => {
    await using flaky = await startProvider();
    const keys = openExternalKeySet(flaky.issuer, log, { freshMs: 20, usableMs: 300, pauseMs: 10 });
    expect(await keys.find('rsa', 'RS256')).toBeDefined();
    flaky.answer((_request, response) => void response.writeHead(500).end());
    await sleep(50);
    expect(await keys.find('rsa', 'RS256')).toBeDefined();
    await sleep(300);
    expect((await failure(keys))?.status).toBe(503);
  });

  test('new keys are found, revoked ones lost, and unknown ones do not each ask the provider', async () => {
    await using rotating = await startProvider();
    const keys = openExternalKeySet(rotating.issuer, log, { freshMs: 100, pauseMs: 50 });
    await keys.find('rsa', 'RS256');
    const pair = await generateKeyPair('RS256', { extractable: true });
    rotating.setKeys([
      { ...(await exportJWK(pair.publicKey)), kid: 'next', alg: 'RS256' },
      { ...(await exportJWK(pair.privateKey)), kid: 'leaked' },
      { kty: 'oct', k: 'c2VjcmV0', kid: 'secret' },
      { ...(await exportJWK(pair.publicKey)), kid: 'encryption', use: 'enc' },
    ]);
    await sleep(60);
    expect(await keys.find('next', 'RS256')).toBeDefined();
    expect(await keys.find('next', 'PS256')).toBeUndefined();
    for (const kid of ['rsa', 'leaked', 'secret', 'encryption'])
      expect(await keys.find(kid, 'RS256')).toBeUndefined();
    const asked = rotating.requests.length;
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => keys.find(`unknown-${index}`, 'RS256')),
    );
    expect(rotating.requests.length - asked).toBeLessThanOrEqual(2);
  });
});
