import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { ConfigError, loadConfig } from './config.ts';
import { accountFaults, createAccount } from './oauth/accounts.ts';
import { RegistrationError, registerClient } from './oauth/registration.ts';
import { API_SCOPES } from './oauth/resources.ts';
import { rotateSigningKeys } from './oauth/signing-keys.ts';
import { type Db, openDatabase } from './platform/database.ts';
import { EmbeddedError } from './platform/embedded-error.ts';
import { ping } from './platform/health.queries.ts';
import { createLog } from './platform/log.ts';
import { migrate } from './platform/migrations.ts';

const HELP = `Usage: npm run quartet -- <command>

  users add <email>
      Creates an account. The password is asked for, or read from standard input
      where that is not a terminal.

  clients add <name> [--redirect-uri <uri>]... [--scope <scopes>] [--id <id>]
                     [--public] [--first-party]
      Registers an OAuth client; prints its id and, this once, its secret.
      --redirect-uri  where a browser may be sent back to; without one the client
                      gets tokens of its own only (client_credentials)
      --scope         of: read write read:pets write:pets bookings:all
                      (default: "${API_SCOPES.join(' ')}")
      --public        a program on its user's device: it has no secret
      --first-party   its users are not asked for consent

  keys rotate [--revoke]
      Makes the key that signs access tokens from two minutes on. The old one
      verifies until its last token has expired.
      --revoke        the old keys leaked: at once, and every token is void

  help

The database is that of the server: DATABASE_URL, or DATA_DIR while the server is
stopped. Exit code: 0 done, 1 failed, 2 called wrongly.
`;

/** Called wrongly: exit code 2. */
class UsageError extends Error {}
/** Could not be done: exit code 1. */
class CommandError extends Error {}

type Command = (db: Db) => Promise<string>;

/** The first line of standard input; a terminal is asked, and does not show what is typed. */
async function readPassword(): Promise<string> {
  const { stdin, stderr } = process;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY === true });
  if (stdin.isTTY) stderr.write('Password: ');
  try {
    const ended = once(lines, 'close').then(() => ['']);
    const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
    return line;
  } finally {
    if (stdin.isTTY) stderr.write('\n');
    lines.close();
  }
}

function addUser(args: string[]): Command {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [email, ...rest] = positionals;
  if (email === undefined || rest.length > 0) throw new UsageError('users add takes one email.');
  return async (db) => {
    const password = await readPassword();
    const [fault] = Object.values(accountFaults(email, password));
    if (fault !== undefined) throw new CommandError(fault);
    const id = await createAccount(db, email, password);
    if (id === undefined) throw new CommandError(`There is an account ${email} already.`);
    return `Created the account ${email} (${id}).`;
  };
}

function addClient(args: string[]): Command {
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
    });
    const shown =
      secret === undefined ? '' : `\nclient_secret: ${secret}\nThe secret is not shown again.`;
    return `client_id: ${clientId}${shown}`;
  };
}

function rotateKeys(args: string[]): Command {
  const { values } = parseArgs({ args, options: { revoke: { type: 'boolean', default: false } } });
  return async (db) => {
    const kid = await rotateSigningKeys(db, { revoke: values.revoke });
    return values.revoke
      ? `The key ${kid} signs now. Tokens of the keys before it stop within a minute.`
      : `The key ${kid} signs in two minutes; the one before it verifies for another 15.`;
  };
}

const COMMANDS: Record<string, (args: string[]) => Command> = {
  'users add': addUser,
  'clients add': addClient,
  'keys rotate': rotateKeys,
};

/** Runs the command on the migrated database of the environment. */
async function run(command: Command): Promise<void> {
  const log = createLog('silent');
  const database = await openDatabase(loadConfig(process.env), log);
  try {
    await ping(database.db).catch((error: Error & { code?: string }) => {
      const cause = error.code ?? error.message;
      throw new CommandError(`DATABASE_URL leads to no database that lets us in (${cause}).`);
    });
    await migrate(database.db);
    console.log(await command(database.db));
  } finally {
    await database.close();
  }
}

/** What the operator can mend, in a sentence, and the exit code; undefined for a fault of ours. */
function explain(
  error: Error & { code?: string },
): [message: string, exitCode: number] | undefined {
  if (error instanceof UsageError || error.code?.startsWith('ERR_PARSE_ARGS'))
    return [`${error.message}\nTry "npm run quartet -- help".`, 2];
  if (error instanceof EmbeddedError)
    return [`${error.message}\nThe embedded database is one process's at a time.`, 1];
  if (
    error instanceof CommandError ||
    error instanceof RegistrationError ||
    error instanceof ConfigError
  )
    return [error.message, 1];
  return undefined;
}

async function main([noun, verb, ...args]: string[]): Promise<void> {
  if (noun === undefined || noun === 'help' || [noun, verb, ...args].includes('--help')) {
    console.log(HELP);
    return;
  }
  const command = COMMANDS[`${noun} ${verb}`];
  if (!command) throw new UsageError(`There is no command "${noun} ${verb ?? ''}".`);
  await run(command(args));
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const [message, exitCode] = explain(error as Error) ?? [error, 1];
  console.error(message);
  process.exitCode = exitCode;
}
