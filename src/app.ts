import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { type Oauth, openOauth } from './oauth/index.ts';
import { seedLearning } from './learning/examples.ts';
import { learning } from './learning/index.ts';
import { landing } from './learning/landing/root.routes.ts';
import type { Database } from './platform/database.ts';
import { type Readiness, serveHealth } from './platform/health.ts';
import { createHttp } from './platform/http.ts';
import { type Documents, serveDocuments } from './platform/documents.ts';
import { serveMetrics } from './platform/metrics.ts';
import { serveProblemPages } from './platform/problem-pages.ts';
import { createRateLimit } from './platform/rate-limit.ts';
import { type PaymentGateway, sandboxGateway } from './train/gateway.ts';
import { train } from './train/index.ts';
import { extendTimetable, seedTimetable } from './train/timetable.ts';

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
  readiness: Readiness;
}

/** The whole application, ready to listen or to inject into. */
export async function buildApp(options: QuartetOptions): Promise<Quartet> {
  const { config, database, log, gateway = sandboxGateway() } = options;
  const rateLimit = createRateLimit(config);
  const { app, ready } = await createHttp(config, log, rateLimit);
  const oauth = await openOauth({ config, db: database.db, log, rateLimit });

  serveMetrics(app, database);
  const documents: Documents = new Map();
  const readiness = serveHealth(app, database);
  serveProblemPages(app, config.PUBLIC_URL);
  await app.register(oauth.plugin);
  await app.register(train, {
    prefix: config.TRAIN_BASE_PATH,
    config,
    database,
    rateLimit,
    verify: oauth.verify,
    gateway,
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
  ready();
  return { config, database, log, gateway, app, oauth, readiness };
}

/** Fills what the services stand on; where it is there already, this costs a query or two. */
export async function seed({ config, database: { db }, oauth }: Quartet): Promise<void> {
  await seedTimetable(db);
  await extendTimetable(db, config.TIMETABLE_DAYS);
  if (config.NODE_ENV === 'production') return;
  await oauth.seedDemo();
  await seedLearning(db);
}
