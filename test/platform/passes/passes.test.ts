import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { PKPass } from 'passkit-generator';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../../src/platform/operations/log.ts';
import {
  findPassCertificate,
  type StoredCertificate,
} from '../../../src/platform/passes/certificates.queries.ts';
import { makeCertificate } from '../../../src/platform/passes/development.ts';
import { loadDesign } from '../../../src/platform/passes/design.ts';
import { openPasses } from '../../../src/platform/passes/passes.ts';
import { sharedApp } from '../../harness.ts';
import {
  authorityOf,
  certificatesOf,
  jsonOf,
  opensslAccepts,
  type PassFiles,
  readPass,
  readSignature,
  sha1,
} from './pass-file.ts';
import { design, state } from './sample.ts';

const t = await sharedApp();
const open = (env = {}) =>
  openPasses({ config: { ...t.config, ...env }, db: t.db, log: createLog('silent') });
const passes = await open();
const bytes = await passes.pass(design, state).build();
const files = readPass(bytes);

/** Flips a bit in the middle of a file. */
function changed(name: string): PassFiles {
  const copy = Uint8Array.from(files[name] ?? []);
  const middle = copy.length >> 1;
  copy[middle] = (copy[middle] ?? 0) ^ 1;
  return { ...files, [name]: copy };
}

const stored = async (): Promise<StoredCertificate> => {
  const found = await findPassCertificate(t.db, 0);
  if (!found) throw new Error('No certificate was made.');
  return found;
};

const envOf = ({ certificate, private_key, issuer }: StoredCertificate) => ({
  PASS_CERT: certificate,
  PASS_KEY: private_key,
  PASS_WWDR: issuer,
});

describe('a pass', () => {
  it('has exactly the files of its manifest, each with its SHA-1', () => {
    const manifest = jsonOf(files, 'manifest.json');
    const { 'manifest.json': _, signature, ...listed } = files;
    expect(signature?.length).toBeGreaterThan(1000);
    expect(Object.keys(manifest).sort()).toEqual(Object.keys(listed).sort());
    for (const [name, content] of Object.entries(listed))
      expect([name, manifest[name]]).toEqual([name, sha1(content)]);
  });

  it('has an icon, a logo and a strip in three densities, and texts in three languages', () => {
    const names = Object.keys(files);
    for (const image of ['icon', 'logo', 'strip'])
      for (const density of ['', '@2x', '@3x']) expect(names).toContain(`${image}${density}.png`);
    // Width and height, where PNG has them.
    const size = (name: string) => {
      const png = Buffer.from(files[name] ?? []);
      return [png.readUInt32BE(16), png.readUInt32BE(20)];
    };
    expect(size('icon.png')).toEqual([29, 29]);
    expect(size('icon@3x.png')).toEqual([87, 87]);
    expect(size('strip.png')).toEqual([375, 98]);
    expect(size('strip@2x.png')).toEqual([750, 196]);
    expect(size('logo@3x.png')[1]).toBe(150);
    const texts = (language: string) =>
      `${Buffer.from(files[`${language}.lproj/pass.strings`] ?? [])}`;
    expect(texts('en')).toBe('"The \\"Sample\\"" = "The \\"Sample\\"";\n"Date" = "Date";\n');
    expect(texts('fr')).toContain('"Date" = "Date\\nde visite";\n');
    expect(texts('de')).toContain('"The \\"Sample\\"" = "Das Muster \\\\ die Probe";\n');
  });

  it('says all that Wallet asks for', () => {
    const code = {
      format: 'PKBarcodeFormatQR',
      message: state.barcode.message,
      messageEncoding: 'iso-8859-1',
      altText: 'ticket-sample',
    };
    expect(jsonOf(files)).toEqual({
      formatVersion: 1,
      passTypeIdentifier: 'pass.quartet.development',
      teamIdentifier: 'QUARTETDEV',
      serialNumber: state.serialNumber,
      description: 'A sample',
      organizationName: 'The "Sample"',
      logoText: 'The "Sample"',
      foregroundColor: 'rgb(255, 255, 255)',
      backgroundColor: 'rgb(38, 34, 54)',
      labelColor: 'rgb(233, 196, 106)',
      relevantDate: state.relevantDate,
      relevantDates: [{ date: state.relevantDate, relevantDate: state.relevantDate }],
      expirationDate: state.expirationDate,
      barcodes: [code],
      barcode: code,
      // The keys of the design are English here, for readers that know no translations.
      eventTicket: {
        primaryFields: [{ key: 'name', label: 'The "Sample"', value: 'Łukasz 李 & Söhne' }],
        secondaryFields: [
          {
            key: 'date',
            label: 'Date',
            value: '2030-06-01T10:00:00+02:00',
            dateStyle: 'PKDateStyleMedium',
            timeStyle: 'PKDateStyleNone',
            ignoresTimeZone: true,
          },
        ],
      },
    });
  });

  it('is voided where its state says so', async () => {
    const voided = await passes.pass(design, { ...state, voided: true }).build();
    expect(jsonOf(readPass(voided)).voided).toBe(true);
    expect(jsonOf(files)).not.toHaveProperty('voided');
  });
});

