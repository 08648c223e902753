import type { Config } from '../config.ts';
import type { Db } from '../platform/database/database.ts';

/** Called wrongly: exit code 2. */
export class UsageError extends Error {}
/** Could not be done: exit code 1. */
export class CommandError extends Error {}

/** One command of `npm run quartet`. */
export interface Command {
  /** As it is called, such as `users add <email>`; the words before the first argument name it. */
  usage: string;
  /** What it does and its options, for `help`. */
  help: string;
  /** Reads the arguments after its name, throws UsageError; what it answers does the work. */
  parse(args: string[]): (db: Db, config: Config) => Promise<string>;
}
