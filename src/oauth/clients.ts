import { createHash, timingSafeEqual } from 'node:crypto';
import type { AdapterPayload, ResponseType } from 'oidc-provider';
import type { ClientRow } from './clients.queries.ts';
import { CLIENT_ONLY_SCOPES } from './resources.ts';

/**
 * Secrets of clients are generated with 256 bits, so one SHA-256 is as strong as a slow hash and
 * costs a microsecond: client_credentials is a hot path. (Passwords are hashed with scrypt.)
 */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Compares a secret with what `clientMetadata` gave as `client_secret`; constant time. */
export function matchesSecret(secret: string, stored: string | undefined): boolean {
  const hash = Buffer.from(stored ?? '', 'base64url');
  const sent = hashSecret(secret);
  return hash.length === sent.length && timingSafeEqual(hash, sent);
}

/** The metadata of RFC 7591 that the library works with. */
export function clientMetadata(client: ClientRow, publicUrl: string): AdapterPayload {
  const usesCode = client.grant_types.includes('authorization_code');
  const refreshes = client.grant_types.includes('refresh_token');
  const scopes = [
    ...(usesCode ? ['openid'] : []),
    ...(usesCode && refreshes ? ['offline_access'] : []),
    ...client.scopes.filter((scope) => !CLIENT_ONLY_SCOPES.includes(scope)),
  ];
  return {
    client_id: client.client_id,
    client_name: client.name,
    ...(client.secret_hash
      ? { client_secret: client.secret_hash.toString('base64url') }
      : { token_endpoint_auth_method: 'none' }),
    redirect_uris: client.redirect_uris.map((uri) =>
      uri.startsWith('/') ? `${publicUrl}${uri}` : uri,
    ),
    grant_types: client.grant_types,
    response_types: usesCode ? (['code'] satisfies ResponseType[]) : [],
    scope: scopes.join(' '),
    is_first_party: client.is_first_party,
    // The library publishes every scope that it knows, so it does not know these.
    client_only_scopes: client.scopes.filter((scope) => CLIENT_ONLY_SCOPES.includes(scope)),
  };
}

const LOOPBACK_WITH_PORT = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{1,5}(?=[/?]|$)/;

/**
 * Exact comparison; a loopback address registered without a port matches with any (RFC 8252,
 * section 7.3: a native application listens where it finds a free one).
 */
export function isRedirectAllowed(uri: string, registered: readonly string[]): boolean {
  return registered.includes(uri) || registered.includes(uri.replace(LOOPBACK_WITH_PORT, '$1'));
}
