import { execFileSync } from 'node:child_process';
import { hash, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromBER } from 'asn1js';
import { unzipSync } from 'fflate';
import { ContentInfo, SignedData } from 'pkijs';

export type PassFiles = Record<string, Uint8Array>;

/** What is in a pass, read by a ZIP reader that is not ours. */
export const readPass = (pass: Buffer): PassFiles => unzipSync(pass);

export const jsonOf = (files: PassFiles, name = 'pass.json') =>
  JSON.parse(Buffer.from(files[name] ?? []).toString());

export const sha1 = (bytes: Uint8Array) => hash('sha1', bytes);

/** The signature as pkijs reads it. */
export function readSignature({ signature = new Uint8Array() }: PassFiles): SignedData {
  const { result } = fromBER(Uint8Array.from(signature).buffer);
  return new SignedData({ schema: new ContentInfo({ schema: result }).content });
}

/** The certificates in the signature, by subject. */
export function certificatesOf(files: PassFiles): X509Certificate[] {
  const certificates = readSignature(files).certificates ?? [];
  return certificates.map((each) => new X509Certificate(Buffer.from(each.toSchema().toBER(false))));
}

/** The authority that a pass was signed under, as PEM. */
export function authorityOf(files: PassFiles): string {
  const authority = certificatesOf(files).find(({ ca }) => ca);
  if (!authority) throw new Error('The signature names no authority.');
  return authority.toString();
}

/** Whether openssl accepts signature and manifest under the authority, as each command does it. */
export function opensslAccepts(files: PassFiles, authority = authorityOf(files)) {
  const directory = mkdtempSync(join(tmpdir(), 'quartet-pass-'));
  try {
    for (const name of ['signature', 'manifest.json'])
      writeFileSync(join(directory, name), files[name] ?? '');
    writeFileSync(join(directory, 'authority.pem'), authority);
    const isAccepted = (command: string) => {
      const options =
        `${command} -verify -inform DER -in signature -content manifest.json ` +
        '-CAfile authority.pem -purpose any';
      try {
        execFileSync('openssl', options.split(' '), { cwd: directory, stdio: 'pipe' });
        return true;
      } catch (error) {
        // Not where openssl itself is missing.
        if ((error as { status?: number }).status === undefined) throw error;
        return false;
      }
    };
    return { smime: isAccepted('smime'), cms: isAccepted('cms') };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
