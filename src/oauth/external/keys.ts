import type { JWK } from 'jose';
import type { Logger } from 'pino';
import { unavailable } from '../../platform/problems/problems.ts';
import { fetchJson } from './fetch-json.ts';
import type { KeySet } from '../keys/key-set.ts';

export interface ExternalTimes {
  /** From this age on keys are fetched anew, beside the requests. */
  freshMs?: number;
  /** Beyond it nothing is verified with them. */
  usableMs?: number;
  /** How often the provider is asked at most, however many unknown keys are named. */
  pauseMs?: number;
  /** How long one answer of it may take, to the last byte. */
  deadlineMs?: number;
}

const FRESH_MS = 5 * 60_000;
const USABLE_MS = 60 * 60_000;
const PAUSE_MS = 10_000;
const DEADLINE_MS = 5000;

/** Where RFC 8414 and OpenID Connect put metadata; they differ for an issuer with a path. */
function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
}

/** The address of the key set; metadata that speaks for another issuer is refused (RFC 8414, 3.3). */
async function findKeySetUrl(issuer: string, deadlineMs: number): Promise<string> {
  const failures: string[] = [];
  for (const url of metadataUrls(issuer)) {
    try {
      const { issuer: named, jwks_uri: keys } = await fetchJson(url, deadlineMs);
      if (named !== issuer) throw new Error(`${url} is of another issuer`);
      const { protocol } = new URL(String(keys));
      // Keys over plain http are only as good as an issuer that is plain http itself.
      if (protocol !== 'https:' && protocol !== new URL(issuer).protocol)
        throw new Error(`${url} has a jwks_uri that is not https`);
      return String(keys);
    } catch (error) {
      failures.push((error as Error).message);
    }
  }
  throw new Error(failures.join('; '));
}

/** Public keys for signatures, by their `kid`; others, and secrets above all, are left out. */
function usableKeys(document: Record<string, unknown>): Map<string, JWK> {
  const list = Array.isArray(document['keys']) ? (document['keys'] as JWK[]) : [];
  const keys = list.filter(
    (key) =>
      typeof key?.kid === 'string' &&
      ['RSA', 'EC', 'OKP'].includes(String(key.kty)) &&
      (key.use === undefined || key.use === 'sig') &&
      key.d === undefined,
  );
  return new Map(keys.map((key) => [key.kid as string, key]));
}

/**
 * The keys of another provider, fetched when the first token comes and every five minutes. Where
 * they cannot be had, those from before are good for an hour; without any the answer is 503.
 */
export function openExternalKeySet(issuer: string, log: Logger, times: ExternalTimes = {}): KeySet {
  const { freshMs = FRESH_MS, usableMs = USABLE_MS, pauseMs = PAUSE_MS } = times;
  const { deadlineMs = DEADLINE_MS } = times;
  let keys = new Map<string, JWK>();
  let loadedAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;

  async function load(): Promise<void> {
    triedAt = performance.now();
    try {
      const loaded = usableKeys(
        await fetchJson(await findKeySetUrl(issuer, deadlineMs), deadlineMs),
      );
      if (loaded.size === 0) throw new Error('the key set holds no usable key');
      keys = loaded;
      loadedAt = triedAt;
    } catch (error) {
      log.warn({ err: error, issuer }, 'keys of the OAuth issuer cannot be had');
    }
  }
  /** One fetch at a time, and a pause after each. */
  function refresh(): Promise<void> {
    if (!loading && performance.now() - triedAt < pauseMs) return Promise.resolve();
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return loading;
  }
  const age = () => performance.now() - loadedAt;

  return {
    async find(kid, algorithm) {
      if (age() > usableMs) await refresh();
      else if (age() > freshMs) void refresh();
      if (age() <= usableMs && !keys.has(kid)) await refresh();
      if (age() > usableMs)
        throw unavailable('The keys of the OAuth issuer cannot be had at the moment.');
      const key = keys.get(kid);
      return key && (key.alg === undefined || key.alg === algorithm) ? key : undefined;
    },
  };
}
