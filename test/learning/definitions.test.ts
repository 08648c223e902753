import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { sharedApp } from '../harness.ts';
import { KEY, learningClient, unique } from './client.ts';

const t = await sharedApp();
const learning = learningClient(t);

const CHOICES = { a: 'One', b: 'Two', c: 'Three', d: 'Four' };
const CHOICE = { type: 'choice', question: 'Pick', choices: CHOICES, correctAnswer: 'd' };
const BLANK = { type: 'blank', question: 'Write', choices: null, correctAnswer: 'Lisbon' };

const rows = async () =>
  (
    await sql<{ n: number }>`
      select (select count(*) from learning.tasks)::int + (select count(*) from learning.badges)::int
           + (select count(*) from learning.assignments)::int as n`.execute(t.db)
  ).rows[0]?.n;

describe.each([
  ['/quizzes', 'quiz', { passingScore: 0.5, questions: [CHOICE, BLANK] }, { questions: [] }],
  ['/checklists', 'cklst', { items: ['One', 'Two'] }, { items: [] }],
  [
    '/badges',
    'badge',
    { icon: '🏅', requirements: [{ type: 'lesson', name: 'Intro', status: 'completed' }] },
    { requirements: [] },
  ],
])('POST %s', (url, prefix, members, empty) => {
  it('answers 201 with what was made, at a Location that has the same, with an ETag', async () => {
    const name = unique('Name');
    const answer = await learning.post(url, { name, ...members });
    expect(answer.statusCode, answer.body).toBe(201);
    const made = answer.json();
    expect(made).toEqual({
      id: expect.stringMatching(new RegExp(`^${prefix}_[0-9a-f-]{36}$`)),
      name,
      ...members,
      createdAt: expect.stringMatching(/^20\d\d-.*\.\d\d\dZ$/),
      updatedAt: made.createdAt,
    });
    const { location } = answer.headers;
    expect(location).toBe(`http://127.0.0.1:3000${url}/${made.id}`);
    const got = await learning.get(new URL(String(location)).pathname);
    expect(got.json()).toEqual(made);
    const headers = { ...KEY, 'if-none-match': String(got.headers['etag']) };
    const again = await t.inject({ url: `${url}/${made.id}`, headers });
    expect(again.statusCode).toBe(304);
    expect(
      (await learning.get(`${url}/${made.id.toUpperCase().replace(/^\w+_/, `${prefix}_`)}`)).json(),
    ).toEqual(made);
    expect((await learning.read(`${url}?limit=100`)).at(-1)).toEqual(made);
  });

  it('needs a name and nothing else, and ignores what is read-only', async () => {
    const name = unique('Name');
    const answer = await learning.post(url, { name, id: 1, createdAt: null, updatedAt: [] });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ name, ...empty });
  });

  it('is 409 for a name that is taken, also in other case and with space around', async () => {
    const name = unique('Ünited');
    expect((await learning.post(url, { name, ...members })).statusCode).toBe(201);
    const before = await rows();
    for (const twin of [name, name.toUpperCase(), ` ${name} `, name.normalize('NFD')]) {
      const answer = await learning.post(url, { name: twin });
      expect(answer.statusCode).toBe(409);
      expect(answer.json().type).toMatch(/\/problems\/name-taken$/);
    }
    expect(await rows()).toBe(before);
  });

  it('makes one where many ask for the same at once, and replays it with a key', async () => {
    const name = unique('Race');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => learning.post(url, { name, ...members })),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, ...Array(7).fill(409)]);
    const headers = { 'idempotency-key': unique('key') };
    const body = { name: unique('Once'), ...members };
    const first = await learning.post(url, body, headers);
    const second = await learning.post(url, body, headers);
    expect([first.statusCode, second.statusCode]).toEqual([201, 201]);
    expect(second.body).toBe(first.body);
    expect(second.headers['location']).toBe(first.headers['location']);
  });

  it('is 404 for an unknown id and 400 for what is no id', async () => {
    const id = '0194a1f0-7a00-7000-8000-000000000000';
    expect((await learning.get(`${url}/${prefix}_${id}`)).statusCode).toBe(404);
    for (const wrong of [id, `x_${id}`, `${prefix}_1`, '%00', '__proto__'])
      expect((await learning.get(`${url}/${wrong}`)).statusCode, wrong).toBe(400);
  });
});

