import { expect, it } from 'vitest';
import { sharedApp } from '../harness.ts';
import { learningClient, minute } from './client.ts';

const t = await sharedApp();
const learning = learningClient(t);

const report = (start: number, end: number) =>
  `/reports/summaries?${new URLSearchParams({ startDate: minute(start), endDate: minute(end) })}`;

it('counts what ended from the start until before the end', async () => {
  const none = { users: 0, attempts: 0, quizzes: 0, passRate: 0, checklists: 0 };
  expect(await learning.read(report(0, 60))).toEqual({
    id: expect.stringMatching(/^id_/),
    startDate: minute(0),
    endDate: minute(60),
    ...none,
  });

  await learning.quiz('One', ['a?', 'b?'], 0.5);
  await learning.quiz('Two', ['a?'], 1);
  await learning.checklist('List', ['x', 'y']);
  const answer = (user: string, name: string, item: string, given: string, at: number) =>
    learning.record(user, { type: 'quiz', name, item, answer: given }, at);
  await answer('ann', 'One', 'a?', 'no', 1);
  await answer('ann', 'One', 'b?', 'yes', 10); // ended and passed at 10
  await answer('bob', 'Two', 'a?', 'no', 20); // ended, failed
  await answer('bob', 'Two', 'a?', 'yes', 30); // ended, passed
  await answer('cy', 'One', 'a?', 'yes', 30); // did not end
  await learning.record('cy', { type: 'checklist', name: 'List', item: 'x' }, 31);
  await learning.record('cy', { type: 'checklist', name: 'List', item: 'y' }, 32);
  await learning.record('dee', { type: 'lesson', name: 'Intro' }, 40);
  await learning.assign({ user: 'eve', type: 'quiz', name: 'One' });

  const read = async (start: number, end: number) => {
    const { id, startDate, endDate, ...counts } = await learning.read(report(start, end));
    expect([startDate, endDate]).toEqual([minute(start), minute(end)]);
    expect(id).toBe((await learning.read(report(start, end))).id);
    return counts;
  };
  expect(await read(0, 60)).toEqual({
    users: 4,
    attempts: 3,
    quizzes: 2,
    passRate: 2 / 3,
    checklists: 1,
  });
  expect(await read(2, 10)).toEqual(none);
  expect(await read(10, 11)).toEqual({ ...none, users: 1, attempts: 1, quizzes: 1, passRate: 1 });
  expect(await read(20, 30)).toEqual({ ...none, users: 1, attempts: 1, quizzes: 1 });
  expect(await read(31, 33)).toEqual({ ...none, users: 1, checklists: 1 });
  expect(await read(40, 41)).toEqual({ ...none, users: 1 });
});

it('refuses times that are missing, wrong or the wrong way round', async () => {
  const faults = async (query: string) => {
    const answer = await learning.get(`/reports/summaries?${query}`);
    expect(answer.statusCode, query).toBe(400);
    return answer.json().errors.map(({ parameter }: { parameter: string }) => parameter);
  };
  const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
  expect(await faults('')).toEqual(['startDate', 'endDate']);
  expect(await faults(`startDate=${early}`)).toEqual(['endDate']);
  expect(await faults(`startDate=2026-01-01&endDate=${late}`)).toEqual(['startDate']);
  expect(await faults(`startDate=${late}&endDate=${early}`)).toEqual(['endDate']);
  expect(await faults(`startDate=${late}&endDate=${late}`)).toEqual(['endDate']);
  expect(await faults('startDate=0001-01-01T00:00:00Z&endDate=9999-12-31T23:59:59-09:00')).toEqual([
    'startDate',
    'endDate',
  ]);
});
