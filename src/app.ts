import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { docsCredentials } from './docs-credentials.ts';
import { museum } from './museum/index.ts';
import { seedDemoMuseum, seedHours } from './museum/seed/seed.ts';
import { type Oauth, openOauth } from './oauth/index.ts';
import { seedLearning } from './learning/examples.ts';
import { learning } from './learning/index.ts';
import { landing } from './learning/landing/root.routes.ts';
import type { Database } from './platform/database/database.ts';
import { type Readiness, serveHealth } from './platform/operations/health.ts';
import { createHttp } from './platform/http/http.ts';
import { serveDocs } from './platform/docs/docs.routes.ts';
import type { Documents } from './platform/documents/documents.ts';
import { serveDocuments } from './platform/documents/files.ts';
import { serveMetrics } from './platform/operations/metrics.ts';
import { serveProblemPages } from './platform/problems/problems.routes.ts';
import { openPasses } from './platform/passes/passes.ts';
import { createRateLimit } from './platform/http/rate-limit.ts';
import { petstoreAliases } from './petstore/aliases.ts';
import { seedPetstore } from './petstore/demo.ts';
import { petstore } from './petstore/index.ts';
import { type PaymentGateway, sandboxGateway } from './train/payments/gateway.ts';
import { train } from './train/index.ts';
import { extendTimetable, seedTimetable } from './train/timetable/timetable.ts';
import { openWebhooks, type Webhooks } from './webhooks/index.ts';

export interface QuartetOptions {
  config: Config;
  /** Migrated. */
  database: Database;
  log: Logger;
  gateway?: PaymentGateway;
}

/** The application and what runs beside it. */
export interface Quartet extends Required<QuartetOptions> {
  app: FastifyInstance;
  oauth: Oauth;
  webhooks: Webhooks;
  readiness: Readiness;
}

/** The whole application, ready to listen or to inject into. */
export async function buildApp(options: QuartetOptions): Promise<Quartet> {
  const { config, database, log, gateway = sandboxGateway() } = options;
  const rateLimit = createRateLimit(config);
  const { app, ready } = await createHttp(
    config,
    log,
    rateLimit,
    petstoreAliases(config.PETSTORE_BASE_PATH),
  );
  const oauth = await openOauth({ config, db: database.db, log, rateLimit });
  const passes = await openPasses({ config, db: database.db, log });

  const registry = serveMetrics(app, database);
  const documents: Documents = new Map();
  const readiness = serveHealth(app, database);
  const { signToken } = oauth;
  const webhooks = openWebhooks({ config, database, log, registry, signToken });
  readiness.require(webhooks.isWorking, 'The webhook dispatcher does not work.');
  serveProblemPages(app, config.PUBLIC_URL);
  await app.register(oauth.plugin);
  await app.register(train, {
    prefix: config.TRAIN_BASE_PATH,
    config,
    database,
    rateLimit,
    verify: oauth.verify,
    gateway,
    webhooks,
    passes,
    documents,
  });
  await app.register(museum, {
    prefix: config.MUSEUM_BASE_PATH,
    config,
    database,
    rateLimit,
    passes,
    webhooks,
    documents,
  });
  await app.register(petstore, {
    prefix: config.PETSTORE_BASE_PATH,
    config,
    database,
    rateLimit,
    verify: oauth.verify,
    documents,
  });
  await app.register(learning, {
    prefix: config.LEARNING_BASE_PATH,
    config,
    database,
    rateLimit,
    documents,
  });
  if (config.LEARNING_BASE_PATH !== '') await app.register(landing, { config, rateLimit });
  serveDocuments(app, documents);
  serveDocs(app, documents, {
    publicUrl: config.PUBLIC_URL,
    credentials: docsCredentials(config),
  });
  ready();
  return { config, database, log, gateway, app, oauth, webhooks, readiness };
}

/** Fills what the services stand on; where it is there already, this costs a query or two. */
export async function seed({ config, database: { db }, oauth }: Quartet): Promise<void> {
  await seedTimetable(db);
  await extendTimetable(db, config.TIMETABLE_DAYS);
  await seedHours(db, config.MUSEUM_TIMEZONE);
  if (config.NODE_ENV === 'production') return;
  await oauth.seedDemo();
  await seedDemoMuseum(db);
  await seedPetstore(db);
  await seedLearning(db);
}
