import { buildApp, type Quartet, seed } from './app.ts';
import { banner } from './banner.ts';
import { ConfigError, loadConfig } from './config.ts';
import { openDatabase } from './platform/database.ts';
import { EmbeddedError } from './platform/embedded.ts';
import { createLog } from './platform/log.ts';
import { migrate } from './platform/migrations.ts';
import type { Poller } from './platform/poller.ts';
import { startWorkers } from './workers.ts';

async function start(): Promise<void> {
  const config = loadConfig(process.env);
  const log = createLog(config.LOG_LEVEL);
  const database = await openDatabase(config, log);
  await migrate(database.db);
  const quartet = await buildApp({ config, database, log });
  await seed(quartet);
  await quartet.app.listen({ host: config.HOST, port: config.PORT });
  const workers = startWorkers(quartet);
  if (config.NODE_ENV !== 'production') console.log(banner(config, database.engine));
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void stop(quartet, workers));
}

/** Not ready from now on; what is in flight is finished, and nothing else is begun. */
async function stop(quartet: Quartet, workers: Poller[]): Promise<void> {
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

/** What the operator can mend, in one sentence; undefined for a fault of ours. */
function explain(error: Error & { code?: string }): string | undefined {
  if (error instanceof ConfigError || error instanceof EmbeddedError) return error.message;
  if (error.code === 'EADDRINUSE') return 'PORT is taken by another process; choose another.';
  if (error.code === 'EACCES') return 'HOST and PORT, or DATA_DIR, are not this user’s to use.';
  if (/^(ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|28|3D)/.test(error.code ?? ''))
    return `DATABASE_URL leads to no database that lets us in (${error.code}).`;
  return undefined;
}

try {
  await start();
} catch (error) {
  console.error(explain(error as Error) ?? error);
  process.exit(1);
}
