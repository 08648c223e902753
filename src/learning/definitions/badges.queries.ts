import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { digest, isTask, topicOf } from '../names.ts';
import type { Badge } from './badges.schemas.ts';

export interface BadgeRow {
  id: string;
  name: string;
  icon: string | null;
  created_at: Date;
  requirements: Badge['requirements'];
}

/** Inserts a badge; undefined: its name is taken. */
export async function insertBadge(
  db: Db,
  badge: Pick<BadgeRow, 'name' | 'icon' | 'requirements'>,
): Promise<BadgeRow | undefined> {
  const { name, icon, requirements } = badge;
  const rows = requirements.map((requirement, index) => ({
    ...requirement,
    position: index + 1,
    topic: topicOf(requirement.type, requirement.name),
    is_task: isTask(requirement.type),
  }));
  const inserted = await sql<{ id: string; created_at: Date }>`
    with badge as (
      insert into learning.badges (id, name, digest, icon, requirements)
      values (${newId()}, ${name}, ${digest(name)}, ${icon}, ${requirements.length})
      on conflict (digest) do nothing
      returning id, created_at
    ), requirement as (
      insert into learning.badge_requirements
        (badge_id, position, type, name, topic, is_task, min_score, max_attempts, status)
      select badge.id, r.position, r.type, r.name, r.topic, r.is_task, r."minScore", r."maxAttempts",
             r.status
      from badge, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (position smallint, type text, name text, topic uuid, is_task boolean,
              "minScore" double precision, "maxAttempts" integer, status text)
    )
    select id, created_at from badge`.execute(db);
  const [made] = inserted.rows;
  return made && { ...badge, ...made };
}

const shown = sql`
  b.id, b.name, b.icon, b.created_at, (
    select coalesce(json_agg(json_strip_nulls(json_build_object(
             'type', r.type, 'name', r.name, 'minScore', r.min_score,
             'maxAttempts', r.max_attempts, 'status', r.status)) order by r.position), '[]')
    from learning.badge_requirements r where r.badge_id = b.id
  ) as requirements`;

/** Oldest first. */
export async function listBadges(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<BadgeRow[]> {
  const { rows } = await sql<BadgeRow>`
    select ${shown} from learning.badges b order by b.id limit ${limit} offset ${offset}`.execute(
    db,
  );
  return rows;
}

export async function findBadge(db: Db, id: string): Promise<BadgeRow | undefined> {
  const { rows } = await sql<BadgeRow>`
    select ${shown} from learning.badges b where b.id = ${id}`.execute(db);
  return rows[0];
}

/**
 * A subquery: the badges that user `u` has, as (badge_id, awarded_at). It begins with what the user
 * did, so that badges that ask for other things cost nothing. A requirement is met when its first
 * attempt or activity met it, a badge is awarded with its last requirement.
 */
export const awards = sql`(
  select met.badge_id, max(met.at) as awarded_at
  from (
    select r.badge_id, r.position, min(a.ended_at) as at
    from learning.attempts a
    join learning.tasks t on t.id = a.task_id
    join learning.badge_requirements r on r.topic = t.topic
    where a.user_id = u.id and a.ended_at is not null
      and (r.status = 'completed' or a.passed)
      and a.score >= coalesce(r.min_score, 0)
      and (r.max_attempts is null or a.number <= r.max_attempts)
    group by r.badge_id, r.position
    union all
    select r.badge_id, r.position, first.occurred_at
    from learning.badge_requirements r
    cross join lateral (
      select a.occurred_at from learning.activities a
      where a.topic = r.topic and a.user_id = u.id and a.item_digest is null
      order by a.item_digest, a.occurred_at, a.id limit 1
    ) first
    where not r.is_task
  ) met
  group by met.badge_id
  having count(*) = (select b.requirements from learning.badges b where b.id = met.badge_id)
)`;
