import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { isTask, topicOf, userName } from '../names.ts';
import { countedAnswer } from './answers.queries.ts';
import type { NewAssignment, Status } from './assignments.schemas.ts';

/** Times are text where a row was made as JSON. */
export interface AssignmentRow {
  id: string;
  user_id: string;
  type: string;
  name: string;
  max_attempts: number | null;
  deadline: Date | string | null;
  assigned_at: Date | string;
  status: Status;
  completed_at: Date | string | null;
  progress: number;
  data: {
    attempts: number;
    score: number;
    items: { item: string; doneAt: string | null }[];
  } | null;
}

/** Assignment `s` as AssignmentRow has it; `c` is the attempt that passed, else the latest. */
export const shownAssignment = sql`
  select s.id, s.user_id, s.type, s.name, s.max_attempts, s.deadline, s.assigned_at,
         case
           when c.passed or done.occurred_at is not null then 'completed'
           when c.number = s.max_attempts and c.ended_at is not null then 'failed'
           when s.deadline <= now() then 'overdue'
           when c.number is not null then 'started'
           else 'assigned'
         end as status,
         case when c.passed then c.ended_at else done.occurred_at end as completed_at,
         case
           when c.passed or done.occurred_at is not null then 1
           else coalesce(c.answered::double precision / t.items, 0)
         end as progress,
         case when c.number is not null then json_build_object(
           'attempts', (select max(a.number) from learning.attempts a
                        where a.user_id = s.user_id and a.task_id = t.id),
           'score', c.score,
           'items', (
             select json_agg(json_build_object('item', i.item, 'doneAt', answer.occurred_at)
                             order by i.position)
             from learning.task_items i left join lateral ${countedAnswer} answer on true
             where i.task_id = t.id
           )) end as data
  from s
  left join learning.tasks t on t.topic = s.topic
  left join lateral (
    select a.user_id, a.number, a.after_at, a.after_id, a.ended_at, a.ended_id, a.answered,
           a.score, a.passed
    from learning.attempts a
    where a.user_id = s.user_id and a.task_id = t.id
      and (s.max_attempts is null or a.number <= s.max_attempts)
    order by a.passed desc, case when a.passed then a.number else -a.number end
    limit 1
  ) c on true
  left join lateral (
    select a.occurred_at from learning.activities a
    where not s.is_task and a.topic = s.topic and a.user_id = s.user_id
      and a.item_digest is null
    order by a.item_digest, a.occurred_at, a.id limit 1
  ) done on true`;

/** Inserts the assignment, and the user where nobody knew of one. */
export async function insertAssignment(
  db: Db,
  assignment: NewAssignment,
  deadline: Date | undefined,
): Promise<AssignmentRow> {
  const { type, name, maxAttempts = null } = assignment;
  const { rows } = await sql<AssignmentRow>`
    with known as (
      insert into learning.users (id) values (${userName(assignment.user)})
      on conflict (id) do nothing
    ), s as (
      insert into learning.assignments
        (id, user_id, type, name, topic, is_task, max_attempts, deadline)
      values (${newId()}, ${userName(assignment.user)}, ${type}, ${name}, ${topicOf(type, name)},
              ${isTask(type)}, ${maxAttempts}, ${deadline ?? null})
      returning id, user_id, type, name, topic, is_task, max_attempts, deadline, assigned_at
    )
    ${shownAssignment}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The assignment was not inserted.');
  return row;
}

/** Oldest first. */
export async function listAssignments(
  db: Db,
  { user, limit, offset }: { user?: string; limit: number; offset: number },
): Promise<AssignmentRow[]> {
  const ofUser = user === undefined ? sql`` : sql`where user_id = ${userName(user)}`;
  const { rows } = await sql<AssignmentRow>`
    with s as (
      select id, user_id, type, name, topic, is_task, max_attempts, deadline, assigned_at
      from learning.assignments ${ofUser}
      order by id limit ${limit} offset ${offset}
    )
    ${shownAssignment} order by s.id`.execute(db);
  return rows;
}

export async function findAssignment(db: Db, id: string): Promise<AssignmentRow | undefined> {
  const { rows } = await sql<AssignmentRow>`
    with s as (
      select id, user_id, type, name, topic, is_task, max_attempts, deadline, assigned_at
      from learning.assignments where id = ${id}
    )
    ${shownAssignment}`.execute(db);
  return rows[0];
}
