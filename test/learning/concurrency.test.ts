import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINE, startApp, type TestApp } from '../harness.ts';
import { startServer } from '../processes.ts';
import { KEY, learningClient, unique } from './client.ts';

const QUESTIONS = ['One?', 'Two?', 'Three?'];

/** `count` answers of one user, sent at once, in turn to each of `urls`. */
async function rush(urls: string[], user: string, name: string, count: number): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      // Three moments, so that most come out of order and many share one.
      const timestamp = new Date(Date.UTC(2026, 0, 1, 0, 0, index % 3));
      const item = QUESTIONS[index % QUESTIONS.length];
      const data = { type: 'quiz', name, item, answer: index % 4 === 0 ? 'no' : 'yes' };
      return fetch(`${urls[index % urls.length]}/activities`, {
        method: 'POST',
        headers: { ...KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ data, metadata: { user, timestamp } }),
      });
    }),
  );
  for (const { status } of answers) expect(status).toBe(204);
}

/** That what was derived on the way is what the whole stream comes to. */
async function expectDerived(t: TestApp, user: string): Promise<void> {
  const attempts = () =>
    sql<object>`
      select number, after_at, after_id, started_at, ended_at, ended_id, answered, score, passed
      from learning.attempts where user_id = ${user} order by number`.execute(t.db);
  const before = (await attempts()).rows;
  await sql`
    select learning.derive_attempts(array_agg(user_id), array_agg(task_id),
                                    array_agg('-infinity'::timestamptz))
    from learning.attempts where user_id = ${user} and number = 1`.execute(t.db);
  expect(before.length).toBeGreaterThan(1);
  expect((await attempts()).rows).toEqual(before);
}

const countOf = async (t: TestApp, user: string) => {
  const { rows } = await sql<{ counted: number; rows: number }>`
    select u.activities as counted,
           (select count(*) from learning.activities where user_id = u.id) as rows
    from learning.users u where u.id = ${user}`.execute(t.db);
  return rows[0];
};

describe('many answers of one user at one quiz, at once', () => {
  it('come to what the stream comes to', async () => {
    await using t = await startApp();
    const url = await t.listen();
    const name = unique('Quiz');
    await learningClient(t).quiz(name, QUESTIONS);
    await rush([url], 'ada', name, 60);
    await expectDerived(t, 'ada');
    expect(await countOf(t, 'ada')).toEqual({ counted: 60, rows: 60 });
  });

  it('lose nothing where the quiz is made in their midst', async () => {
    await using t = await startApp();
    const url = await t.listen();
    const learning = learningClient(t);
    for (let round = 0; round < 5; round += 1) {
      const [user, name] = [`user${round}`, unique('Quiz')];
      await Promise.all([
        rush([url], user, name, 30),
        learning.quiz(name, QUESTIONS),
        rush([url], user, name, 30),
      ]);
      await expectDerived(t, user);
    }
  });

  // The embedded engine is for one process.
  if (ENGINE === 'embedded') return;

  it('from two processes too', async () => {
    await using t = await startApp();
    const env = { ...t.databaseEnv, PUBLIC_URL: t.config.PUBLIC_URL };
    await using one = await startServer(env);
    await using two = await startServer(env);
    const learning = learningClient(t);
    for (let round = 0; round < 4; round += 1) {
      const [user, name] = [`user${round}`, unique('Quiz')];
      if (round % 2 === 0) await learning.quiz(name, QUESTIONS);
      const running = rush([one.url, two.url], user, name, 90);
      if (round % 2 === 1) await learning.quiz(name, QUESTIONS);
      await running;
      await expectDerived(t, user);
      expect(await countOf(t, user)).toEqual({ counted: 90, rows: 90 });
    }
  });
});
