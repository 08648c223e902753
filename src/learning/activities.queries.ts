import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import type { NewActivity } from './activities.schemas.ts';
import { digest, fold, isTask, topicOf, userName } from './names.ts';

/** How far a client's clock may be ahead of the database's. */
const AHEAD_SECONDS = 300;

/**
 * Records an activity, and with it whatever follows: a trigger derives the attempts that it is part
 * of. `at` is its timestamp, now where there is none. False: that is too far in the future.
 */
export async function insertActivity(
  db: Db,
  { data, metadata }: NewActivity,
  at: Date | undefined,
): Promise<boolean> {
  const { type, name, item, answer = null } = data;
  const isPart =
    item !== undefined && isTask(type) && (answer !== null || fold(type) === 'checklist');
  const { rows } = await sql`
    insert into learning.activities
      (id, user_id, type, name, item, answer, domain, path, occurred_at, topic, item_digest,
       answer_digest)
    select ${newId()}::uuid, ${userName(metadata.user)}, ${type}, ${name}, ${item ?? null},
           ${answer}, ${metadata.domain ?? null}, ${metadata.path ?? null}, moment.at,
           ${topicOf(type, name)}::uuid, ${isPart ? digest(item) : null}::uuid,
           ${answer === null ? null : digest(answer)}::uuid
    from (select coalesce(${at ?? null}::timestamptz, date_trunc('milliseconds', now()))) moment (at)
    where moment.at <= now() + ${AHEAD_SECONDS} * interval '1 second'
    returning 1`.execute(db);
  return rows.length === 1;
}
