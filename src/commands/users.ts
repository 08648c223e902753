import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { accountFaults, createAccount } from '../oauth/accounts.ts';
import { type Command, CommandError, UsageError } from './command.ts';

/** The first line of standard input; a terminal is asked, and does not show what is typed. */
export async function readPassword(): Promise<string> {
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

export const addUser: Command = {
  usage: 'users add <email>',
  help: `Creates an account. The password is asked for, or read from standard input
where that is not a terminal.`,
  parse(args) {
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
  },
};
