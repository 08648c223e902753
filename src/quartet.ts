import { addClient } from './commands/clients.ts';
import { type Command, CommandError, UsageError } from './commands/command.ts';
import { listHours, removeHours, setHours } from './commands/hours.ts';
import { addKey, listKeys, revokeKey, rotateKeys } from './commands/keys.ts';
import { addStaff, changePassword, listAllStaff, removeStaff } from './commands/staff.ts';
import { addUser } from './commands/users.ts';
import { ConfigError, loadConfig } from './config.ts';
import { openDatabase } from './platform/database/database.ts';
import { EmbeddedError } from './platform/database/embedded-error.ts';
import { ping } from './platform/operations/health.queries.ts';
import { createLog } from './platform/operations/log.ts';
import { migrate } from './platform/database/migrations.ts';

const COMMANDS = [
  addUser,
  addClient,
  addKey,
  listKeys,
  revokeKey,
  rotateKeys,
  addStaff,
  changePassword,
  listAllStaff,
  removeStaff,
  listHours,
  setHours,
  removeHours,
];

const indent = (text: string) => text.replace(/^/gm, '      ');

const HELP = `Usage: npm run quartet -- <command>

${COMMANDS.map(({ usage, help }) => `  ${usage}\n${indent(help)}\n`).join('\n')}
  help

The database is that of the server: DATABASE_URL, or DATA_DIR while the server is
stopped. Exit code: 0 done, 1 failed, 2 called wrongly.
`;

/** Runs the command on the migrated database of the environment. */
async function run(work: ReturnType<Command['parse']>): Promise<void> {
  const log = createLog('silent');
  const config = loadConfig(process.env);
  const database = await openDatabase(config, log);
  try {
    await ping(database.db).catch((error: Error & { code?: string }) => {
      const cause = error.code ?? error.message;
      throw new CommandError(`DATABASE_URL leads to no database that lets us in (${cause}).`);
    });
    await migrate(database.db);
    console.log(await work(database.db, config));
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
  if (error instanceof CommandError || error instanceof ConfigError) return [error.message, 1];
  return undefined;
}

async function main([noun, verb, ...args]: string[]): Promise<void> {
  if (noun === undefined || noun === 'help' || [noun, verb, ...args].includes('--help')) {
    console.log(HELP);
    return;
  }
  const command = COMMANDS.find(({ usage }) => `${usage} `.startsWith(`${noun} ${verb} `));
  if (!command) throw new UsageError(`There is no command "${noun} ${verb ?? ''}".`);
  await run(command.parse(args));
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const [message, exitCode] = explain(error as Error) ?? [error, 1];
  console.error(message);
  process.exitCode = exitCode;
}
