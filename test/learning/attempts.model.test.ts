import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ENGINE, sharedApp } from '../harness.ts';
import { type Answer, play } from './attempts.model.ts';
import { learningClient, minute, unique } from './client.ts';

const t = await sharedApp();
const learning = learningClient(t);

const QUESTIONS = ['One?', 'Two?', 'Three?', 'Four?'];
const answer: fc.Arbitrary<Answer> = fc.record({
  // Few moments, so that many answers share one; and in any order.
  at: fc.nat(20),
  question: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...QUESTIONS) },
    { weight: 1, arbitrary: fc.constantFrom(' one?', 'TWO? ', 'Five?') },
  ),
  answer: fc.constantFrom('yes', 'yes', ' YES', 'no', '', null),
});
const stream = fc.record({
  questions: fc.integer({ min: 1, max: QUESTIONS.length }),
  answers: fc.array(answer, { maxLength: 24, size: 'max' }),
  /** How many answers are there before the quiz is. */
  early: fc.nat(24),
});

it('scores are what the model says, in whatever order answers and quiz arrive', async () => {
  const seen = { scores: 0, laterAttempts: 0 };
  await fc.assert(
    fc.asyncProperty(stream, async ({ questions, answers, early }) => {
      const name = unique('Quiz');
      const user = unique('user');
      const asked = QUESTIONS.slice(0, questions);
      const record = async (some: Answer[]) => {
        for (const { at, question, answer: given } of some)
          await learning.record(user, { type: 'quiz', name, item: question, answer: given }, at);
      };
      await record(answers.slice(0, early));
      await learning.quiz(name, asked);
      await record(answers.slice(early));

      const expected = play(new Map(asked.map((question) => [question, 'yes'])), answers);
      const url = `/scores?${new URLSearchParams({ user, quiz: name.toUpperCase() })}`;
      const scores = await learning.read(url);
      if (!expected) {
        expect(scores).toEqual([]);
        return;
      }
      seen.scores += 1;
      if (expected.attempts > 1) seen.laterAttempts += 1;
      expect(scores).toEqual([
        {
          id: expect.stringMatching(/^score_/),
          user,
          quiz: name,
          score: expected.score,
          attempts: expected.attempts,
          breakdown: asked.map((question) => {
            const counted = expected.counted.answers.get(question);
            return {
              question,
              choices: null,
              correctAnswer: 'yes',
              ...(counted && { answer: counted.answer, answeredAt: minute(counted.at) }),
            };
          }),
        },
      ]);
    }),
    { numRuns: ENGINE === 'postgresql' ? 150 : 60 },
  );
  expect(seen.scores).toBeGreaterThan(20);
  expect(seen.laterAttempts).toBeGreaterThan(10);
});
