import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { batchById } from '../../platform/database/batch.ts';
import type { Db } from '../../platform/database/database.ts';
import { verifyPassword } from '../../platform/access/passwords.ts';
import { createThrottle, type Quota } from '../../platform/access/throttle.ts';
import { findCredentials } from './staff.queries.ts';

const WINDOW_SECONDS = 600;
/** Guesses a window: at a name from one address, at it from anywhere, from an address at all. */
const GUESSES = { pair: 10, name: 100, address: 100 };

/** Pairs of name and password that are remembered; a museum has fewer members of staff. */
const REMEMBERED = 1000;

const MAX_LENGTH = 254;

/** The one spelling of a name: case and the encoding of accents do not matter. */
export const staffName = (name: string): string => name.normalize('NFC').toLowerCase();

/** What is wrong with a name for new staff; undefined: nothing. */
export function staffNameFault(name: string): string | undefined {
  return /^[\p{L}\p{M}\p{N}._@-]{1,100}$/u.test(name)
    ? undefined
    : 'A name has 1 to 100 letters, digits and . _ @ - without spaces.';
}

/** The name of the member of staff, `waitSeconds` where guesses are used up, or undefined. */
export type VerifyStaff = (
  name: string,
  password: string,
  ip: string,
) => Promise<string | { waitSeconds: number } | undefined>;

/**
 * Verifies names and passwords. `ip` is an address as `addressKey` gives it.
 *
 * What was found right is remembered together with the stored hash that it is right for. That hash
 * is read anew for every request (one query for all that arrive together), so a password that is
 * changed, or a member who is removed, counts at once and in every process; only the slow hashing
 * is saved. In memory there is an HMAC under a key of this process, never the password.
 */
export function staffVerifier(db: Db, withDemo: boolean): VerifyStaff {
  const find = batchById((names) => findCredentials(db, names, withDemo));
  const guesses = createThrottle(WINDOW_SECONDS);
  const key = randomBytes(32);
  const remembered = new LRUCache<string, string>({ max: REMEMBERED });
  /** The same guess, sent many times at once, is hashed once, and counts once. */
  const underWay = new Map<string, ReturnType<VerifyStaff>>();

  async function guess(name: string, password: string, ip: string, hash: string | undefined) {
    const quotas: Quota[] = [
      [`pair ${ip} ${name}`, GUESSES.pair],
      [`name ${name}`, GUESSES.name],
      [`address ${ip}`, GUESSES.address],
    ];
    const waitSeconds = guesses.take(quotas);
    if (waitSeconds > 0) return { waitSeconds };
    // As long without a hash (nobody has the name) as with one.
    if (!(await verifyPassword(password, hash))) return undefined;
    guesses.giveBack(quotas);
    return name;
  }

  return async (sentName, password, ip) => {
    if (sentName.length > MAX_LENGTH || password.length > MAX_LENGTH) return undefined;
    const name = staffName(sentName);
    const hash = (await find(name))?.password_hash;
    const pair = createHmac('sha256', key)
      .update(JSON.stringify([name, password]))
      .digest('base64');
    if (hash !== undefined && remembered.get(pair) === hash) return name;
    const attempt = `${pair} ${ip} ${hash}`;
    let verdict = underWay.get(attempt);
    if (!verdict) {
      verdict = guess(name, password, ip, hash).finally(() => underWay.delete(attempt));
      underWay.set(attempt, verdict);
    }
    const verified = await verdict;
    if (verified === name && hash !== undefined) remembered.set(pair, hash);
    return verified;
  };
}
