import type { Db } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { hashPassword, passwordFault, verifyPassword } from '../platform/access/passwords.ts';
import { createThrottle, type Quota } from '../platform/access/throttle.ts';
import { type Account, findAccountByEmail, insertAccount } from './accounts.queries.ts';

const WINDOW_SECONDS = 600;
/** Guesses a window: at an account from one address, at it from anywhere, from an address at all. */
const GUESSES = { pair: 10, account: 100, address: 100 };
const SIGN_UPS = 20;

const MAX_LENGTH = 254;

/** Somebody has to wait that many seconds. */
interface Throttled {
  waitSeconds: number;
}

export interface AccountsOptions {
  db: Db;
  /** False in production: demo accounts do not exist. */
  withDemo: boolean;
}

export interface Accounts {
  /** The account that both belong to; equal work whether or not the address is known. */
  signIn(email: string, password: string, ip: string): Promise<Account | Throttled | undefined>;
  /** The id of the new account, undefined where the address is taken. */
  signUp(email: string, password: string, ip: string): Promise<string | Throttled | undefined>;
}

/** What is wrong with an address or password for a new account, by the name of the field. */
export function accountFaults(email: string, password: string): Record<string, string> {
  const faults: Record<string, string> = {};
  if (email.length > MAX_LENGTH || !/^[^\s@]+@[^\s@]+$/.test(email))
    faults['email'] = 'Enter an email address, such as name@example.com.';
  const fault = passwordFault(password, email);
  if (fault !== undefined) faults['password'] = fault;
  return faults;
}

/** Makes an account; false where the address is taken. Takes as long either way. */
export async function createAccount(db: Db, email: string, password: string) {
  const id = newId();
  const passwordHash = await hashPassword(password);
  return (await insertAccount(db, { id, email, passwordHash, isDemo: false })) ? id : undefined;
}

/** Sign-in and sign-up, throttled in this process. `ip` is an address as `addressKey` gives it. */
export function openAccounts({ db, withDemo }: AccountsOptions): Accounts {
  const guesses = createThrottle(WINDOW_SECONDS);
  const signUps = createThrottle(WINDOW_SECONDS);
  return {
    async signIn(email, password, ip) {
      const name = email.toLowerCase();
      const quotas: Quota[] = [
        [`pair ${ip} ${name}`, GUESSES.pair],
        [`account ${name}`, GUESSES.account],
        [`address ${ip}`, GUESSES.address],
      ];
      const waitSeconds = guesses.take(quotas);
      if (waitSeconds > 0) return { waitSeconds };
      const account = await findAccountByEmail(db, email, withDemo);
      if (!(await verifyPassword(password, account?.password_hash))) return undefined;
      guesses.giveBack(quotas);
      return account;
    },
    async signUp(email, password, ip) {
      const waitSeconds = signUps.take([[ip, SIGN_UPS]]);
      return waitSeconds > 0 ? { waitSeconds } : createAccount(db, email, password);
    },
  };
}
