// One instance of several: the authorization server and a protected service, following keys fast.
import { loadConfig } from '../../src/config.ts';
import { openOauth } from '../../src/oauth/index.ts';
import { bearerAuth, callerOf } from '../../src/platform/access/bearer.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createHttp } from '../../src/platform/http/http.ts';
import { createLog } from '../../src/platform/operations/log.ts';
import { poll } from '../../src/platform/poller.ts';

const config = loadConfig(process.env);
const log = createLog('silent');
const rateLimit = () => {};
const { db } = await openDatabase(config, log);
const { app } = await createHttp(config, log, rateLimit);
const times = { keySetMs: 200, rememberMs: 200 };
const oauth = await openOauth({ config, db, log, rateLimit, times });
await app.register(oauth.plugin);
await app.register(async (service) => {
  bearerAuth(service, { verify: oauth.verify, rateLimit, realm: 'test', metadataUrl: '/' });
  service.get(
    '/whoami',
    { config: { scope: 'read' } },
    async (request) => callerOf(request).subject,
  );
});
await app.listen({ host: config.HOST, port: config.PORT });
poll('keys', 0.1, () => oauth.followKeys(), log);
process.send?.('ready');
