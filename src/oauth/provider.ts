import type { JWK } from 'jose';
import Provider, {
  type Client,
  type Configuration,
  errors,
  type JWKS,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import type { Logger } from 'pino';
import type { Db } from '../platform/database/database.ts';
import { toProblem } from '../platform/http/errors.ts';
import { findAccount } from './accounts.queries.ts';
import { createAdapter } from './adapter.ts';
import { clientMetadata, isRedirectAllowed, matchesSecret } from './clients.ts';
import { findClient } from './clients.queries.ts';
import { loadGrant } from './grants.ts';
import { Html, html } from '../platform/pages/html.ts';
import { type Page, renderPage, setPageHeaders } from '../platform/pages/layout.ts';
import { errorPage, logoutPage, signedOutPage } from './pages/views.ts';
import { API_SCOPES, CLIENT_ONLY_SCOPES, type ProtectedResource } from './resources.ts';
import { SIGNING_ALGORITHM } from './keys/signing-keys.ts';

export interface ProviderOptions {
  issuer: string;
  db: Db;
  log: Logger;
  resources: ProtectedResource[];
  /** Private keys, the one that signs first. */
  keys: JWK[];
  /** False in production: demo clients and accounts do not exist. */
  withDemo: boolean;
}

const ACCESS_TOKEN_SECONDS = 600;
const DAY = 24 * 60 * 60;

/** The paths that `authorization-server.ts` mounts. */
export const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  jwks: '/oauth/jwks',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  end_session: '/oauth/logout',
};

/** Routes that a person's browser opens; the others answer programs, in JSON whatever they accept. */
const PAGE_ROUTES = new Set([
  'authorization',
  'resume',
  'end_session',
  'end_session_confirm',
  'end_session_success',
]);

function showPage(ctx: KoaContextWithOIDC, page: Page): void {
  ctx.type = 'html';
  setPageHeaders(ctx.res);
  ctx.body = renderPage(page);
}

/** The name of the session's cookie. No neighbouring host or plain http can set one so named. */
export const sessionCookieName = (issuer: string): string =>
  issuer.startsWith('https:') ? '__Host-quartet-session' : 'quartet-session';

function cookies(issuer: string): Configuration['cookies'] {
  const prefix = issuer.startsWith('https:') ? '__Secure-' : '';
  return {
    names: {
      session: sessionCookieName(issuer),
      interaction: `${prefix}quartet-interaction`,
      resume: `${prefix}quartet-resume`,
    },
  };
}

const renderError: Configuration['renderError'] = (ctx, out) => {
  if (PAGE_ROUTES.has(ctx.oidc?.route) && ctx.accepts('json', 'html') === 'html')
    showPage(
      ctx,
      errorPage(
        `The application that sent you here made a mistake: ${out.error_description ?? 'its request is not valid'}.`,
        out.error,
      ),
    );
  else ctx.body = out;
};

/** A client asks for its own token by scopes that it has, or is told which it has not. */
function checkClientScopes(ctx: KoaContextWithOIDC, client: Client): void {
  const { grant_type, scope } = ctx.oidc.params ?? {};
  if (grant_type !== 'client_credentials' || typeof scope !== 'string') return;
  const own = (client['client_only_scopes'] as string[] | undefined) ?? [];
  const allowed = new Set([...(client.scope?.split(' ') ?? []), ...own]);
  const refused = scope.split(' ').filter((each) => !allowed.has(each));
  if (refused.length > 0)
    throw new errors.InvalidScope('requested scope is not allowed', refused.join(' '));
}

/** Some scopes exist for a client's own tokens only. */
const scopesOfResource = (ctx: KoaContextWithOIDC, { scopes }: ProtectedResource): string[] =>
  ctx.oidc.params?.['grant_type'] === 'client_credentials'
    ? [...scopes, ...CLIENT_ONLY_SCOPES]
    : scopes;

function resourceIndicators({ issuer, resources }: ProviderOptions) {
  return {
    enabled: true,
    defaultResource: (_ctx: unknown, _client: unknown, oneOf?: readonly string[]) =>
      oneOf ?? issuer,
    useGrantedResource: () => true,
    getResourceServerInfo(ctx: KoaContextWithOIDC, indicator: string, client: Client) {
      const resource = resources.find(
        ({ identifier }) => indicator === identifier || indicator === `${identifier}/`,
      );
      if (!resource) throw new errors.InvalidTarget();
      checkClientScopes(ctx, client);
      return {
        scope: scopesOfResource(ctx, resource).join(' '),
        audience: issuer,
        accessTokenTTL: ACCESS_TOKEN_SECONDS,
        accessTokenFormat: 'jwt' as const,
        jwt: { sign: { alg: SIGNING_ALGORITHM } },
      };
    },
  } satisfies NonNullable<Configuration['features']>['resourceIndicators'];
}

/** Each owner may look at and revoke its own tokens, and learns nothing of others'. */
const ownTokensOnly = (_ctx: unknown, client: Client, token: { clientId?: string | undefined }) =>
  token.clientId === client.clientId;

