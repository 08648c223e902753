import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { SummaryReport } from './reports.schemas.ts';

/** What ended from `start` until before `end`: one scan of an index; and a look for each user. */
export async function summarize(
  db: Db,
  start: Date,
  end: Date,
): Promise<Omit<SummaryReport, 'id' | 'startDate' | 'endDate'>> {
  const { rows } = await sql<Omit<SummaryReport, 'id' | 'startDate' | 'endDate'>>`
    select (
             select count(*) from learning.users u
             where exists (select from learning.activities a
                           where a.user_id = u.id
                             and a.occurred_at >= ${start} and a.occurred_at < ${end})
           ) as users,
           coalesce(sum(ended.attempts) filter (where t.type = 'quiz'), 0)::bigint as attempts,
           count(*) filter (where t.type = 'quiz') as quizzes,
           coalesce(sum(ended.passed) filter (where t.type = 'quiz')
                    / sum(ended.attempts) filter (where t.type = 'quiz'),
                    0)::double precision as "passRate",
           coalesce(sum(ended.attempts) filter (where t.type = 'checklist'), 0)::bigint
             as checklists
    from (
      select a.task_id, count(*) as attempts, count(*) filter (where a.passed) as passed
      from learning.attempts a
      where a.ended_at >= ${start} and a.ended_at < ${end}
      group by a.task_id
    ) ended
    join learning.tasks t on t.id = ended.task_id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('An aggregate has a row.');
  return row;
}
