import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formReader } from '../../../src/platform/formats/form-reader.ts';
import { Problem } from '../../../src/platform/problems/problems.ts';
import { type Pet, petArbitrary, ROOT } from './pets.ts';

const read = formReader(ROOT);
const parse = (text: string) => read(Buffer.from(text));

function problemOf(text: string | Buffer): Problem {
  try {
    read(Buffer.from(text as string));
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error(`It was taken: ${text}`);
}

const { encodeURIComponent: encoded } = globalThis;

/** A pet as a form, its members one by one. */
function membersOf(pet: Pet): string {
  const pairs: [string, unknown][] = [];
  const add = (name: string, value: unknown): void => {
    if (Array.isArray(value) && value.length > 0)
      for (const [index, item] of value.entries()) add(`${name}[${index}]`, item);
    else if (typeof value === 'object' && Object.keys(value ?? {}).length > 0)
      for (const [key, member] of Object.entries(value ?? {})) add(`${name}.${key}`, member);
    else pairs.push([name, typeof value === 'object' ? JSON.stringify(value) : value]);
  };
  for (const [key, member] of Object.entries(pet)) add(key, member);
  return pairs.map(([name, value]) => `${encoded(name)}=${encoded(`${value}`)}`).join('&');
}

/** The same as OpenAPI has it by default: JSON for members that are objects, arrays repeated. */
function asOpenApi(pet: Pet): string {
  const written = (value: unknown) =>
    typeof value === 'object' ? JSON.stringify(value) : String(value as string);
  const form = new URLSearchParams();
  for (const [key, member] of Object.entries(pet)) {
    const values = Array.isArray(member) && member.length > 0 ? member : [member];
    for (const value of values) form.append(key, written(value));
  }
  return form.toString();
}

describe('a form', () => {
  it.for([
    ['nothing', '', {}],
    ['empty pairs', '&&name=a&', { name: 'a' }],
    ['text', 'name=a%20b+c%2B%C3%A4%F0%9F%98%80=&x', { name: 'a b c+ä😀=', x: true }],
    ['raw UTF-8', 'name=ä', { name: 'ä' }],
    ['an empty value', 'name=', { name: '' }],
    ['a name alone', 'name', { name: '' }],
    ['values by their type', 'id=-5&weight=1.5&tame=false', { id: -5, weight: 1.5, tame: false }],
    [
      'what does not fit stays text',
      'id=1.9&tame=1&weight=x',
      { id: '1.9', tame: '1', weight: 'x' },
    ],
    ['repeated items', 'photoUrls=a&name=x&photoUrls=b', { photoUrls: ['a', 'b'], name: 'x' }],
    ['one item', 'photoUrls=a', { photoUrls: ['a'] }],
    ['items by number, in any order', 'photoUrls[1]=b&photoUrls[0]=a', { photoUrls: ['a', 'b'] }],
    ['text that looks like JSON', 'photoUrls=["a"]&name={}', { photoUrls: ['["a"]'], name: '{}' }],
    ['an empty list', 'photoUrls=[]&tags=[]', { photoUrls: [], tags: [] }],
    ['members', 'category.id=1&category.name=Dogs', { category: { id: 1, name: 'Dogs' } }],
    [
      'members of items',
      'tags[0].id=1&tags[1].name=b&tags[0].name=a',
      { tags: [{ id: 1, name: 'a' }, { name: 'b' }] },
    ],
    ['a member in JSON', 'category={"id":1}', { category: { id: 1 } }],
    ['items in JSON', 'tags={"id":1}&tags={"id":2}', { tags: [{ id: 1 }, { id: 2 }] }],
    ['a list in JSON', 'tags=[{"id":1},{"id":2}]', { tags: [{ id: 1 }, { id: 2 }] }],
    ['JSON that is not coerced', 'category={"id":"1"}', { category: { id: '1' } }],
    ['what is ignored', 'links.self=a&links=b', { links: true }],
    [
      'names that nobody knows',
      'a.b=1&c[0]=2&constructor=3&d[=4&[0]=5&.=6&__proto__[e]=7',
      {
        a: true,
        c: true,
        constructor: true,
        'd[': true,
        '[0]': true,
        '.': true,
        '__proto__[e]': true,
      },
    ],
    [
      'members that nobody knows',
      'category.x.y=1&tags[0].z=1',
      { category: { x: true }, tags: [{ z: true }] },
    ],
  ] as const)('is read: %s', ([, text, value]) => {
    expect(parse(text)).toEqual(value);
  });

  it.for(['name=%', 'name=%4', 'name=%zz', 'name=%ff', 'name=%c3%28', '%=1', 'name=%ed%a0%80'])(
    'with a percent sign that encodes nothing is refused: %s',
    (text) => {
      expect(problemOf(text)).toMatchObject({ slug: 'malformed-body', status: 400 });
    },
  );

  it('in other bytes than UTF-8 is refused', () => {
    expect(problemOf(Buffer.from('name=ä', 'latin1')).message).toBe('The body is not UTF-8.');
  });

  it.for([
    '__proto__=1',
    '__proto__.admin=1',
    'category.__proto__=1',
    'tags[0].__proto__.x=1',
    'category={"__proto__":{"admin":1}}',
    'category={"a":{"\\u005f_proto__":1}}',
    '%5F_proto__=1',
  ])('reaches no prototype: %s', (text) => {
    expect(() => parse(text)).toThrow(Problem);
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  it.for([
    ['a value twice', 'name=a&name=b', '/name', 'stands here more than once'],
    ['a value with members', 'name.a=b', '/name', /one value/],
    ['a value with items', 'category.id[0]=1', '/category/id', /one value/],
    ['a member both ways', 'category={}&category.id=1', '/category', /one value/],
    ['a gap', 'photoUrls[0]=a&photoUrls[2]=b', '/photoUrls', /without gaps/],
    ['a list both ways', 'photoUrls[0]=a&photoUrls=b', '/photoUrls', /without gaps/],
    ['a list with members', 'tags.id=1', '/tags', /without gaps/],
    ['no JSON', 'category=Dogs', '/category', /must be JSON/],
    ['broken JSON', 'tags={"id":1}&tags={', '/tags/1', /must be JSON/],
    ['JSON too deep', `category={"a":${'['.repeat(100)}${']'.repeat(100)}}`, '', /deeper than 64/],
    ['JSON with too much', `category=[${'1,'.repeat(5000)}1]`, '', /at most 5000 members/],
    ['JSON far too deep', `tags=${'['.repeat(20_000)}${']'.repeat(20_000)}`, '', /deeper than 64/],
  ] as const)('of another form is refused: %s', ([, text, pointer, detail]) => {
    const problem = problemOf(text);
    expect(problem.slug).toBe('invalid-request');
    expect(problem.errors).toEqual([
      { pointer, detail: detail instanceof RegExp ? expect.stringMatching(detail) : detail },
    ]);
  });

  it('has no name without end', () => {
    expect(parse('x'.repeat(200))).toEqual({ ['x'.repeat(200)]: true });
    expect(problemOf('x'.repeat(201)).message).toBe('A name has more than 200 characters.');
  });

  it('has at most a thousand parameters', () => {
    const form = (count: number) => Array(count).fill('photoUrls=a').join('&');
    expect(parse(form(1000))).toEqual({ photoUrls: Array(1000).fill('a') });
    expect(problemOf(form(1001)).errors?.[0]?.detail).toBe('must have at most 1000 parameters');
  });

  it('holds any pet, member by member or as OpenAPI has it', () => {
    // A list of one empty list, say, is not told from an empty list.
    const plain = (pet: Pet) => pet.photoUrls.length !== 1 || pet.photoUrls[0] !== '[]';
    fc.assert(
      fc.property(petArbitrary.filter(plain), (pet) => {
        expect(parse(membersOf(pet))).toEqual(pet);
        expect(parse(asOpenApi(pet))).toEqual(pet);
      }),
      { numRuns: 500 },
    );
  });

  it('of any bytes is a value or a problem', () => {
    const pieces = fc.constantFrom(
      'name',
      'tags',
      'category',
      '[0]',
      '[',
      ']',
      '.',
      '=',
      '&',
      '%',
      '{',
      '}',
      '"',
      'id',
      '1',
      '__proto__',
      '+',
      '😀',
    );
    const text = fc.array(pieces, { maxLength: 12 }).map((parts) => Buffer.from(parts.join('')));
    const bytes = fc.uint8Array().map((each) => Buffer.from(each));
    fc.assert(
      fc.property(fc.oneof(text, bytes), (body) => {
        try {
          read(body);
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
        }
      }),
      { numRuns: 3000 },
    );
  });
});
