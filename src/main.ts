import { buildApp, type Quartet, seed } from './app.ts';
import { banner } from './banner.ts';
import { ConfigError, loadConfig } from './config.ts';
import { openDatabase } from './platform/database/database.ts';
import { EmbeddedError } from './platform/database/embedded-error.ts';
import { hasBundle } from './platform/docs/bundle.ts';
import { findMajorVersion } from './platform/operations/health.queries.ts';
import { createLog } from './platform/operations/log.ts';
import { migrate } from './platform/database/migrations.ts';
import { startWorkers, type Worker } from './workers.ts';

const OLDEST_POSTGRESQL = 15;

async function start(): Promise<void> {
  const config = loadConfig(process.env);
  if (!hasBundle())
    throw new ConfigError(
      'dist/docs, which /docs shows, is missing. "npm run build" makes it; it needs the devDependencies.',
    );
  const log = createLog(config.LOG_LEVEL);
  const database = await openDatabase(config, log);
  const version = await findMajorVersion(database.db).catch(
    refuse('DATABASE_URL leads to no database that lets us in'),
  );
  if (version < OLDEST_POSTGRESQL)
    throw new ConfigError(
      `DATABASE_URL leads to a PostgreSQL ${version}; ${OLDEST_POSTGRESQL} or later is needed.`,
    );
  await migrate(database.db);
  const quartet = await buildApp({ config, database, log });
  await seed(quartet);
  await quartet.app.ready();
  await quartet.app
    .listen({ host: config.HOST, port: config.PORT })
    .catch(refuse('HOST and PORT cannot be listened on: taken, or not of this machine'));
  const workers = await startWorkers(quartet);
  if (config.NODE_ENV !== 'production') console.log(banner(config, database.engine));
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void stop(quartet, workers));
}

/** Not ready from now on; what is in flight is finished, and nothing else is begun. */
async function stop(quartet: Quartet, workers: Worker[]): Promise<void> {
  const { app, config, database, log, oauth, readiness } = quartet;
  log.info('stopping');
  setTimeout(() => {
    log.fatal('not stopped in time');
    process.exit(1);
  }, config.SHUTDOWN_SECONDS * 1000).unref();
  readiness.stopping();
  await app.close();
  await Promise.all(workers.map((worker) => worker.stop()));
  await oauth.stop();
  await database.close();
  log.info('stopped');
}

/** For a step that fails where the configuration is wrong: says so in one sentence. */
const refuse = (sentence: string) => (error: Error & { code?: string }) => {
  throw new ConfigError(`${sentence} (${error.code ?? error.message}).`);
};

try {
  await start();
} catch (error) {
  const isForOperator = error instanceof ConfigError || error instanceof EmbeddedError;
  console.error(isForOperator ? error.message : error);
  process.exit(1);
}
