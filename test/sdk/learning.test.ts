import createClient from 'openapi-fetch';
import { describe, expect, it } from 'vitest';
import { sharedApp } from '../harness.ts';
import { KEY, minute, unique } from '../learning/client.ts';
import { answered, firstOf, refused } from './answers.ts';
import type { paths, Writable } from './generated/learning.ts';

type Operation = paths['/quizzes']['post'];
type NewQuiz = Writable<Operation['requestBody']['content']['application/json']>;
type Json = 'application/json' | 'application/problem+json';

const t = await sharedApp();
const baseUrl = await t.listen();
const api = createClient<paths, Json>({ baseUrl, headers: KEY });

/** A quiz that is passed by two right answers. */
const quizOf = (name: string): NewQuiz => ({
  name,
  passingScore: 1,
  questions: [
    {
      type: 'choice',
      question: 'What do we value most?',
      choices: { a: 'Speed', b: 'Honesty' },
      correctAnswer: 'b',
    },
    { type: 'blank', question: 'In which city are we?', correctAnswer: 'Lisbon' },
  ],
});

/** Records the answers of an attempt, in the order of the questions. */
async function attempt(user: string, quiz: NewQuiz, answers: string[], from: number) {
  for (const [index, answer] of answers.entries()) {
    const item = quiz.questions?.[index]?.question ?? '';
    const recorded = await api.POST('/activities', {
      body: {
        data: { type: 'quiz', name: quiz.name, item, answer },
        metadata: { user, timestamp: minute(from + index) },
      },
    });
    expect(answered(recorded)).toBeUndefined();
  }
}

describe('a generated client of the learning service', () => {
  it('makes a quiz, answers it, and reads what came of it', async () => {
    const [user, name] = [unique('user'), unique('Quiz')];
    const quiz = answered(await api.POST('/quizzes', { body: quizOf(name) }));
    expect(quiz.questions.map(({ choices }) => choices?.b)).toEqual(['Honesty', undefined]);
    const path = { id: quiz.id };
    expect(answered(await api.GET('/quizzes/{id}', { params: { path } }))).toEqual(quiz);
    const requirements = [{ type: 'quiz', name, minScore: 1 }];
    const badge = await api.POST('/badges', { body: { name: unique('Badge'), requirements } });
    const deadline = '2099-12-31T00:00:00Z';
    const assigned = answered(
      await api.POST('/assignments', { body: { user, type: 'quiz', name, deadline } }),
    );
    expect([assigned.status, assigned.progress]).toEqual(['assigned', 0]);

    await attempt(user, quizOf(name), ['a', 'Porto'], 0);
    await attempt(user, quizOf(name), ['b', ' lisbon'], 10);
    const query = { user, quiz: name };
    const score = firstOf(answered(await api.GET('/scores', { params: { query } })));
    expect([score.score, score.attempts]).toEqual([1, 2]);
    expect(score.breakdown.map(({ answer }) => answer)).toEqual(['b', ' lisbon']);
    const params = { path: { id: assigned.id } };
    const { status, data } = answered(await api.GET('/assignments/{id}', { params }));
    expect([status, data?.attempts]).toEqual(['completed', 2]);
    const detail = answered(await api.GET('/users/{id}', { params: { path: { id: user } } }));
    expect(detail.badges.map(({ id }) => id)).toEqual([answered(badge).id]);
    expect(detail.activity).toHaveLength(4);

    const period = { startDate: minute(0), endDate: minute(30) };
    const report = await api.GET('/reports/summaries', { params: { query: period } });
    expect(answered(report)).toMatchObject({ users: 1, quizzes: 1, attempts: 2, passRate: 0.5 });
    const summaries = answered(await api.GET('/users', { params: { query: { limit: 100 } } }));
    expect(summaries.find(({ id }) => id === detail.id)).toMatchObject({
      badgesCount: 1,
      assignments: 1,
      activity: 4,
    });
  });

  it('turns pages', async () => {
    const names = [unique('List'), unique('List'), unique('List')];
    for (const name of names) answered(await api.POST('/checklists', { body: { name } }));
    const read: string[] = [];
    for (let page = 1; ; page += 1) {
      const query = { page, limit: 2 };
      const lists = await api.GET('/checklists', { params: { query } });
      read.push(...answered(lists).map(({ name }) => name));
      if (!lists.response.headers.get('link')?.includes('rel="next"')) break;
    }
    expect(read.slice(-3)).toEqual(names);
  });

  it('finds the services of this origin', async () => {
    const { services } = answered(await createClient<paths, Json>({ baseUrl }).GET('/'));
    expect(services.map(({ base }) => new URL(base).pathname)).toContain('/v3');
  });

  it('has problems that it can handle', async () => {
    const body = quizOf(unique('Quiz'));
    answered(await api.POST('/quizzes', { body }));
    expect(refused(await api.POST('/quizzes', { body })).status).toBe(409);
    const tooGood = await api.POST('/quizzes', { body: { ...body, passingScore: 2 } });
    expect(refused(tooGood)).toMatchObject({ status: 400, faults: ['/passingScore'] });
    const keyless = createClient<paths, Json>({ baseUrl });
    expect(refused(await keyless.GET('/quizzes')).status).toBe(401);
  });

  it('does not compile where the server would refuse', async () => {
    // @ts-expect-error There is no such path.
    expect((await api.GET('/lessons')).response.status).toBe(404);
    // @ts-expect-error An assignment is for a user.
    const nobody = await api.POST('/assignments', { body: { type: 'quiz', name: 'Who we are' } });
    expect(refused(nobody).faults).toEqual(['/user']);
    // @ts-expect-error A quiz has no such member.
    const graded: NewQuiz = { ...quizOf(unique('Quiz')), grade: 'A' };
    expect(refused(await api.POST('/quizzes', { body: graded })).faults).toEqual(['/grade']);
    const essay = { type: 'essay', question: 'Why?', correctAnswer: 'Because.' };
    // @ts-expect-error No such question is asked.
    const open = await api.POST('/quizzes', { body: { name: 'Open', questions: [essay] } });
    expect(refused(open).faults).toEqual(['/questions/0/type']);
    // @ts-expect-error A report has a period.
    expect(refused(await api.GET('/reports/summaries')).status).toBe(400);
    const score = firstOf(answered(await api.GET('/scores')));
    // @ts-expect-error A score is a number.
    expect(score.score === 'good').toBe(false);
  });
});
