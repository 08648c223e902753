import { afterAll, describe, expect, test } from 'vitest';
import { isRedirectAllowed } from '../../src/oauth/clients.ts';
import { startApp } from '../harness.ts';
import { postForm } from './tokens.ts';

const PUBLIC_URL = 'https://api.example.com';
const t = await startApp({ env: { PUBLIC_URL, TRAIN_BASE_PATH: '/train' } });
afterAll(() => t[Symbol.asyncDispose]());

const SPOOFED = {
  host: 'evil.example',
  forwarded: 'host=evil.example;proto=http',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'ftp',
  'x-forwarded-port': '1',
};

describe('discovery', () => {
  test.each(['openid-configuration', 'oauth-authorization-server'])(
    '%s names our addresses, whatever the request says of the host',
    async (name) => {
      const answer = await t.app.inject({ url: `/.well-known/${name}`, headers: SPOOFED });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.body).not.toContain('evil');
      expect(answer.json()).toMatchObject({
        issuer: PUBLIC_URL,
        authorization_endpoint: `${PUBLIC_URL}/oauth/authorize`,
        token_endpoint: `${PUBLIC_URL}/oauth/token`,
        jwks_uri: `${PUBLIC_URL}/oauth/jwks`,
        revocation_endpoint: `${PUBLIC_URL}/oauth/revoke`,
        introspection_endpoint: `${PUBLIC_URL}/oauth/introspect`,
        code_challenge_methods_supported: ['S256'],
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
        id_token_signing_alg_values_supported: ['ES256'],
        authorization_response_iss_parameter_supported: true,
        scopes_supported: ['openid', 'offline_access', 'read', 'write', 'read:pets', 'write:pets'],
      });
    },
  );

  test('the key set shows public members only', async () => {
    const { keys } = (await t.app.inject('/oauth/jwks')).json();
    expect(keys).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        alg: 'ES256',
        use: 'sig',
        kid: expect.any(String),
        x: expect.any(String),
        y: expect.any(String),
      },
    ]);
  });
});

describe('RFC 9728 metadata', () => {
  test.each([
    ['', ['read', 'write', 'read:pets', 'write:pets'], 'Quartet'],
    ['/train', ['read', 'write'], 'Train Travel'],
    ['/v3', ['read:pets', 'write:pets'], 'Petstore'],
  ])('of PUBLIC_URL%s', async (path, scopes, name) => {
    const answer = await t.app.inject(`/.well-known/oauth-protected-resource${path}`);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.json()).toEqual({
      resource: `${PUBLIC_URL}${path}`,
      authorization_servers: [PUBLIC_URL],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
      resource_name: name,
    });
  });
});

describe('CORS', () => {
  const origin = 'https://app.example';
  test.each(['/oauth/token', '/oauth/revoke'])('%s can be called by a script', async (url) => {
    const preflight = await t.app.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'authorization',
    });
    const form = { grant_type: 'client_credentials', token: 'x' };
    const answer = await postForm(t.app, url, form, undefined, { origin });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe(origin);
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });

  test('pages cannot be read by a script of another origin', async () => {
    for (const url of ['/oauth/authorize', '/oauth/logout']) {
      const answer = await t.app.inject({ url, headers: { origin, accept: 'text/html' } });
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});

describe('the authorization endpoint', () => {
  const valid = {
    client_id: 'quartet-docs',
    response_type: 'code',
    redirect_uri: 'http://localhost:4711/callback',
    scope: 'read',
    state: 's',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  };
  const authorize = (changes: Record<string, string>, headers = {}) => {
    const { ...form } = { ...valid, ...changes };
    const filled = Object.entries(form).filter(([, value]) => value !== '');
    return t.app.inject({
      url: `/oauth/authorize?${new URLSearchParams(filled)}`,
      headers: { accept: 'text/html', ...headers },
    });
  };

  test('sends the browser on to sign in, with cookies for https only', async () => {
    const answer = await authorize({}, SPOOFED);
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toMatch(/^\/oauth\/interaction\/[\w-]{43}$/);
    for (const cookie of [answer.headers['set-cookie']].flat())
      expect(cookie).toMatch(/; samesite=lax; secure; httponly$/);
    expect(JSON.stringify(answer.headers)).not.toContain('evil');
  });

  test.each([
    ['no PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['PKCE plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a scope that the client lacks', { scope: 'read write openid x' }, null],
    ['the implicit flow', { response_type: 'token' }, 'unsupported_response_type'],
    ['another resource', { resource: 'https://x.example' }, 'invalid_target'],
  ])('%s', async (_name, changes, error) => {
    const answer = await authorize(changes as Record<string, string>);
    expect(answer.statusCode).toBe(303);
    if (error === null) return expect(answer.headers.location).toMatch(/^\/oauth\/interaction/);
    const location = new URL(String(answer.headers.location).replace('#', '?'));
    expect(location.origin).toBe('http://localhost:4711');
    expect(location.searchParams.get('error')).toBe(error);
    expect(location.searchParams.get('state')).toBe('s');
    expect(location.searchParams.get('iss')).toBe(PUBLIC_URL);
  });

  test.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: '' }],
    ['no redirect URI', { redirect_uri: '' }],
    ['a redirect URI that is not registered', { redirect_uri: 'https://evil.example/callback' }],
    ['markup', { client_id: '<script>alert(1)</script>' }],
  ])('%s is an error on a page of ours, never a redirect', async (_name, changes) => {
    const answer = await authorize(changes);
    expect(answer.statusCode).toBe(400);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.headers['content-type']).toMatch(/^text\/html/);
    expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).not.toContain('<script>');
    expect(answer.body).not.toMatch(/https?:\/\//);
  });
});

test.each([
  ['http://127.0.0.1/callback', true],
  ['http://127.0.0.1:1/callback', true],
  ['http://localhost:65535/callback', true],
  ['https://api.example.com/login/callback', true],
  ['https://api.example.com:443/login/callback', false],
  ['http://127.0.0.1:1/callback/', false],
  ['http://127.0.0.1:1/callback?x=1', false],
  ['http://127.0.0.1:1@evil.example/callback', false],
  ['http://127.0.0.1:1.evil.example/callback', false],
  ['http://127.0.0.1.evil.example/callback', false],
  ['http://127.0.0.1:123456/callback', false],
  ['http://127.0.0.1:/callback', false],
  ['http://LOCALHOST:1/callback', false],
  ['http://[::1]:1/callback', false],
  ['https://localhost:1/callback', false],
  ['http://x:1@localhost:2/callback', false],
  ['http://localhost:1\\@evil.example/callback', false],
  ['http://fixed.example:1/callback', false],
])('redirect URI %s allowed: %s', (uri, allowed) => {
  const registered = [
    'http://127.0.0.1/callback',
    'http://localhost/callback',
    'https://api.example.com/login/callback',
    'http://fixed.example/callback',
  ];
  expect(isRedirectAllowed(uri, registered)).toBe(allowed);
});
