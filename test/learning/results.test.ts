import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { sharedApp } from '../harness.ts';
import { learningClient, minute, unique } from './client.ts';

const t = await sharedApp();
const learning = learningClient(t);

/** One attempt of `user` at a quiz of four questions, with `right` right answers. */
const attempt = async (user: string, name: string, right: number, at: number) => {
  for (const [index, item] of ['1?', '2?', '3?', '4?'].entries()) {
    const answer = index < right ? 'yes' : 'no';
    await learning.record(user, { type: 'quiz', name, item, answer }, at + index);
  }
};
const quizOfFour = (name: string) => learning.quiz(name, ['1?', '2?', '3?', '4?'], 0.75);
const tick = (user: string, name: string, item: string, at: number) =>
  learning.record(user, { type: 'checklist', name, item }, at);
const badgesOf = async (user: string) =>
  (await learning.read(`/users/${user}`)).badges.map(
    ({ name, awardedAt }: { name: string; awardedAt: string }) => [name, awardedAt],
  );
const assignmentOf = async ({ id }: { id: string }) => learning.read(`/assignments/${id}`);

describe('badges', () => {
  it('are awarded when the last requirement is met, whatever its kind', async () => {
    const [user, quiz, list, lesson, badge] = ['user', 'Quiz', 'List', 'Lesson', 'Badge'].map(
      unique,
    ) as [string, string, string, string, string];
    await quizOfFour(quiz);
    await learning.checklist(list, ['a', 'b']);
    await learning.badge(badge, [
      { type: 'quiz', name: quiz.toUpperCase() },
      { type: 'Checklist', name: list },
      { type: 'lesson', name: lesson },
    ]);
    await learning.record(user, { type: 'Lesson ', name: ` ${lesson}`, item: 'x' }, 1);
    await learning.record(user, { type: 'lesson', name: lesson }, 50);
    await attempt(user, quiz, 2, 10);
    await tick(user, list, 'A', 20);
    expect(await badgesOf(user)).toEqual([]);
    await attempt(user, quiz, 3, 30);
    expect(await badgesOf(user)).toEqual([]);
    await tick(user, list, 'b ', 40);
    expect(await badgesOf(user)).toEqual([[badge, minute(40)]]);
    // What is met stays met.
    await attempt(user, quiz, 0, 60);
    await tick(user, list, 'b', 70);
    expect(await badgesOf(user)).toEqual([[badge, minute(40)]]);
    const [summary] = (await learning.read('/users?limit=100')).filter(
      ({ id }: { id: string }) => id === `usr_${user}`,
    );
    expect(summary).toEqual({ id: `usr_${user}`, badgesCount: 1, assignments: 0, activity: 17 });
  });

  it('ask for a score, for few attempts, for an attempt of any score', async () => {
    const quiz = unique('Quiz');
    await quizOfFour(quiz);
    const names = {
      passed: unique('passed'),
      score: unique('score'),
      soon: unique('soon'),
      tried: unique('tried'),
    };
    const requirement = { type: 'quiz', name: quiz };
    await learning.badge(names.passed, [requirement]);
    await learning.badge(names.score, [{ ...requirement, minScore: 1 }]);
    await learning.badge(names.soon, [{ ...requirement, minScore: 0.5, maxAttempts: 1 }]);
    await learning.badge(names.tried, [{ ...requirement, status: 'completed' }]);
    const earned = async (...rights: number[]) => {
      const user = unique('user');
      for (const [index, right] of rights.entries()) await attempt(user, quiz, right, index * 10);
      return (await badgesOf(user)).map(([name]: [string]) => name).toSorted();
    };
    const { passed, score, soon, tried } = names;
    expect(await earned(0)).toEqual([tried]);
    expect(await earned(2)).toEqual([soon, tried].toSorted());
    expect(await earned(1, 3)).toEqual([passed, tried].toSorted());
    expect(await earned(1, 4)).toEqual([passed, score, tried].toSorted());
    expect(await earned(4)).toEqual([passed, score, soon, tried].toSorted());
  });

  it('that are made later count what was done before; that ask for nothing, nobody has', async () => {
    const [user, quiz, badge] = [unique('user'), unique('Quiz'), unique('Badge')];
    await attempt(user, quiz, 4, 1);
    await learning.badge(badge, [{ type: 'quiz', name: quiz }]);
    await learning.badge(unique('Nothing'), []);
    expect(await badgesOf(user)).toEqual([]);
    await quizOfFour(quiz);
    expect(await badgesOf(user)).toEqual([[badge, minute(4)]]);
  });
});

