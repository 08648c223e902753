import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import pg from 'pg';
import { loadConfig } from '../../src/config.ts';
import { openOauth } from '../../src/oauth/index.ts';
import { bearerAuth, callerOf } from '../../src/platform/bearer.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { createHttp } from '../../src/platform/http.ts';
import { migrate } from '../../src/platform/migrations.ts';
import { createRateLimit } from '../../src/platform/rate-limit.ts';

async function databaseEnv() {
  const server = process.env['TEST_DATABASE_URL'];
  if (!server) return { DATA_DIR: 'memory://' };
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = name;
  return { DATABASE_URL: url.href };
}

export async function startApp({ env = {} }: { env?: Record<string, string> } = {}) {
  const config = loadConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    ...(await databaseEnv()),
    ...env,
  });
  const log = pino({ level: config.LOG_LEVEL });
  const database = await openDatabase(config, log);
  await migrate(database.db);
  const oauth = await openOauth({ config, db: database.db, log });
  if (config.NODE_ENV !== 'production') await oauth.seedDemo();
  const rateLimit = createRateLimit(config);
  const { app, ready } = await createHttp(config, log, rateLimit);
  await app.register(oauth.plugin);
  await app.register(async (scope) => {
    bearerAuth(scope, {
      verify: oauth.verify,
      rateLimit,
      realm: 'train',
      metadataUrl: `${config.PUBLIC_URL}/.well-known/oauth-protected-resource`,
    });
    scope.get('/bookings', { config: { scope: 'read' } }, async (request) => ({
      subject: callerOf(request).subject,
    }));
  });
  ready();
  await app.ready();
  return {
    app,
    config,
    db: database.db,
    oauth,
    listen: () => app.listen({ port: 0, host: '127.0.0.1' }),
    async [Symbol.asyncDispose]() {
      await app.close();
      await oauth.stop();
      await database.close();
    },
  };
}
