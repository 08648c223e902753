import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../../../src/config.ts';
import { createLog } from '../../../src/platform/operations/log.ts';
import { loadCredentials } from '../../../src/platform/passes/certificates.ts';
import {
  loadDevelopmentCertificate,
  makeCertificate,
} from '../../../src/platform/passes/development.ts';
import { openPasses } from '../../../src/platform/passes/passes.ts';
import { startServer } from '../../processes.ts';
import { startApp } from '../../harness.ts';
import { certificatesOf, jsonOf, opensslAccepts, readPass } from './pass-file.ts';
import { design, state } from './sample.ts';

const t = await startApp();
afterAll(() => t[Symbol.asyncDispose]());

const directory = mkdtempSync(join(tmpdir(), 'quartet-certificates-'));
afterAll(() => rmSync(directory, { recursive: true }));
const path = (name: string) => join(directory, name);
const text = (name: string) => readFileSync(path(name), 'utf8');
const openssl = (command: string, ...args: string[]) =>
  execFileSync('openssl', [...command.split(' '), ...args], { cwd: directory, stdio: 'pipe' });

// What Apple hands out, as openssl makes it: an authority in DER, a certificate and a key in PEM.
openssl(
  'req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 30 -subj',
  '/C=US/O=Apple Inc./OU=G4/CN=Apple Worldwide Developer Relations Certification Authority',
);
openssl('x509 -in ca.pem -outform DER -out ca.cer');
openssl(
  'req -newkey rsa:2048 -nodes -keyout pass.key -out pass.csr -subj',
  '/UID=pass.com.example.tickets/CN=Pass Type ID: pass.com.example.tickets/OU=A1B2C3D4E5/O=Example & Söhne/C=DE',
);
openssl('x509 -req -in pass.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 20 -out pass.pem');
openssl('req -x509 -newkey rsa:2048 -nodes -keyout own.key -out own.pem -days 30 -subj /CN=own');
openssl('pkey -in pass.key -aes128 -passout pass:secret -out locked.key');
openssl('ecparam -name prime256v1 -genkey -noout -out ec.key');

const apple = {
  PASS_CERT: path('pass.pem'),
  PASS_KEY: path('pass.key'),
  PASS_WWDR: path('ca.cer'),
  PASS_TYPE_ID: 'pass.com.example.tickets',
  PASS_TEAM_ID: 'A1B2C3D4E5',
};

const lines: string[] = [];
const log = createLog('trace', { write: (line: string) => lines.push(line) });
const load = (env: Record<string, string | undefined>) =>
  loadCredentials(loadConfig({ NODE_ENV: 'test', ...env }), t.db, log);

describe('a configured certificate', () => {
  it('signs passes that openssl accepts, from files', async () => {
    const passes = await openPasses({ config: loadConfig(apple), db: t.db, log });
    const files = readPass(await passes.pass(design, state).build());
    expect(jsonOf(files)).toMatchObject({
      passTypeIdentifier: 'pass.com.example.tickets',
      teamIdentifier: 'A1B2C3D4E5',
    });
    expect(certificatesOf(files)[0]?.toString()).toBe(text('pass.pem'));
    expect(opensslAccepts(files, text('ca.pem'))).toEqual({ smime: true, cms: true });
  });

  it('can be text, with line breaks in either form, and needs no identifiers', async () => {
    const env = {
      PASS_CERT: text('pass.pem'),
      PASS_KEY: text('pass.key').replaceAll('\n', '\\n'),
      PASS_WWDR: text('ca.pem'),
    };
    expect(await load(env)).toMatchObject({
      typeId: 'pass.com.example.tickets',
      teamId: 'A1B2C3D4E5',
    });
  });

  it('is warned of when it ends within 30 days', async () => {
    lines.length = 0;
    await load(apple);
    expect(lines.join()).toContain('PASS_CERT ends soon');
  });
});

const expired = await makeCertificate(new Date('2010-01-01T00:00:00Z'));
const coming = await makeCertificate(new Date(Date.now() + 5 * 86_400_000));
const envOf = ({ certificate, private_key, issuer }: typeof expired) => ({
  PASS_CERT: certificate,
  PASS_KEY: private_key,
  PASS_WWDR: issuer,
});
writeFileSync(path('empty.pem'), '');