describe('assignments', () => {
  it('of a quiz: assigned, started, completed', async () => {
    const [user, name] = [unique('user'), unique('Quiz')];
    const made = await learning.assign({ user: `usr_${user}`, type: 'quiz', name });
    expect(made).toEqual({
      id: expect.stringMatching(/^asmt_/),
      user,
      type: 'quiz',
      name,
      status: 'assigned',
      assignedAt: expect.stringMatching(/Z$/),
      progress: 0,
    });
    await quizOfFour(name);
    expect(await assignmentOf(made)).toEqual(made);
    await learning.record(user, { type: 'quiz', name, item: '1?', answer: 'no' }, 1);
    expect(await assignmentOf(made)).toMatchObject({
      status: 'started',
      progress: 0.25,
      data: {
        attempts: 1,
        score: 0,
        items: [{ item: '1?', doneAt: minute(1) }, { item: '2?' }, { item: '3?' }, { item: '4?' }],
      },
    });
    await attempt(user, name, 0, 2);
    expect(await assignmentOf(made)).toMatchObject({
      status: 'started',
      progress: 1,
      data: { attempts: 1, score: 0 },
    });
    await attempt(user, name, 3, 20);
    const done = await assignmentOf(made);
    expect(done).toMatchObject({ status: 'completed', progress: 1, data: { score: 0.75 } });
    await attempt(user, name, 0, 30);
    // Done is done; only the number of attempts goes on.
    expect(await assignmentOf(made)).toEqual({ ...done, data: { ...done.data, attempts: 3 } });
    const [listed] = await learning.read(`/assignments?user=usr_${user}`);
    expect(listed).toEqual(await assignmentOf(made));
    expect((await learning.read(`/users/${user}`)).assignments).toEqual([listed]);
  });

  it('count as many attempts as they allow, and fail after the last', async () => {
    const [user, name] = [unique('user'), unique('Quiz')];
    await quizOfFour(name);
    const made = await learning.assign({ user, type: 'quiz', name, maxAttempts: 2 });
    await attempt(user, name, 0, 1);
    expect(await assignmentOf(made)).toMatchObject({ status: 'started', maxAttempts: 2 });
    await attempt(user, name, 2, 11);
    expect(await assignmentOf(made)).toMatchObject({ status: 'failed', data: { score: 0.5 } });
    await attempt(user, name, 4, 21);
    const failed = await assignmentOf(made);
    expect(failed).toMatchObject({ status: 'failed', data: { score: 0.5, attempts: 3 } });
    expect(failed.completedAt).toBeUndefined();
    // The attempts are the same for whoever allows more.
    const another = await learning.assign({ user, type: 'quiz', name, maxAttempts: 3 });
    expect(another).toMatchObject({ status: 'completed', completedAt: minute(24) });
  });

  it('of a checklist follow its items; ticking twice is ticking once', async () => {
    const [user, name] = [unique('user'), unique('List')];
    await tick(user, name, 'a', 5);
    await learning.checklist(name, ['a', 'b', 'c', 'd']);
    const made = await learning.assign({ user, type: 'checklist', name });
    expect(made).toMatchObject({ status: 'started', progress: 0.25 });
    await tick(user, name, 'a', 6);
    await tick(user, name, 'b', 7);
    await tick(user, name, 'e', 7);
    expect(await assignmentOf(made)).toMatchObject({ status: 'started', progress: 0.5 });
    await tick(user, name, 'c', 9);
    // An answer makes no difference.
    await learning.record(user, { type: 'checklist', name, item: 'd', answer: 'no' }, 8);
    const done = await assignmentOf(made);
    expect(done).toMatchObject({ status: 'completed', progress: 1, completedAt: minute(9) });
    await tick(user, name, 'a', 60);
    expect(await assignmentOf(made)).toEqual(done);
  });

  it('of anything else are completed by the first activity of that name', async () => {
    const [user, name] = [unique('user'), unique('Lesson')];
    const made = await learning.assign({ user, type: 'lesson', name });
    await learning.record(user, { type: 'video', name }, 1);
    expect((await assignmentOf(made)).status).toBe('assigned');
    await learning.record(user, { type: 'lesson', name }, 9);
    await learning.record(user, { type: 'lesson', name }, 3);
    expect(await assignmentOf(made)).toMatchObject({
      status: 'completed',
      progress: 1,
      completedAt: minute(3),
    });
  });

  it('are overdue from the deadline on, until they are done', async () => {
    const [user, name] = [unique('user'), unique('List')];
    await learning.checklist(name, ['a', 'b']);
    const assignment = { user, type: 'checklist', name };
    const past = await learning.assign({ ...assignment, deadline: '2026-01-01T02:00:00+02:00' });
    expect(past).toMatchObject({ status: 'overdue', deadline: minute(0) });
    const future = await learning.assign({ ...assignment, deadline: '2999-01-01T00:00:00Z' });
    await tick(user, name, 'a', 1);
    expect(await assignmentOf(past)).toMatchObject({ status: 'overdue', progress: 0.5 });
    expect(await assignmentOf(future)).toMatchObject({ status: 'started', progress: 0.5 });
    await sql`update learning.assignments set deadline = clock_timestamp()
              where id = ${future.id.slice(5)}`.execute(t.db);
    expect((await assignmentOf(future)).status).toBe('overdue');
    await tick(user, name, 'b', 2);
    expect((await assignmentOf(past)).status).toBe('completed');
    expect((await assignmentOf(future)).status).toBe('completed');
  });
});