describe('what is refused, with every fault named', () => {
  const question = (change: object) => ({ questions: [BLANK, { ...CHOICE, ...change }] });

  it.each<[string, string, object, string[]]>([
    ['/quizzes', 'no name', { name: undefined }, ['/name']],
    ['/quizzes', 'a name of space', { name: ' \u00a0' }, ['/name']],
    ['/quizzes', 'a name with NUL', { name: 'a\0b' }, ['/name']],
    ['/quizzes', 'a name of two lines', { name: 'a\nb' }, ['/name']],
    ['/quizzes', 'a long name', { name: 'n'.repeat(201) }, ['/name']],
    ['/quizzes', 'a passing score above 1', { passingScore: 1.1 }, ['/passingScore']],
    ['/quizzes', 'a passing score as text', { passingScore: '1' }, ['/passingScore']],
    ['/quizzes', 'a passing score of null', { passingScore: null }, ['/passingScore']],
    ['/quizzes', 'another type', question({ type: 'essay' }), ['/questions/1/type']],
    ['/quizzes', 'a choice without choices', question({ choices: null }), ['/questions/1/choices']],
    ['/quizzes', 'one choice', question({ choices: { a: 'x' } }), ['/questions/1/choices/b']],
    [
      '/quizzes',
      'a fifth choice',
      question({ choices: { ...CHOICES, e: 'x' } }),
      ['/questions/1/choices/e'],
    ],
    [
      '/quizzes',
      'a right answer that is no choice',
      question({ correctAnswer: 'e' }),
      ['/questions/1/correctAnswer'],
    ],
    [
      '/quizzes',
      'a right answer from a prototype',
      question({ correctAnswer: 'toString' }),
      ['/questions/1/correctAnswer'],
    ],
    ['/quizzes', 'a blank with choices', question({ type: 'blank' }), ['/questions/1/choices']],
    [
      '/quizzes',
      'a blank answered by space',
      question({ type: 'blank', choices: null, correctAnswer: '  ' }),
      ['/questions/1/correctAnswer'],
    ],
    ['/quizzes', 'a question twice', question({ question: ' WRITE ' }), ['/questions/1/question']],
    [
      '/quizzes',
      'unknown members',
      { ...question({ hint: 'x' }), more: 1 },
      ['/more', '/questions/1/hint'],
    ],
    [
      '/quizzes',
      'too many questions',
      { questions: Array.from({ length: 101 }, (_, i) => ({ ...BLANK, question: `Q${i}` })) },
      ['/questions'],
    ],
    ['/checklists', 'an item twice', { items: ['a', 'b', 'A '] }, ['/items/2']],
    [
      '/checklists',
      'items that are no text',
      { items: [1, null, ''] },
      ['/items/0', '/items/1', '/items/2'],
    ],
    [
      '/badges',
      'a score above 1',
      { requirements: [{ type: 'quiz', name: 'x', minScore: 2 }] },
      ['/requirements/0/minScore'],
    ],
    [
      '/badges',
      'half an attempt',
      { requirements: [{ type: 'quiz', name: 'x', maxAttempts: 1.5 }] },
      ['/requirements/0/maxAttempts'],
    ],
    [
      '/badges',
      'attempts beyond reason',
      { requirements: [{ type: 'quiz', name: 'x', maxAttempts: 2 ** 53 }] },
      ['/requirements/0/maxAttempts'],
    ],
    [
      '/badges',
      'a status that is none',
      { requirements: [{ type: 'quiz', name: 'x', status: 'done' }] },
      ['/requirements/0/status'],
    ],
    [
      '/badges',
      'a requirement of nothing',
      { requirements: [{}] },
      ['/requirements/0/name', '/requirements/0/type'],
    ],
    ['/assignments', 'nobody', { type: 'quiz' }, ['/user']],
    ['/assignments', 'no attempt', { user: 'ada', type: 'quiz', maxAttempts: 0 }, ['/maxAttempts']],
    [
      '/assignments',
      'a deadline without offset',
      { user: 'ada', type: 'quiz', deadline: '2026-01-01T00:00:00' },
      ['/deadline'],
    ],
    [
      '/assignments',
      'a deadline out of range',
      { user: 'ada', type: 'quiz', deadline: '9999-12-31T23:59:59-01:00' },
      ['/deadline'],
    ],
  ])('POST %s: %s', async (url, _what, change, pointers) => {
    const before = await rows();
    const answer = await learning.post(url, { name: unique('Name'), ...change });
    expect(answer.statusCode, answer.body).toBe(400);
    const faults: { pointer: string }[] = answer.json().errors;
    expect([...new Set(faults.map(({ pointer }) => pointer))].toSorted()).toEqual(pointers);
    expect(await rows()).toBe(before);
  });
});

describe('defaults', () => {
  it('a quiz is passed from 0.8; a requirement is passing, or an attempt of the score', async () => {
    const quiz = await learning.post('/quizzes', { name: unique('Quiz') });
    expect(quiz.json().passingScore).toBe(0.8);
    const badge = await learning.badge(unique('Badge'), [
      { type: 'quiz', name: 'x' },
      { type: 'quiz', name: 'x', minScore: 0.5, maxAttempts: 2 },
    ]);
    expect(badge.requirements).toEqual([
      { type: 'quiz', name: 'x', status: 'passed' },
      { type: 'quiz', name: 'x', status: 'completed', minScore: 0.5, maxAttempts: 2 },
    ]);
  });

  it('a quiz without questions takes no answers', async () => {
    const [user, name] = [unique('user'), unique('Quiz')];
    await learning.quiz(name, []);
    await learning.record(user, { type: 'quiz', name, item: 'One?', answer: 'yes' });
    expect(await learning.read(`/scores?user=${user}`)).toEqual([]);
  });
});

describe('the published examples', () => {
  it('exist', async () => {
    const [quiz] = await learning.read('/quizzes?limit=1');
    expect(quiz).toMatchObject({ name: 'Who we are', passingScore: 0.8 });
    const [checklist] = await learning.read('/checklists?limit=1');
    expect(checklist.name).toBe('Onboarding Part 1');
    const [badge] = await learning.read('/badges?limit=1');
    expect(badge.name).toBe('Explorer');
    const user = await learning.read('/users/abc123');
    expect(user).toEqual(await learning.read('/users/usr_abc123'));
    expect(user).toMatchObject({ id: 'usr_abc123', badges: [{ name: 'Explorer' }] });
    expect(user.activity).toHaveLength(10);
    expect((await learning.read('/scores?user=usr_abc123'))[0]).toMatchObject({
      user: 'abc123',
      quiz: 'Who we are',
      score: 0.8,
      attempts: 2,
    });
  });
});
