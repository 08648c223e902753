import { parseArgs } from 'node:util';
import { staffName, staffNameFault } from '../museum/staff/credentials.ts';
import {
  deleteStaff,
  insertStaff,
  listStaff,
  setStaffPassword,
} from '../museum/staff/staff.queries.ts';
import { hashPassword, passwordFault } from '../platform/access/passwords.ts';
import { type Command, CommandError, UsageError } from './command.ts';
import { readPassword } from './users.ts';

/** The one argument that these commands take. */
function nameOf(args: string[], command: string): string {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [name, ...rest] = positionals;
  if (name === undefined || rest.length > 0) throw new UsageError(`${command} takes one name.`);
  const fault = staffNameFault(name);
  if (fault !== undefined) throw new UsageError(fault);
  return staffName(name);
}

async function readNewPassword(name: string): Promise<string> {
  const password = await readPassword();
  const fault = passwordFault(password, name);
  if (fault !== undefined) throw new CommandError(fault);
  return hashPassword(password);
}

const nobody = (name: string) => new CommandError(`Nobody of the staff is called ${name}.`);

export const addStaff: Command = {
  usage: 'staff add <name>',
  help: `Lets somebody of the museum's staff in. The password is asked for, or read
from standard input where that is not a terminal.`,
  parse(args) {
    const name = nameOf(args, 'staff add');
    return async (db) => {
      const passwordHash = await readNewPassword(name);
      if (!(await insertStaff(db, { name, passwordHash, isDemo: false })))
        throw new CommandError(`Somebody of the staff is called ${name} already.`);
      return `Added ${name} to the staff.`;
    };
  },
};

export const changePassword: Command = {
  usage: 'staff password <name>',
  help: 'Changes the password of a member of staff; the old one stops at once.',
  parse(args) {
    const name = nameOf(args, 'staff password');
    return async (db) => {
      const passwordHash = await readNewPassword(name);
      if (!(await setStaffPassword(db, name, passwordHash))) throw nobody(name);
      return `Changed the password of ${name}.`;
    };
  },
};

export const listAllStaff: Command = {
  usage: 'staff list',
  help: "Lists the museum's staff.",
  parse(args) {
    parseArgs({ args });
    return async (db) => {
      const lines = (await listStaff(db)).map(
        ({ name, is_demo, created_at }) =>
          `${created_at.toISOString()}  ${name}${is_demo ? '  (demo; not in production)' : ''}`,
      );
      return lines.join('\n') || 'There is no staff.';
    };
  },
};

export const removeStaff: Command = {
  usage: 'staff remove <name>',
  help: 'Shuts a member of staff out, at once.',
  parse(args) {
    const name = nameOf(args, 'staff remove');
    return async (db) => {
      if (!(await deleteStaff(db, name))) throw nobody(name);
      return `Removed ${name} from the staff.`;
    };
  },
};
