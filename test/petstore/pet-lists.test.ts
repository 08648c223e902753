import { beforeAll, describe, expect, it } from 'vitest';
import { sharedApp } from '../harness.ts';
import { KEY, petstoreClient } from './requests.ts';

const t = await sharedApp();
const store = petstoreClient(t);

const find = async (path: string, status = 200) =>
  store.expect(status, { url: `/v3/pets/${path}`, headers: KEY });
const ids = async (path: string) => (await find(path)).json().map(({ id }: { id: number }) => id);

describe('GET /pets/findByStatus', () => {
  it.each([
    ['', [1, 2, 4, 7, 8, 9, 10]],
    ['?status=available', [1, 2, 4, 7, 8, 9, 10]],
    ['?status=sold', [5]],
    ['?status=sold,pending', [3, 5, 6]],
    ['?status=pending&status=sold', [3, 5, 6]],
    ['?status=pending&status=sold,sold', [3, 5, 6]],
    ['?status=sold%2Cpending', [3, 5, 6]],
    ['?status=sold&unknown=1', [5]],
  ])('"%s" finds %j', async (query, found) => {
    expect(await ids(`findByStatus${query}`)).toEqual(found);
  });

  it.each(['?status=lost', '?status=', '?status=sold,', '?status=Sold', '?status=sold&status=x'])(
    '"%s" is refused',
    async (query) => {
      const answer = await find(`findByStatus${query}`, 400);
      expect(answer.json().errors[0]).toEqual({
        parameter: 'status',
        detail: 'must be one of available, pending, sold',
      });
    },
  );
});

describe('GET /pets/findByTags', () => {
  it.each([
    ['tags=tag1', [1, 4, 7]],
    ['tags=tag1,tag4', [1, 3, 4, 6, 7, 9, 10]],
    ['tags=tag3&tags=tag4', [2, 3, 5, 6, 8, 9, 10]],
    ['tags=tag1,tag2,tag3,tag4', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    ['tags=Tag1', []],
    ['tags=nothing', []],
    ["tags=';--", []],
  ])('"%s" finds %j, each once', async (query, found) => {
    expect(await ids(`findByTags?${query}`)).toEqual(found);
  });

  it.each(['', '?tags=', '?tags=tag1,', `?tags=${'a,'.repeat(100)}a`])(
    '"%s" is refused',
    async (query) => {
      expect((await find(`findByTags${query}`, 400)).json().errors[0].parameter).toBe('tags');
    },
  );

  it('finds any characters that a tag may have', async () => {
    const names = ['ein Hund', 'a"b', "o'hara", 'ü\u{1F436}', '{x}', 'a\\b', '%'];
    for (const name of names) {
      const { id } = await store.addPet({ tags: [{ name }] });
      expect(await ids(`findByTags?tags=${encodeURIComponent(name)}`)).toEqual([id]);
    }
  });
});

describe('pages', () => {
  beforeAll(async () => {
    for (let number = 0; number < 105; number++) await store.addPet({ tags: [{ name: 'many' }] });
  });

  it('lists a hundred pets, and leads to the rest by Link', async () => {
    const first = await find('findByTags?tags=many');
    expect(first.json()).toHaveLength(100);
    expect(first.headers['link']).toBe(
      '<http://127.0.0.1:3000/v3/pets/findByTags?tags=many&page=2>; rel="next"',
    );
    const second = await find('findByTags?tags=many&page=2');
    expect(second.json()).toHaveLength(5);
    expect(second.headers['link']).toMatch(/page=1>; rel="prev"$/);
    expect((await find('findByTags?tags=many&page=3')).json()).toEqual([]);
    expect((await find('findByStatus?status=sold')).headers).not.toHaveProperty('link');
  });

  it.each(['page=0', 'limit=0', 'limit=101', 'limit=x'])('refuses %s', async (query) => {
    await find(`findByStatus?${query}`, 400);
  });
});
