import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { Station } from './stations.schemas.ts';

const COLUMNS = [
  'id',
  'name',
  'address',
  'country_code',
  'timezone',
  'latitude',
  'longitude',
] as const;

export interface StationFilter {
  /** In the form of `searchText`. */
  search?: string;
  near?: { latitude: number; longitude: number };
  country?: string;
  limit: number;
  offset: number;
}

/** Likeness from which a word counts as a misspelling of another: `berln` of `berlin` has 0.67. */
const NEAR_MISS = 0.4;

/**
 * Stations that contain every word of `search`, or, where none does, those that contain words like
 * them. Nearest first where a place is given, then the likest, the busiest.
 */
export async function listStations(db: Db, filter: StationFilter): Promise<Station[]> {
  const { search = '', near, country, limit, offset } = filter;
  const words = search.split(' ').map((word) => `%${word}%`);
  const distance = near
    ? // Haversine; the sphere's radius does not matter for the order.
      sql`power(sin(radians(latitude - ${near.latitude}) / 2), 2)
          + cos(radians(latitude)) * cos(radians(${near.latitude}))
            * power(sin(radians(longitude - ${near.longitude}) / 2), 2)`
    : sql`0::float8`;
  const { rows } = await sql<Station>`
    with candidates as (
      select ${sql.join(COLUMNS.map((column) => sql.ref(column)))},
             search_text like all (${words}::text[]) as is_hit,
             case when ${search} = '' then 0
                  else greatest(word_similarity(${search}, search_name),
                                0.9 * word_similarity(${search}, search_text))
             end as likeness,
             ${distance} as distance,
             departures
      from train.stations
      where ${country ?? null}::text is null or country_code = ${country ?? null}
    )
    select ${sql.join(COLUMNS.map((column) => sql.ref(column)))}
    from candidates
    where is_hit
       or (likeness >= ${NEAR_MISS} and not exists (select from candidates where is_hit))
    order by distance, likeness desc, departures desc, name, id
    limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

export function findStations(db: Db, ids: readonly string[]): Promise<Station[]> {
  return db
    .selectFrom('train.stations')
    .select(COLUMNS)
    .where(sql<boolean>`id = any(${ids})`)
    .execute();
}
