import { openExternalKeySet } from './keys.ts';
import type { Oauth, OauthOptions } from '../index.ts';
import { forOurOriginOnly, sendPage } from '../../platform/pages/layout.ts';
import { messagePage } from '../pages/views.ts';
import { serveProtectedResources } from '../protected-resources.ts';
import { protectedResources } from '../resources.ts';
import { createVerifier } from '../verifier.ts';

/** Where common providers name the client: RFC 9068, OpenID Connect, Okta, Entra. */
const CLIENT_CLAIMS = ['client_id', 'azp', 'cid', 'appid'];

/** Another provider issues the tokens; we verify them, and say where they come from. */
export function openExternal(options: OauthOptions, issuer: string): Oauth {
  const { config, log, rateLimit, times } = options;
  const { PUBLIC_URL, OAUTH_ALGORITHMS, OAUTH_TYP, OAUTH_SCOPE_CLAIM } = config;
  const nothing = async () => {};
  return {
    plugin: async (app) => {
      app.addHook('onRequest', async (request, reply) => rateLimit(request, reply));
      serveProtectedResources(app, issuer, protectedResources(config));
      const message = `Accounts and tokens of this server are those of ${issuer}.`;
      for (const path of ['/login', '/logout'])
        app.get(path, { onSend: forOurOriginOnly }, async (_request, reply) =>
          sendPage(reply, messagePage('Sign in elsewhere', message)),
        );
    },
    verify: createVerifier({
      issuer,
      audience: config.OAUTH_AUDIENCE ?? PUBLIC_URL,
      algorithms: OAUTH_ALGORITHMS.split(','),
      typ: OAUTH_TYP,
      scopeClaim: OAUTH_SCOPE_CLAIM,
      allowScopeList: true,
      clientClaims: CLIENT_CLAIMS,
      keys: openExternalKeySet(issuer, log, times?.external),
      rememberMs: times?.rememberMs,
    }),
    signToken: async () => undefined,
    seedDemo: nothing,
    followKeys: nothing,
    housekeeping: nothing,
    stop: nothing,
  };
}
