import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { MAX_PHOTOS } from '../pets.schemas.ts';
import type { ImageType } from './image-format.ts';

const MAX_IMAGES = 20;

export interface NewImage {
  id: string;
  petId: number;
  mediaType: ImageType;
  bytes: Buffer;
  sha256: Buffer;
  metadata: string | undefined;
}

/** How an image of ours stands in photo_urls: as a path below the base path of the service. */
export const imagePath = ({ petId, id }: { petId: number; id: string }): string =>
  `pets/${petId}/images/${id}`;

/**
 * Stores the image and adds its path to the pet's photo_urls. The pet's row is locked first, so the
 * counts are those after the lock was had.
 */
export async function insertImage(
  db: Db,
  image: NewImage,
): Promise<'stored' | 'no-pet' | 'too-many'> {
  const path = imagePath(image);
  const { rows } = await sql<{ is_stored: boolean }>`
    with pet as materialized (
      select p.id, p.photo_urls from petstore.pets p where p.id = ${image.petId} for no key update
    ), verdict as materialized (
      select pet.id from pet
      where cardinality(pet.photo_urls) < ${MAX_PHOTOS}
        and (select count(*) from unnest(pet.photo_urls) url
             where url like ${`pets/${image.petId}/images/%`}) < ${MAX_IMAGES}
    ), image as (
      insert into petstore.images (id, pet_id, media_type, bytes, sha256, metadata)
      select ${image.id}::uuid, verdict.id, ${image.mediaType}::text, ${image.bytes}::bytea,
             ${image.sha256}::bytea, ${image.metadata ?? null}::text
      from verdict
    ), listed as (
      update petstore.pets p set photo_urls = p.photo_urls || ${path}::text
      from verdict where p.id = verdict.id
    )
    select exists (select from verdict) as is_stored from pet`.execute(db);
  if (!rows[0]) return 'no-pet';
  return rows[0].is_stored ? 'stored' : 'too-many';
}

/** An image without its bytes. */
export interface ImageRow {
  media_type: ImageType;
  size: number;
  sha256: Buffer;
}

export async function findImage(db: Db, id: string, petId: number): Promise<ImageRow | undefined> {
  const { rows } = await sql<ImageRow>`
    select i.media_type, octet_length(i.bytes) as size, i.sha256
    from petstore.images i where i.id = ${id} and i.pet_id = ${petId}`.execute(db);
  return rows[0];
}

/** A part of an image, `first` counted from 0; undefined where it is gone. */
export async function readImage(
  db: Db,
  id: string,
  { first, length }: { first: number; length: number },
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ part: Buffer }>`
    select substring(i.bytes from ${first + 1}::integer for ${length}::integer) as part
    from petstore.images i where i.id = ${id}`.execute(db);
  return rows[0]?.part;
}
