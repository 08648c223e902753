import { randomBytes } from 'node:crypto';
import type { Db } from '../platform/database/database.ts';
import { hashSecret } from './clients.ts';
import { insertClient } from './clients.queries.ts';
import { API_SCOPES, CLIENT_ONLY_SCOPES } from './resources.ts';

/** Registering a client as the operator asks for it is refused; the message says why. */
export class RegistrationError extends Error {}

export interface Registration {
  id?: string | undefined;
  name: string;
  /** None: the client gets tokens of its own only. */
  redirectUris: string[];
  scopes: string[];
  /** A program on a user's device: it has no secret. */
  isPublic: boolean;
  isFirstParty: boolean;
}

const LOOPBACK = /^(127\.0\.0\.1|\[::1\]|localhost)$/;

function checkRedirectUri(uri: string, { isFirstParty }: Registration): void {
  if (uri.startsWith('/') && !uri.startsWith('//')) return;
  const url = URL.parse(uri);
  if (!url || url.hash !== '' || url.href.includes('*') || url.username !== '')
    throw new RegistrationError(`${uri} is no redirect URI: give a URL without # and *.`);
  const isLoopback = url.protocol === 'http:' && LOOPBACK.test(url.hostname);
  if (url.protocol !== 'https:' && !isLoopback)
    throw new RegistrationError(`${uri} must be https, or http on a loopback address.`);
  if (isLoopback && isFirstParty)
    throw new RegistrationError(
      `${uri} can be any program's on its user's device, so its user must be asked: leave out --first-party.`,
    );
}

function checkRegistration(registration: Registration): void {
  const { id, redirectUris, scopes, isPublic } = registration;
  if (
    id !== undefined &&
    (!/^[\w.~-]{1,100}$/.test(id) || /^[\da-f]{8}-(.{4}-){3}.{12}$/i.test(id))
  )
    throw new RegistrationError('An id has letters, digits and ._~- only, and is not a UUID.');
  if (isPublic && redirectUris.length === 0)
    throw new RegistrationError(
      'A public client needs a --redirect-uri: it gets no token of its own.',
    );
  const known = [...API_SCOPES, ...CLIENT_ONLY_SCOPES];
  const unknown = scopes.filter((scope) => !known.includes(scope));
  if (unknown.length > 0 || scopes.length === 0)
    throw new RegistrationError(`--scope takes some of: ${known.join(' ')}.`);
  if (isPublic && scopes.some((scope) => CLIENT_ONLY_SCOPES.includes(scope)))
    throw new RegistrationError(`A public client cannot have ${CLIENT_ONLY_SCOPES.join(' ')}.`);
  for (const uri of redirectUris) checkRedirectUri(uri, registration);
}

/**
 * Registers a client. The secret is answered here and nowhere else: only its hash is kept. Throws
 * RegistrationError.
 */
export async function registerClient(
  db: Db,
  registration: Registration,
): Promise<{ clientId: string; secret: string | undefined }> {
  checkRegistration(registration);
  const { name, redirectUris, scopes, isPublic, isFirstParty } = registration;
  const clientId = registration.id ?? `client-${randomBytes(9).toString('hex')}`;
  const secret = isPublic ? undefined : randomBytes(32).toString('base64url');
  const inserted = await insertClient(db, {
    client_id: clientId,
    name,
    secret_hash: secret === undefined ? null : hashSecret(secret),
    redirect_uris: redirectUris,
    grant_types: [
      ...(redirectUris.length > 0 ? ['authorization_code', 'refresh_token'] : []),
      ...(isPublic ? [] : ['client_credentials']),
    ],
    scopes,
    is_first_party: isFirstParty,
    is_demo: false,
  });
  if (!inserted) throw new RegistrationError(`There is a client ${clientId} already.`);
  return { clientId, secret };
}
