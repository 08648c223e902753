import { describe, expect, it } from 'vitest';
import { sharedApp } from '../harness.ts';
import { learningClient, minute, unique } from './client.ts';

const t = await sharedApp();
const learning = learningClient(t);

const scoreOf = async (user: string, quiz: string) =>
  (await learning.read(`/scores?${new URLSearchParams({ user, quiz })}`))[0];
const answerTo = (name: string, item: string, answer: string | null = 'yes') => ({
  type: 'quiz',
  name,
  item,
  answer,
});

describe('attempts', () => {
  it('end with the last question, and the next answer opens another', async () => {
    const [user, name] = [unique('user'), unique('Quiz')];
    await learning.quiz(name, ['One?', 'Two?']);
    await learning.record(user, answerTo(name, 'One?'), 1);
    expect(await scoreOf(user, name)).toMatchObject({ score: 0.5, attempts: 1 });
    await learning.record(user, answerTo(name, 'One?', 'no'), 2);
    expect(await scoreOf(user, name)).toMatchObject({ score: 0, attempts: 1 });
    await learning.record(user, answerTo(name, 'Two?'), 3);
    const ended = await scoreOf(user, name);
    expect(ended).toMatchObject({ score: 0.5, attempts: 1 });
    await learning.record(user, answerTo(name, 'Two?', 'no'), 4);
    // Another has begun; the score is that of the one that ended.
    expect(await scoreOf(user, name)).toEqual({ ...ended, attempts: 2 });
    await learning.record(user, answerTo(name, 'One?', 'no'), 5);
    expect(await scoreOf(user, name)).toMatchObject({ score: 0, attempts: 2 });
  });

  it('an answer that arrives late takes its place', async () => {
    const [user, name] = [unique('user'), unique('Quiz')];
    await learning.quiz(name, ['One?', 'Two?']);
    await learning.record(user, answerTo(name, 'One?'), 1);
    await learning.record(user, answerTo(name, 'One?', 'no'), 3);
    await learning.record(user, answerTo(name, 'Two?', 'no'), 4);
    expect(await scoreOf(user, name)).toMatchObject({ score: 0, attempts: 1 });
    // With this one, the first attempt was over before the second "One?" was answered.
    await learning.record(user, answerTo(name, 'Two?'), 2);
    const score = await scoreOf(user, name);
    expect(score).toMatchObject({ score: 0, attempts: 2 });
    expect(score.breakdown.map((each: { answeredAt: string }) => each.answeredAt)).toEqual([
      minute(3),
      minute(4),
    ]);
  });

  it('answers of one moment count in the order of their arrival', async () => {
    const [user, name] = [unique('user'), unique('Quiz')];
    await learning.quiz(name, ['One?', 'Two?']);
    for (const answer of ['no', 'yes', 'no', 'yes'])
      await learning.record(user, answerTo(name, 'One?', answer), 1);
    await learning.record(user, answerTo(name, 'Two?'), 1);
    expect(await scoreOf(user, name)).toMatchObject({ score: 1, attempts: 1 });
  });

  it('a choice is right to the letter, a blank without case and outer space', async () => {
    const name = unique('Quiz');
    const choices = { a: 'Yes', b: 'No' };
    await learning.quiz(name, [
      { question: 'Pick', correctAnswer: 'a', choices },
      { question: 'Write', correctAnswer: ' Straße ' },
    ]);
    for (const [pick, write, score] of [
      ['a', 'STRAßE', 1],
      ['A', '\tstraße\n', 0.5],
      ['Yes', 'strasse', 0],
      ['a ', '', 0],
    ] as const) {
      const user = unique('user');
      await learning.record(user, answerTo(name, 'Pick', pick), 1);
      await learning.record(user, answerTo(name, 'Write', write), 2);
      expect(await scoreOf(user, name), `${pick} ${write}`).toMatchObject({ score, attempts: 1 });
    }
  });

  it('null answers nothing, and an unknown question is no question', async () => {
    const [user, name] = [unique('user'), unique('Quiz')];
    await learning.quiz(name, ['One?']);
    await learning.record(user, answerTo(name, 'One?', null), 1);
    await learning.record(user, answerTo(name, 'Who?'), 2);
    expect(await scoreOf(user, name)).toBeUndefined();
    await learning.record(user, answerTo(name, 'One?'), 3);
    await learning.record(user, answerTo(name, 'One?', null), 4);
    expect(await scoreOf(user, name)).toMatchObject({ score: 1, attempts: 1 });
    expect((await learning.read(`/users/${user}`)).activity).toHaveLength(4);
  });

  it('names, questions and types that differ in case and outer space are the same', async () => {
    const [user, name] = [unique('user'), unique('Ünique Quiz')];
    await learning.quiz(name, ['Öne?', 'Two?']);
    await learning.record(
      user,
      { ...answerTo(` ${name.toUpperCase()}`, 'ÖNE? '), type: 'QUIZ ' },
      1,
    );
    await learning.record(user, answerTo(name.toLowerCase(), ' two?'), 2);
    // In another normal form of Unicode.
    await learning.record(user, answerTo(name.normalize('NFD'), 'Öne?'.normalize('NFD')), 3);
    expect(await scoreOf(user, ` ${name.toLowerCase()} `)).toMatchObject({ score: 1, attempts: 2 });
  });

  it('users that differ in case are two, with and without prefix one', async () => {
    const [user, name] = [unique('user'), unique('Quiz')];
    await learning.quiz(name, ['One?', 'Two?']);
    await learning.record(`usr_${user}`, answerTo(name, 'One?'), 1);
    await learning.record(user, answerTo(name, 'Two?'), 2);
    await learning.record(user.toUpperCase(), answerTo(name, 'Two?'), 2);
    expect(await scoreOf(user, name)).toEqual(await scoreOf(`usr_${user}`, name));
    expect(await scoreOf(user, name)).toMatchObject({ user, score: 1 });
    expect(await scoreOf(user.toUpperCase(), name)).toMatchObject({ score: 0.5 });
  });
});
