import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

interface Cost {
  log2N: number;
  r: number;
  p: number;
}

/** 32 MiB and some 100 ms a hash: OWASP's setting for scrypt at N = 2^15. */
const COST: Cost = { log2N: 15, r: 8, p: 3 };
const KEY_BYTES = 32;

function derive(password: string, salt: Buffer, { log2N, r, p }: Cost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** log2N, r, p, maxmem: 2 ** log2N * r * 256 };
  return new Promise((resolve, reject) =>
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );
}

/** `scrypt$log2N$r$p$salt$key`, so that the cost can rise later without breaking old hashes. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST);
  const { log2N, r, p } = COST;
  return ['scrypt', log2N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** What nobody's password hashes to, at the usual cost. */
const NOBODY = `scrypt$${COST.log2N}$${COST.r}$${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Whether `hash` is that of `password`; without a hash (an unknown user) false, at equal cost. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, log2N, r, p, salt = '', key = ''] = (hash ?? NOBODY).split('$');
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost);
  const expected = Buffer.from(key, 'base64url');
  return derived.length === expected.length && timingSafeEqual(derived, expected) && !!hash;
}

const SHORTEST = 8;
const LONGEST = 254;

/** What is wrong with a password that somebody chose for `name`; undefined: nothing. */
export function passwordFault(password: string, name: string): string | undefined {
  if ([...password].length < SHORTEST)
    return `Enter a password of at least ${SHORTEST} characters.`;
  if (password.length > LONGEST) return `Enter a password of at most ${LONGEST} characters.`;
  if (/^(.)\1*$|^12345678|^password/i.test(password) || password === name)
    return 'That password is guessed first. Choose another.';
  return undefined;
}
