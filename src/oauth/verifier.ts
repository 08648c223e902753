import { hash } from 'node:crypto';
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { type Caller, InvalidTokenError, type VerifyToken } from '../platform/bearer.ts';
import type { KeySet } from './key-set.ts';

export interface VerifierOptions {
  issuer: string;
  audience: string;
  algorithms: string[];
  /** What `typ` must be, to the letter. */
  typ: string;
  keys: KeySet;
}

const MAX_TOKEN_LENGTH = 8192;
const REMEMBERED_TOKENS = 10_000;
/** With the age that the key set may have, a revoked key stops within a minute. */
const REMEMBER_MS = 30_000;
/** How far another process's clock may be ahead. */
const MAX_CLOCK_SKEW_SECONDS = 30;

/** Header members that bring a key along, point to one, or change what is signed. */
const REFUSED_MEMBERS = ['crit', 'b64', 'jwk', 'jku', 'x5u', 'x5c', 'enc', 'zip'];

const invalid = (reason: string) => new InvalidTokenError(reason);

/** Three parts of base64url, unpadded: one spelling a token, and nothing of a JWE. */
const COMPACT_FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** The `kid`, once nothing in the header asks for anything but a look into our own key set. */
function checkHeader(token: string, { algorithms, typ }: VerifierOptions): string {
  if (!COMPACT_FORM.test(token)) throw invalid('it is not a signed JSON Web Token');
  let header: Record<string, unknown>;
  try {
    header = decodeProtectedHeader(token);
  } catch {
    throw invalid('it is not a signed JSON Web Token');
  }
  const member = REFUSED_MEMBERS.find((name) => Object.hasOwn(header, name));
  if (member !== undefined) throw invalid(`its header has the member ${member}`);
  if (!algorithms.includes(header['alg'] as string)) throw invalid('its algorithm is not accepted');
  if (header['typ'] !== typ) throw invalid(`its type is not ${typ}`);
  if (typeof header['kid'] !== 'string') throw invalid('its header names no key');
  return header['kid'];
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

function toCaller({ sub, client_id, scope }: JWTPayload): Caller {
  if (typeof sub !== 'string' || sub === '') throw invalid('its claim sub is missing or wrong');
  if (typeof client_id !== 'string') throw invalid('its claim client_id is missing or wrong');
  if (scope !== undefined && typeof scope !== 'string') throw invalid('its claim scope is wrong');
  const scopes = new Set((scope ?? '').split(' ').filter(Boolean));
  return { subject: sub, clientId: client_id, scopes };
}

/**
 * Verifies access tokens along RFC 8725 and RFC 9068. A token that was found valid is remembered
 * by its hash for half a minute, never past its end; what is remembered is answered at once.
 */
export function createVerifier(options: VerifierOptions): VerifyToken {
  const { issuer, audience, algorithms, typ, keys } = options;
  const remembered = new LRUCache<string, { caller: Caller; until: number }>({
    max: REMEMBERED_TOKENS,
  });

  async function verifyAnew(token: string, digest: string): Promise<Caller> {
    const key = await keys.find(checkHeader(token, options));
    if (!key) throw invalid('its key is not known here');
    const { payload } = await jwtVerify(token, key, {
      algorithms,
      typ,
      issuer,
      audience,
      requiredClaims: ['exp', 'iat', 'sub', 'client_id'],
    }).catch((error: unknown) => {
      throw invalid(reasonOf(error));
    });
    checkClaims(payload);
    const caller = toCaller(payload);
    const until = Math.min(payload.exp * 1000, Date.now() + REMEMBER_MS);
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
