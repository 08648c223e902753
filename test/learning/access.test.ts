import { describe, expect, it } from 'vitest';
import { apiKeyVerifier, createApiKey } from '../../src/platform/access/api-keys.ts';
import { revokeApiKey } from '../../src/platform/access/api-keys.queries.ts';
import { sharedApp, startApp } from '../harness.ts';
import { KEY, learningClient, unique } from './client.ts';

const t = await sharedApp();
const learning = learningClient(t);
const CHALLENGE = 'ApiKey realm="learning", header="IMF-KEY"';
const ID = '0194a1f0-7a00-7000-8000-000000000000';

const OPERATIONS: ['GET' | 'POST', string][] = [
  ['POST', '/activities'],
  ['POST', '/quizzes'],
  ['GET', '/quizzes'],
  ['GET', `/quizzes/quiz_${ID}`],
  ['GET', '/scores'],
  ['GET', '/users'],
  ['GET', '/users/abc123'],
  ['GET', '/reports/summaries?startDate=2026-01-01T00:00:00Z&endDate=2026-01-02T00:00:00Z'],
  ['POST', '/badges'],
  ['GET', '/badges'],
  ['GET', `/badges/badge_${ID}`],
  ['POST', '/assignments'],
  ['GET', '/assignments'],
  ['GET', `/assignments/asmt_${ID}`],
  ['POST', '/checklists'],
  ['GET', '/checklists'],
  ['GET', `/checklists/cklst_${ID}`],
];

describe('the header IMF-KEY', () => {
  it.each(OPERATIONS)('%s %s needs a good one', async (method, url) => {
    for (const headers of [
      {},
      { 'imf-key': '' },
      { 'imf-key': 'wrong' },
      { 'imf-key': 'x'.repeat(5000) },
      { 'imf-key': 'DEMO-IMF-KEY' },
      { authorization: 'Bearer demo-imf-key' },
      await t.as(),
    ]) {
      const answer = await t.inject({ method, url, headers });
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toBe(CHALLENGE);
      expect(answer.json().detail).toContain('IMF-KEY');
      expect(answer.headers['ratelimit']).toBeUndefined(); // the tests' quota is off
    }
    const query = url.includes('?') ? '&' : '?';
    const inQuery = await t.inject({ method, url: `${url}${query}IMF-KEY=demo-imf-key` });
    expect(inQuery.statusCode).toBe(401);
  });

  it('is every operation of the document but one', async () => {
    const document = (await t.inject({ url: '/openapi/learning.json' })).json();
    const listed = Object.entries<Record<string, { security?: unknown[] }>>(document.paths)
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { security }]) => ({ method, path, security })),
      )
      .filter(({ security }) => security === undefined || security.length > 0)
      .map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    const tested = OPERATIONS.map(
      ([method, url]) =>
        `${method} ${url.split('?', 1)[0]?.replace(/\/(\w+_[\w-]+|abc123)$/, '/{id}')}`,
    );
    expect(listed.toSorted()).toEqual(tested.toSorted());
    expect(document.components.securitySchemes.imfKey).toMatchObject({
      type: 'apiKey',
      in: 'header',
      name: 'IMF-KEY',
    });
    expect(document.info).toMatchObject({ title: 'Learning', version: 'v1' });
    const ids = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap(
      (methods) => Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(ids.toSorted().join(' ')).toBe(
      'GetAssignment GetAssignments GetBadge GetBadges GetChecklist GetChecklists GetQuiz GetQuizzes GetRoot GetScores GetSummaryReport GetUserActivity GetUserList PostActivity PostAssignment PostBadge PostChecklist PostQuiz',
    );
  });

  it('takes a key from its making to its revocation', async () => {
    const { id, key } = await createApiKey(t.db, 'learning', 'Course');
    const headers = { 'imf-key': key };
    expect((await t.inject({ url: '/quizzes', headers })).statusCode).toBe(200);
    const other = await createApiKey(t.db, 'petstore', 'Shop');
    const wrong = { 'imf-key': other.key };
    expect((await t.inject({ url: '/quizzes', headers: wrong })).statusCode).toBe(401);
    await revokeApiKey(t.db, id);
    // For whoever has not seen the key within ten seconds.
    expect(await apiKeyVerifier(t.db, 'learning', true)(key)).toBeUndefined();
  });

  it('has a quota of its own, and so has an address', async () => {
    await using limited = await startApp({ env: { RATE_LIMIT_MAX: '3' } });
    const { key } = await createApiKey(limited.db, 'learning', 'Another');
    const remaining = async (headers: Record<string, string>) => {
      const answer = await limited.inject({ url: '/quizzes', headers });
      return [answer.statusCode, /remaining=(\d)/.exec(String(answer.headers['ratelimit']))?.[1]];
    };
    expect(await remaining(KEY)).toEqual([200, '2']);
    expect(await remaining(KEY)).toEqual([200, '1']);
    expect(await remaining({ 'imf-key': key })).toEqual([200, '2']);
    for (const left of ['2', '1', '0'])
      expect(await remaining({ 'imf-key': 'x' })).toEqual([401, left]);
    expect(await remaining({})).toEqual([429, '0']);
    expect(await remaining(KEY)).toEqual([200, '0']);
    expect(await remaining(KEY)).toEqual([429, '0']);
  });

  it('keeps the idempotency keys of two holders apart', async () => {
    const { key } = await createApiKey(t.db, 'learning', 'Another');
    const headers = { 'idempotency-key': unique('key') };
    const first = await learning.post('/checklists', { name: unique('A') }, headers);
    const other = { ...headers, 'imf-key': key };
    const second = await learning.post('/checklists', { name: unique('B') }, other);
    expect([first.statusCode, second.statusCode]).toEqual([201, 201]);
  });
});

describe('answers', () => {
  it('are JSON or 406, and never kept by a cache in between', async () => {
    const refused = await t.inject({ url: '/quizzes', headers: { ...KEY, accept: 'text/html' } });
    expect(refused.statusCode).toBe(406);
    for (const [method, url] of OPERATIONS.filter(([each]) => each === 'GET')) {
      const answer = await t.inject({ method, url, headers: KEY });
      expect(answer.headers['cache-control']).toMatch(/^(private, no-cache|no-store)$/);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
    }
  });
});

describe('in production', () => {
  it('the demo key is none, and the page shows no demo credentials', async () => {
    const env = { NODE_ENV: 'production', PUBLIC_URL: 'https://api.example.com' };
    await using production = await startApp({ env });
    const { key } = await createApiKey(production.db, 'learning', 'Course');
    const get = (headers: Record<string, string>) =>
      production.inject({ url: '/quizzes', headers });
    expect((await get(KEY)).statusCode).toBe(401);
    expect((await get({ 'imf-key': key })).statusCode).toBe(200);
    const page = await production.inject({ url: '/', headers: { accept: 'text/html' } });
    expect(page.body).toContain('curl -s &#39;https://api.example.com/stations?search=berlin&#39;');
    expect(page.body).not.toMatch(/demo-imf-key|demo-secret/);
  });
});
