import { generateKeyPair, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import type { Db } from '../database/database.ts';
import { newId } from '../ids.ts';
import {
  findPassCertificate,
  insertPassCertificate,
  lockPassCertificates,
  type StoredCertificate,
} from './certificates.queries.ts';
import { der, integer, NULL, octets, oid, sequence, set, tagged, time, utf8 } from './der.ts';

/** What a certificate of our own making is for; no device trusts it. */
const TYPE_ID = 'pass.quartet.development';
const TEAM_ID = 'QUARTETDEV';

const YEARS = 10;
/** A certificate that ends sooner is not used any more when a process starts. */
const DAYS_LEFT = 365;

/**
 * The certificate that passes are signed with where none is configured. Processes that start
 * together on an empty database share the one that the first of them makes.
 */
export async function loadDevelopmentCertificate(db: Db): Promise<StoredCertificate> {
  const found = await findPassCertificate(db, DAYS_LEFT);
  if (found) return found;
  const made = await makeCertificate();
  return db.transaction().execute(async (tx) => {
    await lockPassCertificates(tx);
    const others = await findPassCertificate(tx, DAYS_LEFT);
    if (others) return others;
    await insertPassCertificate(tx, { id: newId(), ...made });
    return made;
  });
}

/** A pass certificate and the authority above it, whose key is forgotten once it has signed. */
export async function makeCertificate(now = new Date()): Promise<StoredCertificate> {
  const [authority, signer] = await Promise.all([generateKey(), generateKey()]);
  // A day early, for devices whose clock is slow; whole seconds, as certificates have them.
  const from = new Date(Math.floor(now.getTime() / 1000) * 1000 - 86_400_000);
  const until = new Date(from);
  until.setUTCFullYear(from.getUTCFullYear() + YEARS);
  const authorityName = name([COMMON_NAME, 'Quartet authority for development'], [UNIT, TEAM_ID]);
  const signerName = name(
    [USER_ID, TYPE_ID],
    [COMMON_NAME, `Pass Type ID: ${TYPE_ID}`],
    [UNIT, TEAM_ID],
  );

  const issue = (subject: Buffer, key: KeyObject, extensions: Buffer[]): string => {
    // RFC 5280, section 4.1.
    const toBeSigned = sequence(
      tagged(0, integer(2)),
      der(0x02, serialNumber()),
      SHA_256_WITH_RSA,
      authorityName,
      sequence(time(from), time(until)),
      subject,
      key.export({ type: 'spki', format: 'der' }),
      tagged(3, sequence(...extensions)),
    );
    const signature = sign('sha256', toBeSigned, authority.privateKey);
    const certificate = sequence(toBeSigned, SHA_256_WITH_RSA, bits(0, signature));
    return new X509Certificate(certificate).toString();
  };
  return {
    issuer: issue(authorityName, authority.publicKey, [
      critical(BASIC_CONSTRAINTS, sequence(TRUE)),
      critical(KEY_USAGE, bits(2, Buffer.from([0b0000_0100]))), // keyCertSign
    ]),
    certificate: issue(signerName, signer.publicKey, [
      critical(BASIC_CONSTRAINTS, sequence()),
      critical(KEY_USAGE, bits(7, Buffer.from([0b1000_0000]))), // digitalSignature
    ]),
    private_key: signer.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    expires_at: until,
  };
}

const generateKey = () => promisify(generateKeyPair)('rsa', { modulusLength: 2048 });

const SHA_256_WITH_RSA = sequence(oid('1.2.840.113549.1.1.11'), NULL);
const BASIC_CONSTRAINTS = oid('2.5.29.19');
const KEY_USAGE = oid('2.5.29.15');
const COMMON_NAME = oid('2.5.4.3');
const UNIT = oid('2.5.4.11');
const USER_ID = oid('0.9.2342.19200300.100.1.1');
const TRUE = der(0x01, Buffer.from([0xff]));

const name = (...attributes: [type: Buffer, value: string][]) =>
  sequence(...attributes.map(([type, value]) => set(sequence(type, utf8(value)))));

const critical = (type: Buffer, value: Buffer) => sequence(type, TRUE, octets(value));

/** A bit string whose last byte has `unused` bits that do not count. */
const bits = (unused: number, bytes: Uint8Array) => der(0x03, Buffer.from([unused]), bytes);

/** 126 random bits, positive and without a leading zero byte. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}
