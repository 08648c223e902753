import { mkdir, writeFile } from 'node:fs/promises';
import { loadConfig } from './config.ts';
import { learning } from './learning/index.ts';
import { museum } from './museum/index.ts';
import type { Database } from './platform/database/database.ts';
import { type Documents, documentText } from './platform/documents/documents.ts';
import { createHttp } from './platform/http/http.ts';
import { createLog } from './platform/operations/log.ts';
import type { Passes } from './platform/passes/passes.ts';
import { createRateLimit } from './platform/http/rate-limit.ts';
import { petstore } from './petstore/index.ts';
import { sandboxGateway } from './train/payments/gateway.ts';
import type { Webhooks } from './webhooks/index.ts';
import { train } from './train/index.ts';

/** The OpenAPI documents as `npm run openapi` writes them; no database, no listener. */
export async function buildDocuments(): Promise<Map<string, string>> {
  const config = loadConfig({});
  const rateLimit = createRateLimit(config);
  const { app } = await createHttp(config, createLog('silent'), rateLimit);
  const documents: Documents = new Map();
  const shared = {
    config,
    // Only handlers use it, and none is called.
    database: {} as Database,
    rateLimit,
    verify: () => {
      throw new Error('No request is served here.');
    },
    passes: {} as Passes,
    webhooks: {} as Webhooks,
    documents,
  };
  await app.register(train, {
    ...shared,
    prefix: config.TRAIN_BASE_PATH,
    gateway: sandboxGateway(),
  });
  await app.register(museum, { ...shared, prefix: config.MUSEUM_BASE_PATH });
  await app.register(petstore, { ...shared, prefix: config.PETSTORE_BASE_PATH });
  await app.register(learning, { ...shared, prefix: config.LEARNING_BASE_PATH });
  await app.ready();
  const files = new Map<string, string>();
  for (const [name, document] of documents) {
    files.set(`${name}.json`, documentText(document, false));
    files.set(`${name}.yaml`, documentText(document, true));
  }
  await app.close();
  return files;
}

if (import.meta.main) {
  const directory = new URL('../openapi/', import.meta.url);
  await mkdir(directory, { recursive: true });
  for (const [file, text] of await buildDocuments())
    await writeFile(new URL(file, directory), text);
}
