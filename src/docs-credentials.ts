import type { Credentials } from './platform/docs/docs.routes.ts';

/** The parts of the configuration that decide who can try what. */
interface CredentialsConfig {
  NODE_ENV: string;
  OAUTH_ISSUER?: string;
}

/** PKCE is no secret: our server takes no code without it. */
const PKCE = { 'x-usePkce': 'SHA-256' };

const oauth2 = (scopes: string[], isDemo: boolean) => ({
  flows: {
    authorizationCode: {
      ...PKCE,
      ...(isDemo && { 'x-scalar-client-id': 'quartet-docs', selectedScopes: scopes }),
    },
    ...(isDemo && {
      clientCredentials: {
        'x-scalar-client-id': 'quartet-demo',
        clientSecret: 'demo-secret',
        selectedScopes: scopes,
      },
    }),
  },
});

/** How a token of another provider is used: its own pages give it, here it is put in. */
const tokenOf = (issuer: string) => ({
  type: 'http',
  scheme: 'bearer',
  description: `An access token of ${issuer}.`,
});

/**
 * What /docs fills in, by document and security scheme, so that a first visitor can send any
 * request: the published demo credentials where they exist, which is everywhere but in production.
 */
export function docsCredentials({
  NODE_ENV,
  OAUTH_ISSUER,
}: CredentialsConfig): Record<string, Credentials> {
  const isDemo = NODE_ENV !== 'production';
  const oauth = (scopes: string[]) =>
    OAUTH_ISSUER === undefined ? oauth2(scopes, isDemo) : tokenOf(OAUTH_ISSUER);
  return {
    train: {
      preferredSecurityScheme: 'OAuth2',
      securitySchemes: { OAuth2: oauth(['read', 'write']) },
    },
    petstore: {
      preferredSecurityScheme: 'api_key',
      securitySchemes: {
        pets_auth: oauth(['read:pets', 'write:pets']),
        ...(isDemo && { api_key: { value: 'special-key' } }),
      },
    },
    museum: {
      preferredSecurityScheme: 'MuseumPlaceholderAuth',
      securitySchemes: {
        ...(isDemo && { MuseumPlaceholderAuth: { username: 'curator', password: 'demo' } }),
      },
    },
    learning: {
      preferredSecurityScheme: 'imfKey',
      securitySchemes: { ...(isDemo && { imfKey: { value: 'demo-imf-key' } }) },
    },
  };
}
