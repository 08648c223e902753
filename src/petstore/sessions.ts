import { createHash, randomBytes } from 'node:crypto';
import type { Db } from '../platform/database/database.ts';
import { verifyPassword } from '../platform/access/passwords.ts';
import { createThrottle, type Quota } from '../platform/access/throttle.ts';
import { findSession, insertSession, type Session } from './sessions.queries.ts';
import { findLogin, usernameKey } from './users.queries.ts';

/** What tells a session token from an access token, which is a JWT and never begins so. */
const PREFIX = 'petstore_session_';
const TOKEN = /^petstore_session_[\w-]{43}$/;

const WINDOW_SECONDS = 600;
/** Guesses a window: at a user from one address, at the user from anywhere, from an address at all. */
const GUESSES = { pair: 10, user: 100, address: 100 };
/** New passwords a window and address: each costs a tenth of a second of work. */
const NEW_PASSWORDS = 300;

/** 256 random bits need no slow hash. */
const hash = (token: string): Buffer => createHash('sha256').update(token).digest();

export const isSessionToken = (token: string): boolean => token.startsWith(PREFIX);

/** A session that was just begun; the token is nowhere but here. */
interface NewSession {
  token: string;
  expiresAt: Date;
}

export interface Sessions {
  /** A new session; undefined where no user has this name and password, at equal cost. */
  logIn(
    username: string,
    password: string,
    address: string,
  ): Promise<NewSession | { waitSeconds: number } | undefined>;
  find(token: string): Promise<Session | undefined>;
  /** Takes new passwords from the quota of an address; answers seconds to wait, else 0. */
  takeNewPasswords(count: number, address: string): number;
}

/** Sessions, throttled in this process. An address is what `addressKey` makes of it. */
export function openSessions(
  { reads, writes }: { reads: Db; writes: Db },
  withDemo: boolean,
): Sessions {
  const guesses = createThrottle(WINDOW_SECONDS);
  const newPasswords = createThrottle(WINDOW_SECONDS);
  return {
    async logIn(username, password, address) {
      const key = usernameKey(username);
      const quotas: Quota[] = [
        [`pair ${address} ${key}`, GUESSES.pair],
        [`user ${key}`, GUESSES.user],
        [`address ${address}`, GUESSES.address],
      ];
      const waitSeconds = guesses.take(quotas);
      if (waitSeconds > 0) return { waitSeconds };
      const user = await findLogin(reads, username, withDemo);
      const passwordHash = user?.password_hash ?? undefined;
      if (!(await verifyPassword(password, passwordHash)) || !user || !passwordHash)
        return undefined;
      guesses.giveBack(quotas);
      const token = PREFIX + randomBytes(32).toString('base64url');
      const session = { userId: user.id, passwordHash, tokenHash: hash(token) };
      const expiresAt = await insertSession(writes, session);
      return expiresAt && { token, expiresAt };
    },
    find: async (token) =>
      TOKEN.test(token) ? findSession(reads, hash(token), withDemo) : undefined,
    takeNewPasswords: (count, address) =>
      newPasswords.take(Array.from({ length: count }, () => [address, NEW_PASSWORDS])),
  };
}