describe('a design', () => {
  const images = new URL('../../../src/museum/pass/', import.meta.url);
  const colors = { foreground: '', background: '', label: '' };
  const load = (en: object, fr: object, de: object) => () =>
    loadDesign({ images, organizationName: '', colors, texts: { en, fr, de } as never });

  it('is refused where a text is missing, or two share the English but not the rest', () => {
    expect(load({ A: 'a' }, { A: 'a' }, {})).toThrow('A has no text in de.');
    expect(load({ A: 'a', B: 'a' }, { A: 'b', B: 'c' }, { A: 'd', B: 'd' })).toThrow(
      'B is not the only text that is "a" in English.',
    );
    expect(load({ A: 'a', B: 'a' }, { A: 'b', B: 'b' }, { A: 'd', B: 'd' })).not.toThrow();
  });

  it('needs an icon', () => {
    const nowhere = new URL('./', import.meta.url);
    expect(() =>
      loadDesign({
        images: nowhere,
        organizationName: '',
        colors,
        texts: { en: {}, fr: {}, de: {} },
      }),
    ).toThrow(/has no icon\.png/);
  });
});

describe('the signature', () => {
  it('is accepted by openssl, and by pkijs', async () => {
    expect(opensslAccepts(files)).toEqual({ smime: true, cms: true });
    const data = Uint8Array.from(files['manifest.json'] ?? []).buffer;
    expect(await readSignature(files).verify({ signer: 0, data })).toBe(true);
  });

  it('is refused after a byte has changed, and under another authority', async () => {
    const refused = { smime: false, cms: false };
    expect(opensslAccepts(changed('manifest.json'), authorityOf(files))).toEqual(refused);
    expect(opensslAccepts(changed('signature'), authorityOf(files))).toEqual(refused);
    expect(opensslAccepts(files, (await makeCertificate()).issuer)).toEqual(refused);
  });

  it('has the signing time, and the certificates of signer and authority', async () => {
    const [signer, authority, ...others] = certificatesOf(files);
    const { certificate, issuer } = await stored();
    expect([signer?.toString(), authority?.toString()]).toEqual([certificate, issuer]);
    expect(others).toEqual([]);
    const { attributes = [] } = readSignature(files).signerInfos[0]?.signedAttrs ?? {};
    const signedAt = attributes.find(({ type }) => type === '1.2.840.113549.1.9.5');
    expect(signedAt?.values[0].toDate()).toEqual(new Date('2030-05-06T07:08:09Z'));
  });

  it('is never older than its certificate', async () => {
    const early = { ...state, lastModified: new Date('2001-02-03T04:05:06Z') };
    const { attributes = [] } =
      readSignature(readPass(await passes.pass(design, early).build())).signerInfos[0]
        ?.signedAttrs ?? {};
    const signedAt = attributes.find(({ type }) => type === '1.2.840.113549.1.9.5');
    expect(signedAt?.values[0].toDate()).toEqual(certificatesOf(files)[0]?.validFromDate);
  });
});

