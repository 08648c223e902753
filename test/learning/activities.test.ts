import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely';
import { describe, expect, it } from 'vitest';
import { insertActivity } from '../../src/learning/activities.queries.ts';
import type { Tables } from '../../src/platform/database/database.ts';
import { sharedApp } from '../harness.ts';
import { learningClient, unique } from './client.ts';

const t = await sharedApp();
const learning = learningClient(t);

const count = async () =>
  (await sql<{ n: number }>`select count(*)::int as n from learning.activities`.execute(t.db))
    .rows[0]?.n;
const data = { type: 'lesson', name: 'Intro' };
const body = { data, metadata: { user: 'ada' } };

describe('POST /activities', () => {
  it('records with 204 and no body, and the report of the user shows it', async () => {
    const user = unique('user');
    const metadata = {
      user,
      domain: 'https://learn.example.com',
      path: '/a/b?c',
      timestamp: '2026-01-01T12:00:00.5+02:00',
    };
    const sent = { type: 'Quiz', name: 'No such quiz', item: 'Line one\nline two', answer: ' x ' };
    const answer = await learning.post('/activities', { id: 'id_ignored', data: sent, metadata });
    expect(answer.statusCode).toBe(204);
    expect(answer.body).toBe('');
    expect(answer.headers['content-type']).toBeUndefined();
    expect((await learning.read(`/users/${user}`)).activity).toEqual([
      {
        id: expect.stringMatching(/^id_[0-9a-f-]{36}$/),
        data: sent,
        metadata: { ...metadata, timestamp: '2026-01-01T10:00:00.500Z' },
      },
    ]);
  });

  it('takes our clock where no timestamp is sent, and answers null', async () => {
    const user = unique('user');
    const before = Date.now();
    await learning.record(user, data);
    const [activity] = (await learning.read(`/users/${user}`)).activity;
    expect(activity.data).toEqual({ ...data, answer: null });
    const at = Date.parse(activity.metadata.timestamp);
    expect(at).toBeGreaterThan(before - 60_000);
    expect(at).toBeLessThan(Date.now() + 60_000);
  });

  it.each([
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['2017-01-01T00:59:60.7+01:00', '2017-01-01T00:00:00.000Z'],
    ['2024-02-29T00:00:00-12:00', '2024-02-29T12:00:00.000Z'],
    ['2024-02-29T00:00:00+23:59', '2024-02-28T00:01:00.000Z'],
    ['2024-02-29t00:00:00.123456789z', '2024-02-29T00:00:00.123Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
  ])('reads the timestamp %s', async (timestamp, shown) => {
    const user = unique('user');
    const answer = await learning.post('/activities', { data, metadata: { user, timestamp } });
    expect(answer.statusCode, answer.body).toBe(204);
    const [activity] = (await learning.read(`/users/${user}`)).activity;
    expect(activity.metadata.timestamp).toBe(shown);
  });

  it.each([
    ['no body', undefined, ['']],
    ['null', null, ['']],
    ['nothing', {}, ['/data', '/metadata']],
    ['members that are not there', { ...body, extra: 1 }, ['/extra']],
    [
      'deeper members that are not there',
      { data: { ...data, x: 1 }, metadata: { user: 'ada', y: 2 } },
      ['/data/x', '/metadata/y'],
    ],
    [
      'wrong types',
      { data: { type: 1, name: null, item: [], answer: 2 ** 53 }, metadata: { user: true } },
      ['/data/type', '/data/name', '/data/item', '/data/answer', '/metadata/user'],
    ],
    [
      'blanks',
      { data: { type: ' ', name: '\u200b' }, metadata: { user: '' } },
      ['/data/type', '/data/name', '/metadata/user'],
    ],
    [
      'NUL',
      { data: { type: 'a\0', name: 'a\0', item: 'a\0', answer: 'a\0' }, metadata: { user: 'a\0' } },
      ['/data/type', '/data/name', '/data/item', '/data/answer', '/metadata/user'],
    ],
    [
      'half characters',
      { data: { ...data, answer: '\ud800' }, metadata: { user: 'a\udc00' } },
      ['/data/answer', '/metadata/user'],
    ],
    ['a user with space around', { data, metadata: { user: ' ada' } }, ['/metadata/user']],
    ['a user too long', { data, metadata: { user: 'a'.repeat(97) } }, ['/metadata/user']],
    [
      'text too long',
      {
        data: {
          type: 'quiz',
          name: 'n'.repeat(201),
          item: 'i'.repeat(1001),
          answer: 'a'.repeat(5001),
        },
        metadata: { user: 'ada' },
      },
      ['/data/name', '/data/item', '/data/answer'],
    ],
    [
      'a quiz without question and answer',
      { ...body, data: { ...data, type: ' QUIZ' } },
      ['/data/item', '/data/answer'],
    ],
    ['a checklist without item', { ...body, data: { ...data, type: 'checklist' } }, ['/data/item']],
    ...[
      'learn.example.com',
      '//x',
      'ftp://x',
      'javascript:alert(1)',
      'https://',
      'http:// x',
      '',
    ].map((domain): [string, unknown, string[]] => [
      `the domain "${domain}"`,
      { data, metadata: { user: 'ada', domain } },
      ['/metadata/domain'],
    ]),
    ...[
      '2026-01-01',
      'yesterday',
      '2026-02-29T00:00:00Z',
      '2026-01-01T00:00:00',
      '2026-01-01T24:00:00Z',
      '2026-01-01T00:00:60Z',
      '0000-01-01T00:00:00Z',
      '1969-12-31T23:59:59.999Z',
      '1970-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59Z',
      '9999-12-31T23:59:59-01:00',
      '2026-01-01T00:00:00+25:00',
      '+10000-01-01T00:00:00Z',
    ].map((timestamp): [string, unknown, string[]] => [
      `the timestamp ${timestamp}`,
      { data, metadata: { user: 'ada', timestamp } },
      ['/metadata/timestamp'],
    ]),
  ])('refuses %s, names every fault, and records nothing', async (_what, sent, pointers) => {
    const before = await count();
    const answer = await learning.post('/activities', JSON.stringify(sent) ?? '');
    expect(answer.statusCode, answer.body).toBe(400);
    const faults: { pointer: string }[] = answer.json().errors;
    expect([...new Set(faults.map(({ pointer }) => pointer))].toSorted()).toEqual(
      pointers.toSorted(),
    );
    expect(await count()).toBe(before);
  });

  it('takes a timestamp up to five minutes ahead of our clock, and no more', async () => {
    const ahead = async (seconds: number) => {
      const timestamp = new Date(Date.now() + seconds * 1000).toISOString();
      return learning.post('/activities', { data, metadata: { user: 'ada', timestamp } });
    };
    expect((await ahead(240)).statusCode).toBe(204);
    const before = await count();
    const refused = await ahead(400);
    expect(refused.statusCode).toBe(400);
    expect(refused.json().errors).toEqual([
      { pointer: '/metadata/timestamp', detail: expect.stringContaining('five minutes') },
    ]);
    expect(await count()).toBe(before);
  });

  it('takes texts and names that trip others, and gives them back', async () => {
    for (const odd of [
      '__proto__',
      'constructor',
      "'; drop table x --",
      '𝒳 \u202e ß',
      '%00',
      '..',
      'a/b?c#d',
    ]) {
      const user = odd + unique('');
      await learning.record(user, { type: odd, name: odd, item: odd, answer: odd });
      const detail = await learning.read(`/users/${encodeURIComponent(user)}`);
      expect(detail.id).toBe(`usr_${user}`);
      expect(detail.activity[0].data).toEqual({ type: odd, name: odd, item: odd, answer: odd });
    }
    const longest = 'é'.repeat(96);
    await learning.record(`usr_${longest}`, data);
    expect((await learning.read(`/users/${encodeURIComponent(`usr_${longest}`)}`)).id).toBe(
      `usr_${longest}`,
    );
  });

  it('records once with an Idempotency-Key, and again without one', async () => {
    const user = unique('user');
    const headers = { 'idempotency-key': unique('key') };
    const sent = { data, metadata: { user } };
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => learning.post('/activities', sent, headers)),
    );
    for (const { statusCode } of answers) expect([204, 409]).toContain(statusCode);
    const replayed = await learning.post('/activities', sent, headers);
    expect(replayed.statusCode).toBe(204);
    expect(replayed.body).toBe('');
    expect(replayed.headers['idempotency-replayed']).toBe('true');
    expect((await learning.read(`/users/${user}`)).activity).toHaveLength(1);
    const other = await learning.post('/activities', { data, metadata: { user: 'ada' } }, headers);
    expect(other.statusCode).toBe(422);
    await learning.record(user, data);
    await learning.record(user, data);
    expect((await learning.read(`/users/${user}`)).activity).toHaveLength(3);
  });

  it('is one statement', async () => {
    const statements: string[] = [];
    const db = new Kysely<Tables>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (own) => new PostgresIntrospector(own),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
      log: ({ query }) => void statements.push(query.sql),
    });
    await insertActivity(db, body, undefined);
    expect(statements).toEqual([expect.stringMatching(/^\s*insert into learning\.activities/)]);
  });

  it('adds only: the table refuses every change', async () => {
    await learning.record('ada', data);
    for (const change of [
      sql`update learning.activities set answer = 'x'`,
      sql`delete from learning.activities`,
      sql`truncate learning.activities`,
    ])
      await expect(change.execute(t.db)).rejects.toThrow('Activities are only ever added.');
  });
});
