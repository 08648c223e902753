import { describe, expect, it } from 'vitest';
import { sharedApp } from '../harness.ts';
import { learningClient } from './client.ts';

const t = await sharedApp();
const learning = learningClient(t);

/** The addresses in a Link header, by their relation. */
const linksOf = (header: string | string[] | number | undefined): Record<string, string> =>
  Object.fromEntries(
    [...`${header ?? ''}`.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, url, rel]) => [rel, url]),
  );

describe('every list', () => {
  it('is an array in a stable order that Link leads through, forth and back', async () => {
    for (let number = 0; number < 7; number += 1) {
      const [user, name] = [`user ${number} & co`, `Name ${number}`];
      await learning.quiz(name, ['One?']);
      await learning.checklist(name, ['a']);
      await learning.badge(name, []);
      await learning.assign({ user, type: 'quiz', name });
      await learning.record(user, { type: 'quiz', name, item: 'One?', answer: 'yes' });
    }
    for (const list of [
      '/quizzes',
      '/checklists',
      '/badges',
      '/assignments',
      '/scores',
      '/users',
    ]) {
      const whole = await learning.read(`${list}?limit=100`);
      expect(whole).toHaveLength(8); // with the published example
      const pages: unknown[][] = [];
      const addresses: string[] = [];
      let next: string | undefined = `http://127.0.0.1:3000${list}?limit=3&mark=%26`;
      while (next !== undefined) {
        addresses.push(next);
        const { pathname, search }: URL = new URL(next);
        const answer = await learning.get(pathname + search);
        pages.push(answer.json());
        const links = linksOf(answer.headers['link']);
        expect(links['prev']?.replace(/&page=1$/, '')).toBe(addresses.at(-2));
        ({ next } = links);
      }
      expect(pages.map(({ length }) => length)).toEqual([3, 3, 2]);
      expect(pages.flat()).toEqual(whole);
      expect((await learning.get(`${list}?limit=100`)).headers['link']).toBeUndefined();
      const beyond = await learning.get(`${list}?page=2147483647&limit=100`);
      expect([beyond.statusCode, beyond.body]).toEqual([200, '[]']);
      for (const query of ['page=0', 'limit=0', 'limit=101', 'page=x', 'page=1&page=2'])
        expect((await learning.get(`${list}?${query}`)).statusCode, query).toBe(400);
    }
  });

  it('has filters that are checked, and find nothing where there is nothing', async () => {
    for (const query of ['user=', 'user=%00', 'user=%20a', 'quiz=', 'quiz=%00', 'quiz=a%0Ab'])
      expect((await learning.get(`/scores?${query}`)).statusCode, query).toBe(400);
    for (const query of ['user=nobody', 'quiz=No+such', 'user=__proto__', 'user=%27%3B--'])
      expect(await learning.read(`/scores?${query}`)).toEqual([]);
    expect(await learning.read('/assignments?user=nobody')).toEqual([]);
    expect((await learning.get('/assignments?user=%00')).statusCode).toBe(400);
    // A checklist is no quiz, whatever its name.
    expect(await learning.read('/scores?quiz=Onboarding+Part+1')).toEqual([]);
  });
});
