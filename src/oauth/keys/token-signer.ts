import { importJWK, type JWK, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { newId } from '../../platform/ids.ts';
import { SIGNING_ALGORITHM } from './signing-keys.ts';

/** As whom the server calls others. */
const CLIENT_ID = 'quartet';
const LIFETIME_SECONDS = 600;
/** A token is used for half its life, so that whoever gets it has the other half to look at it. */
const REUSE_MS = (LIFETIME_SECONDS / 2) * 1000;

/**
 * Makes access tokens (RFC 9068) by which other servers know that `issuer` calls them: the audience
 * is the other's origin, so it opens nothing here and nothing anywhere else. `signingKey` answers
 * the key that signs now.
 */
export function createTokenSigner(issuer: string, signingKey: () => JWK) {
  const tokens = new LRUCache<string, Promise<string>>({ max: 10_000, ttl: REUSE_MS });

  async function sign(audience: string, key: JWK): Promise<string> {
    return new SignJWT({ client_id: CLIENT_ID })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: 'at+jwt', kid: key.kid ?? '' })
      .setIssuer(issuer)
      .setSubject(CLIENT_ID)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(`${LIFETIME_SECONDS}s`)
      .setJti(newId())
      .sign(await importJWK(key, SIGNING_ALGORITHM));
  }

  return (audience: string): Promise<string> => {
    const key = signingKey();
    const name = `${key.kid} ${audience}`;
    const known = tokens.get(name);
    if (known) return known;
    const token = sign(audience, key);
    tokens.set(name, token);
    return token;
  };
}
