import type { Db } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { seedOnce } from '../platform/database/seeds.queries.ts';
import { insertAccount } from './accounts.queries.ts';
import { hashSecret } from './clients.ts';
import { type ClientRow, upsertClient } from './clients.queries.ts';
import { hashPassword } from '../platform/access/passwords.ts';
import { API_SCOPES } from './resources.ts';

const ACCOUNT = { email: 'demo@example.com', password: 'demo' };

const COMMON = {
  redirect_uris: [
    'http://127.0.0.1/callback',
    'http://localhost/callback',
    '/login/callback',
    '/docs',
  ],
  scopes: API_SCOPES,
  is_demo: true,
};

const CLIENTS: (Omit<ClientRow, 'secret_hash'> & { secret?: string })[] = [
  {
    ...COMMON,
    client_id: 'quartet-demo',
    name: 'Quartet demo',
    secret: 'demo-secret',
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    is_first_party: false,
  },
  {
    ...COMMON,
    client_id: 'quartet-docs',
    name: 'Quartet documentation',
    grant_types: ['authorization_code', 'refresh_token'],
    is_first_party: true,
  },
];

/** The published demo account and clients, once. They do not exist where NODE_ENV is production. */
export async function seedDemo(db: Db): Promise<void> {
  await seedOnce(db, 'oauth demo', JSON.stringify([ACCOUNT, CLIENTS]), async (tx) => {
    for (const { secret, ...client } of CLIENTS)
      await upsertClient(tx, { ...client, secret_hash: secret ? hashSecret(secret) : null });
    const passwordHash = await hashPassword(ACCOUNT.password);
    await insertAccount(tx, { id: newId(), email: ACCOUNT.email, passwordHash, isDemo: true });
  });
}
