import { sql } from 'kysely';
import type { Db, Tx } from '../platform/database/database.ts';
import type { NewPet, Pet, PetStatus } from './pets.schemas.ts';

export interface PetRow {
  id: number;
  name: string;
  category: Pet['category'] | null;
  photo_urls: string[];
  tags: Pet['tags'] | null;
  status: PetStatus | null;
}

const columns = sql`p.id, p.name, p.category, p.photo_urls, p.tags, p.status`;

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));

export async function findPets(db: Db, ids: readonly number[]): Promise<PetRow[]> {
  const { rows } = await sql<PetRow>`
    select ${columns} from petstore.pets p where p.id = any(${ids}::bigint[])`.execute(db);
  return rows;
}

interface Window {
  limit: number;
  offset: number;
}

export async function listPetsByStatus(
  db: Db,
  statuses: PetStatus[],
  { limit, offset }: Window,
): Promise<PetRow[]> {
  const { rows } = await sql<PetRow>`
    select ${columns} from petstore.pets p
    where p.status = any(${statuses})
    order by p.id
    limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/** Pets that have any of the tags, each once. */
export async function listPetsByTags(
  db: Db,
  tags: string[],
  { limit, offset }: Window,
): Promise<PetRow[]> {
  const { rows } = await sql<PetRow>`
    select ${columns} from petstore.pets p
    where p.tag_names ?| ${tags}::text[]
    order by p.id
    limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/** Inserts the pet, with a free id where it brings none; undefined where its id is taken. */
export async function insertPet(db: Db, pet: NewPet): Promise<PetRow | undefined> {
  for (;;) {
    const { rows } = await sql<PetRow>`
      insert into petstore.pets as p (id, name, category, photo_urls, tags, status)
      values (coalesce(${pet.id ?? null}::bigint, petstore.next_id('pets')), ${pet.name},
              ${json(pet.category)}::jsonb, ${pet.photoUrls}, ${json(pet.tags)}::jsonb,
              ${pet.status ?? null})
      on conflict (id) do nothing
      returning ${columns}`.execute(db);
    if (rows[0] || pet.id !== undefined) return rows[0];
    // A client took the id that was free a moment ago; the next one is another.
  }
}

/** Writes the pet over the one with its id; undefined where there is none. */
export async function updatePet(db: Db, pet: Pet): Promise<PetRow | undefined> {
  const { rows } = await sql<PetRow>`
    update petstore.pets p
    set name = ${pet.name}, category = ${json(pet.category)}::jsonb,
        photo_urls = ${pet.photoUrls}, tags = ${json(pet.tags)}::jsonb,
        status = ${pet.status ?? null}
    where p.id = ${pet.id}
    returning ${columns}`.execute(db);
  return rows[0];
}

/** Changes what is given; undefined where there is no such pet. */
export async function changePet(
  db: Db,
  id: number,
  { name, status }: { name?: string; status?: PetStatus },
): Promise<PetRow | undefined> {
  const { rows } = await sql<PetRow>`
    update petstore.pets p
    set name = coalesce(${name ?? null}, p.name), status = coalesce(${status ?? null}, p.status)
    where p.id = ${id}
    returning ${columns}`.execute(db);
  return rows[0];
}

export async function lockPet(tx: Tx, id: number): Promise<PetRow | undefined> {
  const { rows } = await sql<PetRow>`
    select ${columns} from petstore.pets p where p.id = ${id} for update`.execute(tx);
  return rows[0];
}

/** Deletes the pet and its images; false where there is none. */
export async function deletePet(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`
    delete from petstore.pets where id = ${id} returning 1`.execute(db);
  return rows.length === 1;
}
