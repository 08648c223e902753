import { createHash } from 'node:crypto';
import { newId } from '../../src/platform/ids.ts';
import type { TestApp } from '../harness.ts';

export const KEY = { 'imf-key': 'demo-imf-key' };

export interface Question {
  question: string;
  correctAnswer: string;
  choices?: Record<string, string>;
}

/** A text that no other test uses. */
export const unique = (name: string): string =>
  `${name} ${createHash('sha256').update(newId()).digest('hex').slice(0, 8)}`;

/** The learning service as a client of it sees it. */
export function learningClient(t: Pick<TestApp, 'inject'>) {
  const get = async (url: string) => t.inject({ url, headers: KEY });
  const post = async (url: string, payload: unknown, headers: Record<string, string> = {}) =>
    t.inject({
      method: 'POST',
      url,
      headers: { ...KEY, 'content-type': 'application/json', ...headers },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });

  async function made(url: string, payload: unknown) {
    const answer = await post(url, payload);
    if (answer.statusCode !== 201) throw new Error(`${url}: ${answer.body}`);
    return answer.json();
  }

  return {
    get,
    post,
    /** The body of a 200. */
    async read(url: string) {
      const answer = await get(url);
      if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.body}`);
      return answer.json();
    },
    /** A quiz of blanks, each answered by "yes" unless it says otherwise. */
    quiz: (name: string, questions: (string | Question)[], passingScore = 0.8) =>
      made('/quizzes', {
        name,
        passingScore,
        questions: questions.map((each) => {
          const { choices, ...question } =
            typeof each === 'string' ? { question: each, correctAnswer: 'yes' } : each;
          return { ...question, ...(choices ? { type: 'choice', choices } : { type: 'blank' }) };
        }),
      }),
    checklist: (name: string, items: string[]) => made('/checklists', { name, items }),
    badge: (name: string, requirements: unknown[]) => made('/badges', { name, requirements }),
    assign: (assignment: unknown) => made('/assignments', assignment),
    /** Records `data` of `user`, `minute` minutes after the start of 2026. */
    async record(user: string, data: unknown, minute?: number) {
      const timestamp =
        minute === undefined ? {} : { timestamp: new Date(Date.UTC(2026, 0, 1, 0, minute)) };
      const answer = await post('/activities', { data, metadata: { user, ...timestamp } });
      if (answer.statusCode !== 204) throw new Error(answer.body);
    },
  };
}

/** An instant as `record` gives it. */
export const minute = (number: number): string =>
  new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString();
