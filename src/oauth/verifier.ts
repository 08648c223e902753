import { hash } from 'node:crypto';
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { type Caller, InvalidTokenError, type VerifyToken } from '../platform/access/bearer.ts';
import type { KeySet } from './keys/key-set.ts';

/** Providers differ in where they say what a token is good for. */
interface ClaimNames {
  /** The scopes, separated by spaces. */
  scopeClaim?: string;
  /** They may also be a list. */
  allowScopeList?: boolean;
  /** The client: the first of these that a token has. */
  clientClaims?: string[];
}

export interface VerifierOptions extends ClaimNames {
  issuer: string;
  audience: string;
  algorithms: string[];
  /** What `typ` must be, to the letter. */
  typ: string;
  keys: KeySet;
  /** How long a valid token is not verified again; with the age of `keys` less than a minute. */
  rememberMs?: number | undefined;
}

const MAX_TOKEN_LENGTH = 8192;
const REMEMBERED_TOKENS = 10_000;
/** With the age that the key set may have, a revoked key stops within a minute. */
export const REMEMBER_MS = 30_000;
/** How far another process's clock may be ahead. */
const MAX_CLOCK_SKEW_SECONDS = 30;

/** Header members that bring a key along, point to one, or change what is signed. */
const REFUSED_MEMBERS = ['crit', 'b64', 'jwk', 'jku', 'x5u', 'x5c', 'enc', 'zip'];

const invalid = (reason: string) => new InvalidTokenError(reason);

/** Three parts of base64url, unpadded: one spelling a token, and nothing of a JWE. */
const COMPACT_FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Key and algorithm, once nothing in the header asks for more than a look into our key set. */
function checkHeader(
  token: string,
  { algorithms, typ }: VerifierOptions,
): { kid: string; algorithm: string } {
  if (!COMPACT_FORM.test(token)) throw invalid('it is not a signed JSON Web Token');
  let header: Record<string, unknown>;
  try {
    header = decodeProtectedHeader(token);
  } catch {
    throw invalid('it is not a signed JSON Web Token');
  }
  const member = REFUSED_MEMBERS.find((name) => Object.hasOwn(header, name));
  if (member !== undefined) throw invalid(`its header has the member ${member}`);
  const algorithm = header['alg'];
  if (typeof algorithm !== 'string' || !algorithms.includes(algorithm))
    throw invalid('its algorithm is not accepted');
  if (header['typ'] !== typ) throw invalid(`its type is not ${typ}`);
  if (typeof header['kid'] !== 'string') throw invalid('its header names no key');
  return { kid: header['kid'], algorithm };
}

/** What failed, in words of ours: the library's quote what was sent. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'it has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    const known = ['iss', 'aud', 'exp', 'nbf', 'iat', 'sub', 'client_id'].includes(error.claim);
    return known ? `its claim ${error.claim} is missing or wrong` : 'a claim is missing or wrong';
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature is wrong';
  return 'it is malformed';
}

/** What the library leaves open: finite times, nothing from the future, no proof of possession. */
function checkClaims(claims: JWTPayload): asserts claims is JWTPayload & { exp: number } {
  for (const name of ['exp', 'iat', 'nbf'] as const) {
    const value = claims[name];
    if ((value !== undefined || name !== 'nbf') && !Number.isFinite(value))
      throw invalid(`its claim ${name} is missing or wrong`);
  }
  if ((claims.iat ?? 0) > Date.now() / 1000 + MAX_CLOCK_SKEW_SECONDS)
    throw invalid('it comes from the future');
  if (Object.hasOwn(claims, 'cnf')) throw invalid('it is bound to a key; send an unbound one');
}

function toCaller(
  claims: JWTPayload,
  { scopeClaim, allowScopeList, clientClaims }: Required<ClaimNames>,
): Caller {
  const { sub } = claims;
  if (typeof sub !== 'string' || sub === '') throw invalid('its claim sub is missing or wrong');
  const clientId = clientClaims.map((name) => claims[name]).find((value) => value !== undefined);
  if (typeof clientId !== 'string') throw invalid('its claim client_id is missing or wrong');
  const claim = claims[scopeClaim] ?? '';
  const scopes: unknown = typeof claim === 'string' ? claim.split(' ') : allowScopeList && claim;
  if (!Array.isArray(scopes) || !scopes.every((scope) => typeof scope === 'string'))
    throw invalid('its claim of scopes is wrong');
  return { subject: sub, clientId, scopes: new Set(scopes.filter(Boolean)) };
}

/**
 * Verifies access tokens along RFC 8725 and RFC 9068. A token that was found valid is remembered
 * by its hash for half a minute, never past its end; what is remembered is answered at once.
 */
export function createVerifier(options: VerifierOptions): VerifyToken {
  const { issuer, audience, typ, keys, rememberMs = REMEMBER_MS } = options;
  const { scopeClaim = 'scope', allowScopeList = false, clientClaims = ['client_id'] } = options;
  const remembered = new LRUCache<string, { caller: Caller; until: number }>({
    max: REMEMBERED_TOKENS,
  });

  async function verifyAnew(token: string, digest: string): Promise<Caller> {
    const { kid, algorithm } = checkHeader(token, options);
    const key = await keys.find(kid, algorithm);
    if (!key) throw invalid('its key is not known here');
    const { payload } = await jwtVerify(token, key, {
      algorithms: [algorithm],
      typ,
      issuer,
      audience,
      requiredClaims: ['exp', 'iat', 'sub'],
    }).catch((error: unknown) => {
      throw invalid(reasonOf(error));
    });
    checkClaims(payload);
    const caller = toCaller(payload, { scopeClaim, allowScopeList, clientClaims });
    const until = Math.min(payload.exp * 1000, Date.now() + rememberMs);
    remembered.set(digest, { caller, until });
    return caller;
  }

  return function verify(token) {
    if (token.length > MAX_TOKEN_LENGTH) throw invalid('it is longer than 8 KiB');
    const digest = hash('sha256', token, 'base64url');
    const known = remembered.get(digest);
    return known && Date.now() < known.until ? known.caller : verifyAnew(token, digest);
  };
}
