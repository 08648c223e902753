import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { importJWK, SignJWT } from 'jose';
import { afterAll, inject } from 'vitest';
import { buildApp, type Quartet } from '../src/app.ts';
import { type Config, loadConfig } from '../src/config.ts';
import { listPrivateKeys } from '../src/oauth/keys/signing-keys.queries.ts';
import { type Database, type Db, openDatabase } from '../src/platform/database/database.ts';
import { newId } from '../src/platform/ids.ts';
import { createLog } from '../src/platform/operations/log.ts';
import type { PaymentGateway } from '../src/train/payments/gateway.ts';
import { ourTargets } from './conformance/documents.ts';
import { watchApp } from './conformance/watch.ts';
import { type Given, given } from './given.ts';
import { onServer, SCRATCH, serverUrl, TEST_ENV } from './template.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What each test's database is a copy of: a directory, or a database of the server. */
    template: string;
  }
}

/** The engine that this run of the suite is for. */
export const ENGINE = process.env['TEST_ENGINE'] === 'postgresql' ? 'postgresql' : 'embedded';

export interface TestApp extends AsyncDisposable {
  app: FastifyInstance;
  quartet: Quartet;
  config: Config;
  db: Db;
  database: Database;
  /** Where the database is, for other processes that use it. */
  databaseEnv: Record<string, string>;
  inject(options: InjectOptions): Promise<LightMyRequestResponse>;
  /** Listens on a free port of 127.0.0.1; answers the base URL. */
  listen(): Promise<string>;
  /** Headers with a valid access token of `subject`. */
  as(subject?: string, scope?: string): Promise<{ authorization: string }>;
  given: Given;
}

export interface StartOptions {
  env?: Record<string, string>;
  gateway?: PaymentGateway;
  /** Where the log goes; nowhere unless given. */
  log?: { write(line: string): void };
}

/** A database of its own, migrated and seeded, that is gone with its scope. */
export async function createDatabase(): Promise<
  { env: { DATABASE_URL: string } | { DATA_DIR: string } } & AsyncDisposable
> {
  const template = inject('template');
  if (ENGINE === 'postgresql') {
    const name = `quartet_test_${randomUUID().replaceAll('-', '')}`;
    await onServer(`create database ${name} template ${template}`);
    return {
      env: { DATABASE_URL: serverUrl(name) },
      [Symbol.asyncDispose]: () => onServer(`drop database ${name} with (force)`),
    };
  }
  const directory = await mkdtemp(join(SCRATCH, 'quartet-test-'));
  cpSync(template, directory, { recursive: true }); // five times as fast as the one that waits
  return {
    env: { DATA_DIR: directory },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

/** The application on a fresh database of the engine under test; disposing of it leaves nothing. */
export async function startApp(options: StartOptions = {}): Promise<TestApp> {
  const created = await createDatabase();
  const config = loadConfig({ ...TEST_ENV, ...created.env, ...options.env });
  const log = createLog(options.log ? 'trace' : 'silent', options.log);
  const database = await openDatabase(config, log);
  const quartet = await buildApp({
    config,
    database,
    log,
    ...(options.gateway && { gateway: options.gateway }),
  });
  const { app } = quartet;
  await app.ready();
  watchApp(app, await ourTargets(config));

  return {
    app,
    quartet,
    config,
    db: database.db,
    database,
    databaseEnv: created.env,
    inject: (request) => app.inject(request),
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    as: (subject = `user-${newId()}`, scope = 'read write') =>
      authorize(database.db, config.PUBLIC_URL, subject, scope),
    given: given(database.db),
    async [Symbol.asyncDispose]() {
      await app.close();
      await quartet.webhooks.stop();
      await quartet.oauth.stop();
      await database.close();
      await created[Symbol.asyncDispose]();
    },
  };
}

/** `startApp` for all tests of a file together; gone after the last. */
export async function sharedApp(options: StartOptions = {}): Promise<TestApp> {
  const t = await startApp(options);
  afterAll(() => t[Symbol.asyncDispose]());
  return t;
}

/** An access token as the authorization server signs it, for whatever subject a test needs. */
async function authorize(db: Db, issuer: string, subject: string, scope: string) {
  const [key] = await listPrivateKeys(db);
  if (!key) throw new Error('The database has no signing key.');
  const token = await new SignJWT({ client_id: 'test-client', scope })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid })
    .setIssuer(issuer)
    .setAudience(issuer)
    .setSubject(subject)
    .setIssuedAt()
    .setExpirationTime('10m')
    .setJti(newId())
    .sign(await importJWK(key.private_jwk, 'ES256'));
  return { authorization: `Bearer ${token}` };
}
