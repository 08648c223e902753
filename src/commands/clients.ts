import { parseArgs } from 'node:util';
import { RegistrationError, registerClient } from '../oauth/registration.ts';
import { API_SCOPES } from '../oauth/resources.ts';
import { type Command, CommandError, UsageError } from './command.ts';

export const addClient: Command = {
  usage:
    'clients add <name> [--redirect-uri <uri>]... [--scope <scopes>] [--id <id>]\n                     [--public] [--first-party]',
  help: `Registers an OAuth client; prints its id and, this once, its secret.
--redirect-uri  where a browser may be sent back to; without one the client
                gets tokens of its own only (client_credentials)
--scope         of: read write read:pets write:pets bookings:all
                (default: "${API_SCOPES.join(' ')}")
--public        a program on its user's device: it has no secret
--first-party   its users are not asked for consent`,
  parse(args) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        'redirect-uri': { type: 'string', multiple: true, default: [] },
        scope: { type: 'string', default: API_SCOPES.join(' ') },
        id: { type: 'string' },
        public: { type: 'boolean', default: false },
        'first-party': { type: 'boolean', default: false },
      },
    });
    const [name, ...rest] = positionals;
    if (!name || rest.length > 0) throw new UsageError('clients add takes one name; quote it.');
    return async (db) => {
      const { clientId, secret } = await registerClient(db, {
        id: values.id,
        name,
        redirectUris: values['redirect-uri'],
        scopes: values.scope.split(/[ ,]+/).filter(Boolean),
        isPublic: values.public,
        isFirstParty: values['first-party'],
      }).catch((error) => {
        throw error instanceof RegistrationError ? new CommandError(error.message) : error;
      });
      const shown =
        secret === undefined ? '' : `\nclient_secret: ${secret}\nThe secret is not shown again.`;
      return `client_id: ${clientId}${shown}`;
    };
  },
};
