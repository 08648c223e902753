import { parseArgs } from 'node:util';
import { rotateSigningKeys } from '../oauth/keys/signing-keys.ts';
import { createApiKey } from '../platform/access/api-keys.ts';
import {
  API_KEY_SERVICES,
  type ApiKeyService,
  listApiKeys,
  revokeApiKey,
} from '../platform/access/api-keys.queries.ts';
import { type Command, CommandError, UsageError } from './command.ts';

export const rotateKeys: Command = {
  usage: 'keys rotate [--revoke]',
  help: `Makes the key that signs access tokens from two minutes on. The old one
verifies until its last token has expired.
--revoke        the old keys leaked: at once, and every token is void`,
  parse(args) {
    const { values } = parseArgs({
      args,
      options: { revoke: { type: 'boolean', default: false } },
    });
    return async (db) => {
      const kid = await rotateSigningKeys(db, { revoke: values.revoke });
      return values.revoke
        ? `The key ${kid} signs now. Tokens of the keys before it stop within a minute.`
        : `The key ${kid} signs in two minutes; the one before it verifies for another 15.`;
    };
  },
};

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const services = API_KEY_SERVICES.join(' or ');

export const addKey: Command = {
  usage: 'keys add <service> <name>',
  help: `Makes an API key for the service (${services}); the name says whose
it is. The key is shown this once.`,
  parse(args) {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    const [service, name, ...rest] = positionals;
    if (!(API_KEY_SERVICES as readonly (string | undefined)[]).includes(service))
      throw new UsageError(`keys add takes a service first: ${services}.`);
    if (!name?.trim() || rest.length > 0)
      throw new UsageError('keys add takes one name after the service; quote it.');
    return async (db) => {
      const { id, key } = await createApiKey(db, service as ApiKeyService, name.trim());
      return `id: ${id}\nkey: ${key}\nThe key is not shown again.`;
    };
  },
};

export const listKeys: Command = {
  usage: 'keys list',
  help: 'Lists the API keys: their ids, services and names, and which are revoked.',
  parse(args) {
    parseArgs({ args });
    return async (db) => {
      const keys = await listApiKeys(db);
      const lines = keys.map(({ id, service, name, created_at, revoked_at }) => {
        const ended = revoked_at ? `  revoked ${revoked_at.toISOString()}` : '';
        return `${id}  ${service.padEnd(8)}  ${created_at.toISOString()}  ${name}${ended}`;
      });
      return lines.join('\n') || 'There is no API key.';
    };
  },
};

export const revokeKey: Command = {
  usage: 'keys revoke <id>',
  help: 'Ends an API key; running servers refuse it within ten seconds.',
  parse(args) {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    const [id, ...rest] = positionals;
    if (id === undefined || !UUID.test(id) || rest.length > 0)
      throw new UsageError('keys revoke takes the id of a key, as keys list shows it.');
    return async (db) => {
      if (!(await revokeApiKey(db, id)))
        throw new CommandError(`There is no API key ${id} that is still good.`);
      return `Revoked the key ${id}.`;
    };
  },
};
