import type { Db } from '../../platform/database/database.ts';
import { seedOnce } from '../../platform/database/seeds.queries.ts';
import { type ClientRow, upsertClient } from '../clients.queries.ts';
import { API_SCOPES } from '../resources.ts';

/** The client that /login is: public, of our own, and with no redirect but to a page of ours. */
export const LOGIN_CLIENT: ClientRow = {
  client_id: 'quartet-login',
  name: 'Quartet',
  secret_hash: null,
  redirect_uris: ['/login/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  scopes: API_SCOPES,
  is_first_party: true,
  is_demo: false,
};

/** In production too: it can be given nothing that its user could not have anyway. */
export const seedLoginClient = (db: Db): Promise<void> =>
  seedOnce(db, 'oauth login client', JSON.stringify(LOGIN_CLIENT), (tx) =>
    upsertClient(tx, LOGIN_CLIENT),
  );
