import { connect } from 'node:net';
import { fastify } from 'fastify';
import { generateKeyPair, exportJWK, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { mountAuthorizationServer } from '../../src/oauth/authorization-server.ts';
import { openKeySet } from '../../src/oauth/keys/key-set.ts';
import { createProvider } from '../../src/oauth/provider.ts';
import { protectedResources } from '../../src/oauth/resources.ts';
import { createVerifier } from '../../src/oauth/verifier.ts';
import { loadConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { toProblem } from '../../src/platform/http/errors.ts';
import { createLog } from '../../src/platform/operations/log.ts';
import { startApp } from '../harness.ts';
import { basic, clientToken, DEMO, postForm } from './tokens.ts';

/** Sends the lines of a request as they are; answers all that comes back. */
function raw(base: string, lines: string[]): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
    });
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('end', () => resolve(answer)).on('error', reject);
  });
}

test('a host in the request target changes no address of ours', async () => {
  await using t = await startApp();
  const base = await t.listen();
  for (const scheme of ['http', 'HTTPS']) {
    const target = `${scheme}://evil.example/.well-known/openid-configuration`;
    const answer = await raw(base, [`GET ${target} HTTP/1.1`, 'Host: evil.example']);
    expect(answer).toMatch(/^HTTP\/1.1 200/);
    expect(answer).toContain(`"token_endpoint":"${t.config.PUBLIC_URL}/oauth/token"`);
    expect(answer).not.toContain('evil');
  }
});

test('without its database everything says 503, and when to come back', async () => {
  const config = loadConfig({ DATABASE_URL: 'postgres://127.0.0.1:1/none', LOG_LEVEL: 'silent' });
  const log = createLog('silent');
  const database = await openDatabase(config, log);
  const { db } = database;
  const pair = await generateKeyPair('ES256', { extractable: true });
  const keys = [{ ...(await exportJWK(pair.privateKey)), alg: 'ES256', use: 'sig', kid: 'k' }];
  const issuer = config.PUBLIC_URL;
  const resources = protectedResources(config);
  const provider = createProvider({ issuer, db, log, resources, keys, withDemo: true });
  const app = fastify();
  mountAuthorizationServer(app, issuer, provider.callback());

  const answer = await postForm(app, '/oauth/token', { grant_type: 'client_credentials' });
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ error: 'temporarily_unavailable' });
  expect(answer.headers['retry-after']).toBe('5');
  expect(answer.body).not.toMatch(/ECONN|127\.0\.0\.1/);
  const page = await app.inject({
    url: '/oauth/authorize?client_id=quartet-docs',
    headers: { accept: 'text/html' },
  });
  expect([page.statusCode, page.headers['retry-after']]).toEqual([503, '5']);

  const verify = createVerifier({
    issuer,
    audience: issuer,
    algorithms: ['ES256'],
    typ: 'at+jwt',
    keys: openKeySet(db),
  });
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'k' })
    .sign(pair.privateKey);
  const failure = await Promise.resolve(verify(token)).catch((error: unknown) => error);
  expect(toProblem(failure).status).toBe(503);
  await app.close();
  await database.close();
});

test('no secret, token or key reaches the log', async () => {
  let log = '';
  await using t = await startApp({ log: { write: (line) => void (log += line) } });
  const token = await clientToken(t.app);
  const authorization = `Bearer ${token}`;
  await t.app.inject({ url: `/bookings?access_token=${token}`, headers: { authorization } });
  const grant_type = 'client_credentials';
  await postForm(t.app, '/oauth/token', { grant_type }, basic('quartet-demo', 'wrong-secret'));
  await postForm(t.app, '/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: 'my-refresh',
  });
  await postForm(t.app, '/oauth/introspect', { token: 'my-opaque' });
  const { private_jwk } = await t.db
    .selectFrom('oauth.signing_keys')
    .select('private_jwk')
    .executeTakeFirstOrThrow();
  expect(log).toContain('/oauth/token');
  const [, , signature = ''] = token.split('.');
  for (const secret of [signature, 'demo-secret', DEMO, 'wrong-secret', 'my-refresh', 'my-opaque'])
    expect(log).not.toContain(secret);
  expect(log).not.toContain(private_jwk.d);
});
