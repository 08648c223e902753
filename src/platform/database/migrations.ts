import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Db } from './database.ts';

const directory = new URL('../../../migrations/', import.meta.url);

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort();
  return Object.fromEntries(
    await Promise.all(
      files.map(async (file) => {
        const text = await readFile(new URL(file, directory), 'utf8');
        const up: Migration['up'] = async (db) => void (await sql.raw(text).execute(db));
        return [file.slice(0, -'.sql'.length), { up }] as const;
      }),
    ),
  );
}

const migrator = (db: Db) =>
  new Migrator({
    db,
    provider: { getMigrations: readMigrations },
    migrationTableSchema: 'public',
    migrationTableName: 'quartet_migrations',
    migrationLockTableName: 'quartet_migration_lock',
  });

/** Applies what is missing; processes that start together wait for one another. */
export async function migrate(db: Db): Promise<string[]> {
  const { error, results = [] } = await migrator(db).migrateToLatest();
  if (error) throw error;
  return results.map((result) => result.migrationName);
}

/** Names of the migrations that the database still lacks. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const migrations = await migrator(db).getMigrations();
  return migrations.filter((migration) => !migration.executedAt).map((each) => each.name);
}
