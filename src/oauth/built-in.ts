import type { FastifyInstance } from 'fastify';
import type { JWK } from 'jose';
import { openAccounts } from './accounts.ts';
import { DELETE_BATCH, deleteExpired } from './artifacts.queries.ts';
import { mountAuthorizationServer, type NodeHandler } from './authorization-server.ts';
import { seedDemo } from './demo.ts';
import type { Oauth, OauthOptions } from './index.ts';
import { openKeySet } from './keys/key-set.ts';
import { seedLoginClient } from './pages/login-client.ts';
import { createCsrf } from './pages/csrf.ts';
import { pages } from './pages/index.ts';
import { serveProtectedResources } from './protected-resources.ts';
import { createProvider, sessionCookieName } from './provider.ts';
import { protectedResources } from './resources.ts';
import { loadSigningKeys, SIGNING_ALGORITHM } from './keys/signing-keys.ts';
import { createTokenSigner } from './keys/token-signer.ts';
import { createVerifier } from './verifier.ts';

/**
 * The library with the keys that sign now. When they change it is built anew and takes over; what
 * it has begun meanwhile, the one before it ends.
 */
async function openProvider({ config, db, log }: OauthOptions, withDemo: boolean) {
  const issuer = config.PUBLIC_URL;
  const resources = protectedResources(config);
  let kids = '';
  let provider: ReturnType<typeof createProvider>;
  let handle: NodeHandler;
  let signingKey: JWK;

  async function followKeys(): Promise<void> {
    const keys = await loadSigningKeys(db);
    const now = keys.map(({ kid }) => kid).join(' ');
    if (now === kids) return;
    provider = createProvider({ issuer, db, log, resources, keys, withDemo });
    handle = provider.callback();
    [signingKey] = keys as [JWK];
    kids = now;
  }
  await followKeys();
  return {
    current: () => provider,
    signingKey: () => signingKey,
    handle: ((request, response) => handle(request, response)) satisfies NodeHandler,
    followKeys,
  };
}

/** Our own authorization server, its pages, and the verifier of its tokens. */
export async function openBuiltIn(options: OauthOptions): Promise<Oauth> {
  const { config, db, rateLimit, times } = options;
  const { PUBLIC_URL, TRAIN_BASE_PATH } = config;
  const withDemo = config.NODE_ENV !== 'production';
  await seedLoginClient(db);
  const { current, signingKey, handle, followKeys } = await openProvider(options, withDemo);
  let stopped = false;

  return {
    plugin: async (app: FastifyInstance) => {
      app.addHook('onRequest', async (request, reply) => rateLimit(request, reply));
      serveProtectedResources(app, PUBLIC_URL, protectedResources(config));
      await app.register(async (scope) => mountAuthorizationServer(scope, PUBLIC_URL, handle));
      await app.register(pages, {
        publicUrl: PUBLIC_URL,
        trainUrl: PUBLIC_URL + TRAIN_BASE_PATH,
        db,
        csrf: createCsrf(PUBLIC_URL),
        accounts: openAccounts({ db, withDemo }),
        provider: current,
        sessionCookie: {
          name: sessionCookieName(PUBLIC_URL),
          options: { path: '/', secure: PUBLIC_URL.startsWith('https:') },
        },
        withDemo,
        allowSignUp: config.ALLOW_SIGNUP,
      });
    },
    verify: createVerifier({
      issuer: PUBLIC_URL,
      audience: PUBLIC_URL,
      algorithms: [SIGNING_ALGORITHM],
      typ: 'at+jwt',
      keys: openKeySet(db, times?.keySetMs),
      rememberMs: times?.rememberMs,
    }),
    signToken: createTokenSigner(PUBLIC_URL, signingKey),
    seedDemo: () => seedDemo(db),
    followKeys,
    async housekeeping() {
      while ((await deleteExpired(db)) === DELETE_BATCH && !stopped);
    },
    async stop() {
      stopped = true;
    },
  };
}
