import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sharedApp } from '../harness.ts';
import { KEY } from './client.ts';

const t = await sharedApp();

const odd = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom('', ' ', '\0', '\ud800', '__proto__', 'quiz', 'checklist', 'QUIZ ', 'Who we are'),
  fc.constantFrom('abc123', 'usr_', 'usr_abc123', 'x'.repeat(300), "'; --", '\u202e', '%'),
  fc.constantFrom('2026-01-01T00:00:00Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:60-23:59'),
  fc.constantFrom('http://x', 'https://[::1', 'http://\u0000', '{"a":1}'),
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: odd },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(2 ** 53, -1, 0.5, 1e308, null, true) },
);
/** Right far more often than not, so that whole bodies are right often enough. */
const mostly = (right: string) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: value });
const record = (members: Record<string, fc.Arbitrary<unknown>>) =>
  fc.oneof(fc.record(members), fc.record(members, { requiredKeys: [] }));
const bodies: Record<string, fc.Arbitrary<unknown>> = {
  '/activities': record({
    data: record({ type: mostly('quiz'), name: mostly('Who we are'), item: value, answer: value }),
    metadata: record({
      user: mostly('abc123'),
      domain: mostly('http://x'),
      path: mostly('/x'),
      timestamp: mostly('2026-01-01T00:00:00Z'),
    }),
  }),
  '/quizzes': record({
    name: value,
    passingScore: fc.oneof(value, fc.double()),
    questions: fc.array(
      record({
        type: fc.constantFrom('choice', 'blank', 'x'),
        question: value,
        choices: fc.oneof(value, record({ a: value, b: value, c: value })),
        correctAnswer: fc.oneof(value, fc.constantFrom('a', 'b')),
      }),
      { maxLength: 3 },
    ),
  }),
  '/checklists': record({ name: value, items: fc.array(value, { maxLength: 4 }) }),
  '/badges': record({
    name: value,
    icon: value,
    requirements: fc.array(
      record({ type: value, name: value, minScore: value, maxAttempts: fc.nat(), status: value }),
      { maxLength: 3 },
    ),
  }),
  '/assignments': record({
    user: value,
    type: value,
    name: value,
    maxAttempts: fc.integer(),
    deadline: value,
  }),
};
const posts = fc.constantFrom('/activities', '/activities', ...Object.keys(bodies)).chain((url) =>
  fc.record({
    method: fc.constant('POST' as const),
    url: fc.constant(url),
    payload: bodies[url] ?? odd,
  }),
);
const part = odd.map((text) => encodeURIComponent(text.toWellFormed()));
const gets = fc
  .tuple(
    fc.constantFrom(
      '/quizzes',
      '/scores',
      '/users',
      '/reports/summaries',
      '/badges',
      '/assignments',
    ),
    fc.option(part),
    fc.array(
      fc.tuple(
        fc.constantFrom('user', 'quiz', 'page', 'limit', 'startDate', 'endDate', '__proto__'),
        part,
      ),
      { maxLength: 4 },
    ),
  )
  .map(([path, id, query]) => ({
    method: 'GET' as const,
    url: `${path}${id ? `/${id}` : ''}?${query.map((pair) => pair.join('=')).join('&')}`,
    payload: undefined,
  }));

it('random requests get a documented success or a problem, never a fault of ours', async () => {
  const met = new Set<number>();
  await fc.assert(
    fc.asyncProperty(fc.oneof(posts, gets), async ({ method, url, payload }) => {
      const answer = await t.inject({
        method,
        url,
        headers: { ...KEY, ...(payload !== undefined && { 'content-type': 'application/json' }) },
        ...(payload !== undefined && { payload: JSON.stringify(payload) }),
      });
      met.add(answer.statusCode);
      expect([200, 201, 204, 400, 404, 409, 414], answer.body).toContain(answer.statusCode);
      if (answer.statusCode !== 400) return;
      const { detail, errors, type } = answer.json();
      expect(detail).toMatch(/\w/);
      if (type.endsWith('/invalid-request')) expect(errors.length).toBeGreaterThan(0);
    }),
    { numRuns: 600 },
  );
  for (const status of [200, 204, 400]) expect([...met]).toContain(status);
});
