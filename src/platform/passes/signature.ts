import { hash, sign, type X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import type { Credentials } from './certificates.ts';
import { integer, members, NULL, octets, oid, sequence, set, tagged, time } from './der.ts';

/** Signs as Wallet wants it: detached PKCS#7 (CMS) with the chain and the time, as DER. */
export type Sign = (content: Uint8Array, at: Date) => Promise<Buffer>;

const DATA = oid('1.2.840.113549.1.7.1');
const SIGNED_DATA = oid('1.2.840.113549.1.7.2');
const CONTENT_TYPE = oid('1.2.840.113549.1.9.3');
const MESSAGE_DIGEST = oid('1.2.840.113549.1.9.4');
const SIGNING_TIME = oid('1.2.840.113549.1.9.5');
const SHA_256 = sequence(oid('2.16.840.1.101.3.4.2.1'), NULL);
const RSA = sequence(oid('1.2.840.113549.1.1.1'), NULL);

/** Node's pool of threads computes it; the event loop goes on. */
const signInBackground = promisify(sign);

/**
 * Writes down once what is the same in every signature. RSA with PKCS #1 v1.5: the same content and
 * time have the same signature, whoever signs. RFC 5652, section 5.
 */
export function createSigner({ certificate, issuer, privateKey }: Credentials): Sign {
  const certificates = tagged(0, certificate.raw, issuer.raw);
  const signer = issuerAndSerialNumber(certificate);
  const contentType = sequence(CONTENT_TYPE, set(DATA));

  return async (content, at) => {
    const attributes = [
      contentType,
      sequence(SIGNING_TIME, set(time(at))),
      sequence(MESSAGE_DIGEST, set(octets(hash('sha256', content, 'buffer')))),
    ];
    // Signed as the set that they are, sent with the tag of their place.
    const signature = await signInBackground('sha256', set(...attributes), privateKey);
    const signerInfo = sequence(
      integer(1),
      signer,
      SHA_256,
      tagged(0, ...attributes),
      RSA,
      octets(signature),
    );
    const signedData = sequence(
      integer(1),
      set(SHA_256),
      sequence(DATA),
      certificates,
      set(signerInfo),
    );
    return sequence(SIGNED_DATA, tagged(0, signedData));
  };
}

/** How a signature names its certificate, in the bytes of the certificate itself. */
function issuerAndSerialNumber({ raw }: X509Certificate): Buffer {
  const [toBeSigned = raw] = members(raw);
  // After an optional [0] version: serialNumber, signature, issuer.
  const fields = members(toBeSigned).filter((field) => field[0] !== 0xa0);
  const [serialNumber, , issuer] = fields;
  if (!serialNumber || !issuer) throw new TypeError('This is not a certificate.');
  return sequence(issuer, serialNumber);
}
