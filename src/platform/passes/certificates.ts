import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { ConfigError } from '../../config.ts';
import type { Db } from '../database/database.ts';
import { loadDevelopmentCertificate } from './development.ts';

export interface PassOptions {
  NODE_ENV: string;
  PASS_CERT?: string;
  PASS_KEY?: string;
  PASS_WWDR?: string;
  PASS_TYPE_ID?: string;
  PASS_TEAM_ID?: string;
}

/** What passes are signed with: checked, and known to fit together. */
export interface Credentials {
  certificate: X509Certificate;
  /** The certificate that issued the other one. */
  issuer: X509Certificate;
  privateKey: KeyObject;
  typeId: string;
  teamId: string;
}

const NAMES = ['PASS_CERT', 'PASS_KEY', 'PASS_WWDR'] as const;
type Name = (typeof NAMES)[number];

/** Days before its end from which on a configured certificate is warned of. */
const WARNING_DAYS = 30;

/**
 * The configured certificate, else the development one of this database. Throws ConfigError where
 * what is configured does not fit together: it says what in one sentence.
 */
export async function loadCredentials(options: PassOptions, db: Db, log: Logger) {
  if (NAMES.some((name) => options[name] !== undefined)) {
    const credentials = readCredentials(options, new Date());
    const left = credentials.certificate.validToDate.getTime() - Date.now();
    if (left < WARNING_DAYS * 86_400_000)
      log.warn({ until: credentials.certificate.validToDate }, 'PASS_CERT ends soon');
    return credentials;
  }
  for (const name of ['PASS_TYPE_ID', 'PASS_TEAM_ID'] as const)
    if (options[name] !== undefined)
      throw new ConfigError(`${name} is checked against PASS_CERT, which is not set.`);
  if (options.NODE_ENV === 'production')
    log.warn('PASS_CERT is not set: no device will take the wallet passes');
  const made = await loadDevelopmentCertificate(db);
  return readCredentials(
    { PASS_CERT: made.certificate, PASS_KEY: made.private_key, PASS_WWDR: made.issuer },
    new Date(),
  );
}

/** Reads and checks; pure but for files that are named. */
function readCredentials(options: Omit<PassOptions, 'NODE_ENV'>, now: Date): Credentials {
  const missing = NAMES.filter((name) => options[name] === undefined);
  if (missing.length > 0)
    throw new ConfigError(
      `PASS_CERT, PASS_KEY and PASS_WWDR go together; ${missing.join(' and ')} is not set.`,
    );
  const certificate = readCertificate('PASS_CERT', options.PASS_CERT);
  const privateKey = readPrivateKey(options.PASS_KEY);
  const issuer = readCertificate('PASS_WWDR', options.PASS_WWDR);
  if (!certificate.checkPrivateKey(privateKey))
    throw new ConfigError('PASS_KEY does not fit PASS_CERT: it is the key of another certificate.');
  if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey))
    throw new ConfigError(
      `PASS_WWDR did not issue PASS_CERT, which was issued by ${inOneLine(certificate.issuer)}.`,
    );
  requireValid('PASS_CERT', certificate, now);
  requireValid('PASS_WWDR', issuer, now);
  return {
    certificate,
    issuer,
    privateKey,
    typeId: requireSubject(certificate, 'UID', 'PASS_TYPE_ID', options.PASS_TYPE_ID),
    teamId: requireSubject(certificate, 'OU', 'PASS_TEAM_ID', options.PASS_TEAM_ID),
  };
}

const inOneLine = (name: string) => name.replaceAll('\n', ', ');

/** PEM text itself, also with line breaks written as \n, or what is in the file of that name. */
function readText(name: Name, text = ''): Buffer {
  if (text.includes('-----BEGIN')) return Buffer.from(text.replaceAll('\\n', '\n'));
  try {
    return readFileSync(text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${name} names a file that cannot be read (${code}).`);
  }
}

function readCertificate(name: Name, text: string | undefined): X509Certificate {
  const bytes = readText(name, text);
  try {
    // Apple hands out its own as DER, which is read as well.
    return new X509Certificate(bytes);
  } catch {
    throw new ConfigError(`${name} holds no certificate: it takes PEM text, or a PEM or DER file.`);
  }
}

function readPrivateKey(text: string | undefined): KeyObject {
  const bytes = readText('PASS_KEY', text);
  let key: KeyObject;
  try {
    key = createPrivateKey(bytes);
  } catch (error) {
    throw new ConfigError(
      (error as NodeJS.ErrnoException).code === 'ERR_MISSING_PASSPHRASE' ||
        bytes.includes('ENCRYPTED')
        ? 'PASS_KEY is encrypted: store it without a passphrase (openssl pkey -in key.pem).'
        : 'PASS_KEY holds no private key in PEM.',
    );
  }
  // Also what makes passes reproducible: an ECDSA signature is another one each time.
  if (key.asymmetricKeyType !== 'rsa')
    throw new ConfigError('PASS_KEY is not an RSA key, which pass certificates have.');
  return key;
}

const day = (date: Date) => date.toISOString().slice(0, 10);

function requireValid(name: Name, { validFromDate, validToDate }: X509Certificate, now: Date) {
  if (now > validToDate) throw new ConfigError(`${name} expired on ${day(validToDate)}.`);
  if (now < validFromDate)
    throw new ConfigError(`${name} is not valid before ${day(validFromDate)}.`);
}

/** What the certificate's subject says; where `wanted` is given too, both must be the same. */
function requireSubject(
  { subject }: X509Certificate,
  attribute: 'UID' | 'OU',
  name: 'PASS_TYPE_ID' | 'PASS_TEAM_ID',
  wanted: string | undefined,
): string {
  const value = new RegExp(`^${attribute}=(.+)$`, 'm').exec(subject)?.[1];
  if (value === undefined)
    throw new ConfigError(
      `PASS_CERT is not a pass certificate: its subject (${inOneLine(subject)}) has no ${attribute}.`,
    );
  if (wanted !== undefined && wanted !== value)
    throw new ConfigError(`${name} is ${wanted}, but PASS_CERT is for ${value}.`);
  return value;
}
