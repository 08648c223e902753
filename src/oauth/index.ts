import type { FastifyPluginAsync } from 'fastify';
import type { Logger } from 'pino';
import type { VerifyToken } from '../platform/bearer.ts';
import type { Db } from '../platform/database.ts';
import { DELETE_BATCH, deleteExpired } from './artifacts.queries.ts';
import { mountAuthorizationServer } from './authorization-server.ts';
import { seedDemo } from './demo.ts';
import { openKeySet } from './key-set.ts';
import { serveProtectedResources } from './protected-resources.ts';
import { createProvider } from './provider.ts';
import { protectedResources, type ResourcesOptions } from './resources.ts';
import { loadSigningKeys, SIGNING_ALGORITHM } from './signing-keys.ts';
import { createVerifier } from './verifier.ts';

export interface OauthOptions {
  config: ResourcesOptions & { NODE_ENV: string };
  db: Db;
  log: Logger;
}

export interface Oauth {
  plugin: FastifyPluginAsync;
  verify: VerifyToken;
  /** Makes the demo account and clients; not for production. */
  seedDemo(): Promise<void>;
  /** Deletes what has expired; call it every few minutes. */
  housekeeping(): Promise<unknown>;
  stop(): Promise<void>;
}

/** The authorization server and the verifier of its tokens; `db` is migrated. */
export async function openOauth({ config, db, log }: OauthOptions): Promise<Oauth> {
  const issuer = config.PUBLIC_URL;
  const resources = protectedResources(config);
  const provider = createProvider({
    issuer,
    db,
    log,
    resources,
    keys: await loadSigningKeys(db),
    withDemo: config.NODE_ENV !== 'production',
  });
  let stopped = false;

  return {
    plugin: async (app) => {
      serveProtectedResources(app, issuer, resources);
      await app.register(async (scope) =>
        mountAuthorizationServer(scope, issuer, provider.callback()),
      );
    },
    verify: createVerifier({
      issuer,
      audience: issuer,
      algorithms: [SIGNING_ALGORITHM],
      typ: 'at+jwt',
      keys: openKeySet(db),
    }),
    seedDemo: () => seedDemo(db),
    async housekeeping() {
      while ((await deleteExpired(db)) === DELETE_BATCH && !stopped);
    },
    async stop() {
      stopped = true;
    },
  };
}
