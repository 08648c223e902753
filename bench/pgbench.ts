import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { Tables } from '../src/platform/database/database.ts';
import { type BookingContext, insertBooking } from '../src/train/bookings.queries.ts';
import type { NewBooking } from '../src/train/bookings.schemas.ts';
import type { Cluster } from './cluster.ts';
import { TRIPS, tripId, tripIdSql } from './data.ts';
import { CONNECTIONS } from './load.ts';

interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

/** What insertBooking sends to the database, had from the code that runs. */
async function bookingStatement(wanted: NewBooking, context: BookingContext): Promise<Statement> {
  const statements: Statement[] = [];
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (own) => new PostgresIntrospector(own),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void statements.push(query),
  });
  await insertBooking(db, wanted, context);
  const [statement] = statements;
  if (!statement || statements.length > 1) throw new Error('A booking is not one statement now.');
  return statement;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The statement as a script of pgbench, and its variables. */
function toScript({ sql, parameters }: Statement): { script: string; variables: string[] } {
  const variables: string[] = [];
  const names = parameters.map((value, index) => {
    if (value === tripId(1)) return tripIdSql(':trip');
    // Ids of what is inserted: new ones each time.
    if (typeof value === 'string' && UUID.test(value)) return 'gen_random_uuid()';
    variables.push(`p${index + 1}=${value}`);
    return `:p${index + 1}`;
  });
  const text = sql
    .replace(/--.*$/gm, '')
    // pgbench takes a colon for a variable's also within a literal.
    .replace(/'[^']*'/g, (literal) =>
      literal.includes(':') ? `E${literal.replaceAll(':', '\\x3A')}` : literal,
    )
    .replace(/\$(\d+)/g, (_, number) => names[Number(number) - 1] ?? '');
  return { script: `\\set trip random(1, ${TRIPS})\n${text.trim()};\n`, variables };
}

export interface Pgbench {
  /** Bookings a second, for `seconds`. */
  run(seconds: number): number;
}

/** pgbench at the concurrency of the load, booking what `wanted` and `context` say. */
export async function preparePgbench(
  { directory, port, run }: Cluster,
  database: string,
  wanted: Omit<NewBooking, 'trip_id'>,
  context: BookingContext,
): Promise<Pgbench> {
  const statement = await bookingStatement({ ...wanted, trip_id: tripId(1) }, context);
  const { script, variables } = toScript(statement);
  const file = join(directory, 'booking.sql');
  writeFileSync(file, script);
  chmodSync(file, 0o644);
  return {
    run(seconds) {
      const args = ['-n', '-M', 'prepared', '-f', file, '-T', String(seconds)];
      args.push('-c', String(CONNECTIONS), '-j', '2', '-h', '127.0.0.1', '-p', String(port));
      args.push('-U', 'postgres', ...variables.flatMap((variable) => ['-D', variable]), database);
      const { stdout, stderr } = run('pgbench', args);
      const rate = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
      if (!(rate > 0) || !/^number of failed transactions: 0 /m.test(stdout))
        throw new Error(`pgbench: ${stdout}${stderr}`);
      return rate;
    },
  };
}
