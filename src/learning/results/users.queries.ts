import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { awards } from '../definitions/badges.queries.ts';
import { userName } from '../names.ts';
import { type AssignmentRow, shownAssignment } from './assignments.queries.ts';
import { SHOWN } from './users.schemas.ts';

/** Times are text: the lists are made as JSON. */
export interface UserDetailRow {
  id: string;
  badges: { id: string; name: string; icon: string | null; awarded_at: string }[];
  assignments: AssignmentRow[];
  activities: {
    id: string;
    type: string;
    name: string;
    item: string | null;
    answer: string | null;
    domain: string | null;
    path: string | null;
    occurred_at: string;
  }[];
}

/** A user with one page of activities, in one statement, so that all of it is of one moment. */
export async function findUser(
  db: Db,
  id: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<UserDetailRow | undefined> {
  const { rows } = await sql<UserDetailRow>`
    select u.id, (
      select coalesce(json_agg(badge), '[]') from (
        select b.id, b.name, b.icon, award.awarded_at
        from ${awards} award join learning.badges b on b.id = award.badge_id
        order by award.awarded_at desc, b.id desc limit ${SHOWN}
      ) badge
    ) as badges, (
      select coalesce(json_agg(assignment order by assignment.id desc), '[]') from (
        with s as (
          select id, user_id, type, name, topic, is_task, max_attempts, deadline, assigned_at
          from learning.assignments where user_id = u.id order by id desc limit ${SHOWN}
        )
        ${shownAssignment}
      ) assignment
    ) as assignments, (
      select coalesce(json_agg(activity), '[]') from (
        select a.id, a.type, a.name, a.item, a.answer, a.domain, a.path, a.occurred_at
        from learning.activities a where a.user_id = u.id
        order by a.occurred_at desc, a.id desc
        limit ${limit} offset ${offset}
      ) activity
    ) as activities
    from learning.users u
    where u.id = ${userName(id)}`.execute(db);
  return rows[0];
}

export interface UserSummaryRow {
  id: string;
  badges: number;
  assignments: number;
  activities: number;
}

/** By id. */
export async function listUsers(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<UserSummaryRow[]> {
  const { rows } = await sql<UserSummaryRow>`
    select u.id, u.activities, (
      select count(*) from ${awards} award
    ) as badges, (
      select count(*) from learning.assignments s where s.user_id = u.id
    ) as assignments
    from (
      select id, activities from learning.users order by id limit ${limit} offset ${offset}
    ) u
    order by u.id`.execute(db);
  return rows;
}
