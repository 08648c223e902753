import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { topicOf, userName } from '../names.ts';
import { countedAnswer } from './answers.queries.ts';

export interface ScoreRow {
  user_id: string;
  quiz_id: string;
  quiz: string;
  score: number;
  attempts: number;
  breakdown: {
    question: string;
    choices: Record<string, string> | null;
    correctAnswer: string;
    answer: string | null;
    answeredAt: string | null;
  }[];
}

export interface ScoreFilter {
  user?: string;
  quiz?: string;
  limit: number;
  offset: number;
}

/**
 * One row a user and quiz, by user, then the older quiz first. The score is that of the last attempt
 * that ended; until one did, of the current one.
 */
export async function listScores(db: Db, filter: ScoreFilter): Promise<ScoreRow[]> {
  const { user, quiz, limit, offset } = filter;
  const ofUser = user === undefined ? sql`` : sql`and first.user_id = ${userName(user)}`;
  const ofQuiz =
    quiz === undefined
      ? sql`and exists (select from learning.tasks q where q.id = first.task_id and q.type = 'quiz')`
      : sql`and first.task_id = (select q.id from learning.tasks q
                                 where q.topic = ${topicOf('quiz', quiz)})`;
  const { rows } = await sql<ScoreRow>`
    select c.user_id, t.id as quiz_id, t.name as quiz, c.score, latest.number as attempts, (
      select json_agg(json_build_object(
               'question', i.item, 'choices', i.choices, 'correctAnswer', i.correct_answer,
               'answer', answer.answer, 'answeredAt', answer.occurred_at) order by i.position)
      from learning.task_items i left join lateral ${countedAnswer} answer on true
      where i.task_id = t.id
    ) as breakdown
    from (
      select first.user_id, first.task_id from learning.attempts first
      where first.number = 1 ${ofUser} ${ofQuiz}
      order by first.user_id, first.task_id
      limit ${limit} offset ${offset}
    ) page
    join learning.tasks t on t.id = page.task_id
    cross join lateral (
      select a.number, a.ended_at from learning.attempts a
      where a.user_id = page.user_id and a.task_id = page.task_id
      order by a.number desc limit 1
    ) latest
    join learning.attempts c
      on c.user_id = page.user_id and c.task_id = page.task_id
         and c.number = case when latest.ended_at is null and latest.number > 1
                             then latest.number - 1 else latest.number end
    order by page.user_id, page.task_id`.execute(db);
  return rows;
}