describe('the same state', () => {
  it('is the same bytes under the same tag, in another process and timezone, too', async () => {
    const env = envOf(await stored());
    const configured = await open(env);
    expect(await passes.pass(design, state).build()).toEqual(bytes);
    expect(await configured.pass(design, state).build()).toEqual(bytes);
    expect(configured.pass(design, state).etag).toBe(passes.pass(design, state).etag);
    const elsewhere = execFileSync(
      process.execPath,
      [fileURLToPath(new URL('build.ts', import.meta.url))],
      {
        env: { ...env, TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8' },
      },
    );
    expect(elsewhere.equals(bytes)).toBe(true);
  });

  it('has another tag as soon as anything differs', async () => {
    const other = await open(envOf(await makeCertificate()));
    const tags = [
      passes.pass(design, state),
      passes.pass(design, { ...state, voided: true }),
      passes.pass(design, { ...state, lastModified: new Date('2030-05-06T07:08:10Z') }),
      passes.pass({ ...design, fingerprint: 'another' }, state),
      other.pass(design, state),
    ].map(({ etag }) => etag);
    expect(new Set(tags).size).toBe(tags.length);
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+"$/);
  });
});

describe('passkit-generator, given the same data,', () => {
  it('makes the same files, texts apart, and a signature of the same structure', async () => {
    const { certificate, private_key, issuer } = await stored();
    const images = Object.fromEntries(
      Object.entries(files)
        .filter(([name]) => name.endsWith('.png'))
        .map(([name, content]) => [name, Buffer.from(content)]),
    );
    const { barcode: _, barcodes: __, ...json } = jsonOf(files);
    const pass = new PKPass(
      { ...images, 'pass.json': Buffer.from(JSON.stringify(json)) },
      { wwdr: issuer, signerCert: certificate, signerKey: private_key },
    );
    const { barcodes } = jsonOf(files);
    pass.setBarcodes(barcodes[0]);
    for (const language of ['en', 'fr', 'de']) pass.localize(language, { SAMPLE_NAME: language });
    const theirs = readPass(pass.getAsBuffer());

    expect(Object.keys(files).sort()).toEqual(Object.keys(theirs).sort());
    // They write times in UTC, add what is empty, and leave the code of old devices out.
    const plain = (each: PassFiles) => {
      const { barcode: ___, ...rest } = jsonOf(each);
      return JSON.parse(JSON.stringify(rest), (_key, value) =>
        /^\d{4}-\d\d-\d\dT/.test(value)
          ? Date.parse(value)
          : value?.length === 0
            ? undefined
            : value,
      );
    };
    expect(plain(files)).toEqual(plain(theirs));
    const manifest = jsonOf(theirs, 'manifest.json');
    for (const [name, digest] of Object.entries(jsonOf(files, 'manifest.json')))
      if (name.endsWith('.png')) expect([name, manifest[name]]).toEqual([name, digest]);

    const structure = (each: PassFiles) => {
      const signed = readSignature(each);
      const [signer, ...more] = signed.signerInfos;
      return {
        version: signed.version,
        content: signed.encapContentInfo.eContentType,
        isDetached: signed.encapContentInfo.eContent === undefined,
        certificates: certificatesOf(each)
          .map((one) => one.fingerprint256)
          .sort(),
        signers: 1 + more.length,
        signedBy: signer?.sid.serialNumber.toBigInt(),
        algorithm: signer?.signatureAlgorithm.algorithmId,
        attributes: signer?.signedAttrs?.attributes.map(({ type }) => type).sort(),
      };
    };
    expect(structure(files)).toEqual(structure(theirs));
  });
});
