import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { digest, topicOf } from '../names.ts';

export interface NewTask {
  type: 'quiz' | 'checklist';
  name: string;
  passingScore: number;
  items: NewItem[];
}

interface NewItem {
  item: string;
  choices?: Record<string, string> | null;
  correctAnswer?: string;
}

export interface TaskRow {
  id: string;
  name: string;
  passing_score: number;
  created_at: Date;
  items: { item: string; choices: Record<string, string> | null; correctAnswer: string | null }[];
}

/**
 * Inserts a quiz or a checklist, and with it the attempts of everybody who worked on it before it
 * existed. Undefined: its name is taken.
 */
export async function insertTask(db: Db, task: NewTask): Promise<TaskRow | undefined> {
  const { type, name, passingScore, items } = task;
  const rows = items.map(({ item, choices = null, correctAnswer }, index) => ({
    position: index + 1,
    item,
    digest: digest(item),
    choices,
    correct_answer: correctAnswer ?? null,
    // A choice is right to the letter, a blank by its digest.
    correct_digest: correctAnswer === undefined || choices ? null : digest(correctAnswer),
  }));
  const inserted = await sql<{ id: string; created_at: Date }>`
    with task as (
      insert into learning.tasks (id, type, name, topic, passing_score, items)
      values (${newId()}, ${type}, ${name}, ${topicOf(type, name)}, ${passingScore}, ${items.length})
      on conflict (topic) do nothing
      returning id, created_at
    ), item as (
      insert into learning.task_items
        (task_id, position, item, digest, choices, correct_answer, correct_digest)
      select task.id, i.position, i.item, i.digest, i.choices, i.correct_answer, i.correct_digest
      from task, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as i (position smallint, item text, digest uuid, choices jsonb, correct_answer text,
              correct_digest uuid)
    )
    select id, created_at from task`.execute(db);
  const [made] = inserted.rows;
  if (!made) return undefined;
  return {
    id: made.id,
    name,
    passing_score: passingScore,
    created_at: made.created_at,
    items: items.map(({ item, choices = null, correctAnswer = null }) => ({
      item,
      choices,
      correctAnswer,
    })),
  };
}

/** A task as TaskRow has it, from `t`. */
const shown = sql`
  t.id, t.name, t.passing_score, t.created_at, (
    select coalesce(json_agg(json_build_object('item', i.item, 'choices', i.choices,
                                               'correctAnswer', i.correct_answer)
                             order by i.position), '[]')
    from learning.task_items i where i.task_id = t.id
  ) as items`;

/** Quizzes or checklists, oldest first. */
export async function listTasks(
  db: Db,
  type: NewTask['type'],
  { limit, offset }: { limit: number; offset: number },
): Promise<TaskRow[]> {
  const { rows } = await sql<TaskRow>`
    select ${shown} from learning.tasks t where t.type = ${type}
    order by t.id limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

export async function findTask(
  db: Db,
  type: NewTask['type'],
  id: string,
): Promise<TaskRow | undefined> {
  const { rows } = await sql<TaskRow>`
    select ${shown} from learning.tasks t where t.id = ${id} and t.type = ${type}`.execute(db);
  return rows[0];
}
