import { readFileSync } from 'node:fs';
import type { Db } from '../../platform/database/database.ts';
import { seedOnce } from '../../platform/database/seeds.queries.ts';
import { loadCatalogue } from '../catalogue/catalogue.ts';
import { EXAMPLE_TRIPS } from '../catalogue/examples.ts';
import {
  analyzeTrips,
  deleteOldTrips,
  insertTrips,
  listMissingDays,
  saveCatalogue,
  saveExampleTrips,
} from './timetable.queries.ts';

const source = (file: string) =>
  readFileSync(new URL(`../catalogue/${file}`, import.meta.url), 'utf8');

/** Loads stations, services and example trips where the database has others or none. */
export async function seedTimetable(db: Db): Promise<void> {
  const files = source('stations.json') + source('lines.json') + JSON.stringify(EXAMPLE_TRIPS);
  await seedOnce(db, 'train catalogue', files, async (tx) => {
    await saveCatalogue(tx, loadCatalogue());
    await saveExampleTrips(tx, EXAMPLE_TRIPS);
  });
}

/** Makes the dated trips that are missing from today to `days` ahead, a day at a time. */
export async function extendTimetable(db: Db, days: number): Promise<void> {
  let made = 0;
  for (const day of await listMissingDays(db, days)) made += await insertTrips(db, day);
  if (made > 0) await analyzeTrips(db);
}

export async function pruneTimetable(db: Db): Promise<void> {
  while ((await deleteOldTrips(db)) > 0);
}