describe('a start is refused, in one sentence,', () => {
  const G4 =
    'C=US, O=Apple Inc., OU=G4, CN=Apple Worldwide Developer Relations Certification Authority';
  const cases: [string, Record<string, string | undefined>, string | RegExp][] = [
    [
      'a part is missing',
      { PASS_KEY: undefined, PASS_WWDR: undefined },
      'PASS_CERT, PASS_KEY and PASS_WWDR go together; PASS_KEY and PASS_WWDR is not set.',
    ],
    [
      'there is only an identifier',
      { PASS_CERT: undefined, PASS_KEY: undefined, PASS_WWDR: undefined },
      'PASS_TYPE_ID is checked against PASS_CERT, which is not set.',
    ],
    [
      'a file is not there',
      { PASS_CERT: '/nowhere/pass.pem' },
      'PASS_CERT names a file that cannot be read (ENOENT).',
    ],
    [
      'a file is empty',
      { PASS_WWDR: path('empty.pem') },
      'PASS_WWDR holds no certificate: it takes PEM text, or a PEM or DER file.',
    ],
    [
      'the key is something else',
      { PASS_KEY: path('pass.pem') },
      'PASS_KEY holds no private key in PEM.',
    ],
    [
      'the key is locked',
      { PASS_KEY: path('locked.key') },
      'PASS_KEY is encrypted: store it without a passphrase (openssl pkey -in key.pem).',
    ],
    [
      'the key is not RSA',
      { PASS_KEY: path('ec.key') },
      'PASS_KEY is not an RSA key, which pass certificates have.',
    ],
    [
      'the key is of another certificate',
      { PASS_KEY: path('ca.key') },
      'PASS_KEY does not fit PASS_CERT: it is the key of another certificate.',
    ],
    [
      'the authority is another one',
      { PASS_WWDR: path('own.pem') },
      `PASS_WWDR did not issue PASS_CERT, which was issued by ${G4}.`,
    ],
    [
      'the type is another one',
      { PASS_TYPE_ID: 'pass.com.example.other' },
      'PASS_TYPE_ID is pass.com.example.other, but PASS_CERT is for pass.com.example.tickets.',
    ],
    [
      'the team is another one',
      { PASS_TEAM_ID: 'ZZZZZZZZZZ' },
      'PASS_TEAM_ID is ZZZZZZZZZZ, but PASS_CERT is for A1B2C3D4E5.',
    ],
    [
      'it is no pass certificate',
      {
        PASS_CERT: path('own.pem'),
        PASS_KEY: path('own.key'),
        PASS_WWDR: path('own.pem'),
      },
      'PASS_CERT is not a pass certificate: its subject (CN=own) has no UID.',
    ],
    ['it has expired', envOf(expired), /^PASS_CERT expired on 2019-12-31\.$/],
    ['it is not valid yet', envOf(coming), /^PASS_CERT is not valid before \d{4}-\d\d-\d\d\.$/],
  ];

  it.for(cases)('where %s', async ([, env, message]) => {
    const refused: unknown = await load({ ...apple, ...env }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConfigError);
    expect((refused as Error).message).toMatch(message);
    // Never what a variable held: it can be the key.
    expect((refused as Error).message).not.toContain('-----');
  });

  it('which is all that the server writes', async () => {
    const env = { ...apple, PASS_KEY: path('ca.key'), DATA_DIR: 'memory://' };
    await expect(startServer(env)).rejects.toThrow(
      /^Quartet ended \(1\): PASS_KEY does not fit PASS_CERT: it is the key of another certificate\.\n$/,
    );
  });
});

describe('the development certificate', () => {
  it('is one for all who start together on an empty database', async () => {
    await sql`truncate platform.pass_certificates`.execute(t.db);
    const made = await Promise.all(
      Array.from({ length: 5 }, () => loadDevelopmentCertificate(t.db)),
    );
    expect(new Set(made.map(({ certificate }) => certificate)).size).toBe(1);
    const { rows } = await sql`select id from platform.pass_certificates`.execute(t.db);
    expect(rows).toHaveLength(1);
    expect(await loadDevelopmentCertificate(t.db)).toEqual(made[0]);
  });

  it('is replaced before it ends', async () => {
    const before = await loadDevelopmentCertificate(t.db);
    await sql`update platform.pass_certificates set expires_at = now() + interval '300 days'`.execute(
      t.db,
    );
    const after = await loadDevelopmentCertificate(t.db);
    expect(after.certificate).not.toBe(before.certificate);
    expect((await loadDevelopmentCertificate(t.db)).certificate).toBe(after.certificate);
  });

  it('is used in production, too, but not without a word', async () => {
    lines.length = 0;
    await load({ NODE_ENV: 'production' });
    expect(lines.join()).toContain('no device will take the wallet passes');
    lines.length = 0;
    await load({});
    expect(lines).toEqual([]);
  });
});