describe('users', () => {
  it('are known by an assignment or an activity, and else 404', async () => {
    const user = unique('user');
    expect((await learning.get(`/users/${user}`)).statusCode).toBe(404);
    await learning.assign({ user, type: 'quiz', name: 'Who we are' });
    expect(await learning.read(`/users/${user}`)).toMatchObject({
      id: `usr_${user}`,
      badges: [],
      assignments: [{ name: 'Who we are' }],
      activity: [],
    });
  });

  it('show their newest activity first, page by page, with an ETag', async () => {
    const user = unique('user');
    for (const at of [3, 1, 5, 2, 4]) await learning.record(user, { type: 'x', name: `${at}` }, at);
    const names = async (query: string) => {
      const answer = await learning.get(`/users/${user}?${query}`);
      const { activity } = answer.json();
      const shown = activity.map(({ data }: { data: { name: string } }) => data.name).join('');
      return [shown, answer.headers['link']];
    };
    const url = `http://127.0.0.1:3000/users/${encodeURIComponent(user)}?limit=2&page`;
    expect(await names('limit=2')).toEqual(['54', `<${url}=2>; rel="next"`]);
    expect(await names('limit=2&page=2')).toEqual([
      '32',
      `<${url}=3>; rel="next", <${url}=1>; rel="prev"`,
    ]);
    expect(await names('limit=2&page=3')).toEqual(['1', `<${url}=2>; rel="prev"`]);
    expect(await names('limit=2&page=4')).toEqual(['', `<${url}=3>; rel="prev"`]);
    const { etag } = (await learning.get(`/users/${user}`)).headers;
    await learning.record(user, { type: 'x', name: '6' }, 6);
    expect((await learning.get(`/users/${user}`)).headers['etag']).not.toBe(etag);
  });
});