function features(options: ProviderOptions) {
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    // Access tokens are for our services; what the ID token says is all there is to know.
    userinfo: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true, allowedPolicy: ownTokensOnly },
    revocation: { enabled: true, allowedPolicy: ownTokensOnly },
    resourceIndicators: resourceIndicators(options),
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => showPage(ctx, logoutPage(new Html(form))),
      postLogoutSuccessSource: (ctx) => showPage(ctx, signedOutPage()),
    },
  } satisfies Configuration['features'];
}

const ttl: Configuration['ttl'] = {
  AccessToken: ACCESS_TOKEN_SECONDS,
  ClientCredentials: ACCESS_TOKEN_SECONDS,
  IdToken: ACCESS_TOKEN_SECONDS,
  AuthorizationCode: 60,
  Interaction: 30 * 60,
  Session: 14 * DAY,
  Grant: 365 * DAY,
  // A public client's token rotates within the lifetime of the first one (RFC 9700, 4.14.2).
  RefreshToken: (ctx, _token, client) =>
    (client.clientAuthMethod === 'none' && ctx.oidc.entities.RotatedRefreshToken?.remainingTTL) ||
    14 * DAY,
};

/** Only our one algorithm, everywhere that the library lets one choose. */
const enabledJWA = {
  clientAuthSigningAlgValues: [SIGNING_ALGORITHM],
  idTokenSigningAlgValues: [SIGNING_ALGORITHM],
  introspectionSigningAlgValues: [SIGNING_ALGORITHM],
  authorizationSigningAlgValues: [SIGNING_ALGORITHM],
  userinfoSigningAlgValues: [SIGNING_ALGORITHM],
} satisfies Configuration['enabledJWA'];

function configure(options: ProviderOptions): Configuration {
  const { issuer, db, keys, withDemo } = options;
  const adapter = createAdapter(db, async (clientId) => {
    // What cannot be an id is not asked for; PostgreSQL would refuse a NUL.
    const client = /^[\w.~-]{1,100}$/.test(clientId)
      ? await findClient(db, clientId, withDemo)
      : undefined;
    return client && clientMetadata(client, issuer);
  });
  return {
    adapter,
    jwks: { keys } as JWKS,
    routes: ROUTES,
    scopes: ['openid', 'offline_access', ...API_SCOPES],
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientDefaults: { id_token_signed_response_alg: SIGNING_ALGORITHM },
    extraClientMetadata: { properties: ['is_first_party', 'client_only_scopes'] },
    enabledJWA,
    features: features(options),
    ttl,
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    // Tokens come with credentials in the request, never with a cookie: any origin may ask.
    clientBasedCORS: () => true,
    rotateRefreshToken: true,
    loadExistingGrant: loadGrant(db),
    cookies: cookies(issuer),
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    findAccount: async (_ctx, id) => {
      const account = await findAccount(db, id, withDemo);
      return account && { accountId: id, claims: () => ({ sub: id }) };
    },
    interactions: { url: (_ctx, interaction) => `/oauth/interaction/${interaction.uid}` },
    renderError,
  };
}

/** A database that is away is not a fault of ours, and passes: say so, as everywhere. */
function onServerError(log: Logger) {
  return (ctx: KoaContextWithOIDC, error: Error) => {
    const problem = toProblem(error);
    if (problem.status !== 503) return log.error({ err: error }, 'authorization server failed');
    log.warn({ err: error }, 'authorization server without database');
    ctx.status = 503;
    ctx.set(problem.headers);
    if (ctx.type === 'application/json')
      ctx.body = { error: 'temporarily_unavailable', error_description: problem.message };
  };
}

/**
 * What the library would send with a script in it: the answer in a form that submits itself, which
 * the script's hash allows, and signing out where nobody is signed in, which gets our page.
 */
async function pageWithoutScript(ctx: KoaContextWithOIDC, next: () => Promise<void>) {
  if (ctx.path.startsWith(ROUTES.authorization))
    ctx.set({
      // The library adds the hash of its script to script-src.
      'content-security-policy':
        "default-src 'none'; script-src; frame-ancestors 'none'; base-uri 'none'",
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
  await next();
  const { session, route } = ctx.oidc ?? {};
  if (route !== 'end_session' || ctx.status !== 200 || session?.accountId !== undefined) return;
  const xsrf = session?.state?.['secret'];
  const action = `${ROUTES.end_session}/confirm`;
  showPage(
    ctx,
    logoutPage(
      html`<form id="op.logoutForm" method="post" action="${action}"><input type="hidden" name="xsrf" value="${String(xsrf)}"></form>`,
    ),
  );
}

/** The certified library, configured. */
export function createProvider(options: ProviderOptions): Provider {
  const { issuer, log } = options;
  const provider = new Provider(issuer, configure(options));
  // Host and protocol come from headers that authorization-server.ts sets, whatever was sent.
  provider.proxy = true;
  provider.use(pageWithoutScript);
  provider.onerror = (error) => log.error({ err: error }, 'authorization server failed');
  provider.on('server_error', onServerError(log));
  // The class is this provider's own; the library documents that these methods may be replaced.
  const client = provider.Client.prototype;
  client.compareClientSecret = function compareClientSecret(secret) {
    return matchesSecret(secret, this.clientSecret);
  };
  client.redirectUriAllowed = function redirectUriAllowed(uri) {
    return isRedirectAllowed(uri, this.redirectUris ?? []);
  };
  return provider;
}
