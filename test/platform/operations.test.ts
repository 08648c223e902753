import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { BERLIN } from '../given.ts';
import { startApp } from '../harness.ts';
import { expectProblem } from './exchange.ts';

describe('/livez', () => {
  it('needs no database', async () => {
    await using t = await startApp({ env: { DATABASE_POOL_SIZE: '2' } });
    // Every connection is busy: whoever asks the database, waits.
    let release = () => {};
    const busy = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holders = Array.from({ length: t.config.DATABASE_POOL_SIZE }, () =>
      t.db.connection().execute(() => busy),
    );
    const answer = await t.inject({ url: '/livez' });
    release();
    await Promise.all(holders);
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }]);
  });
});

describe('/readyz', () => {
  it('is 503 while a migration is missing, and while the process stops', async () => {
    await using t = await startApp();
    const last = '(select max(name) from public.quartet_migrations)';
    const { rows } = await sql<{ name: string; timestamp: string }>`
      delete from public.quartet_migrations where name = ${sql.raw(last)}
      returning name, timestamp`.execute(t.db);
    const [removed] = rows;
    const missing = await t.inject({ url: '/readyz' });
    expect(expectProblem(missing, 'unavailable', t.config.PUBLIC_URL).detail).toContain(
      removed?.name,
    );
    expect(missing.headers['retry-after']).toMatch(/^\d+$/);
    await sql`insert into public.quartet_migrations (name, timestamp)
              values (${removed?.name}, ${removed?.timestamp})`.execute(t.db);
    const ready = await t.inject({ url: '/readyz' });
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ok' }]);

    t.quartet.readiness.stopping();
    const stopping = await t.inject({ url: '/readyz' });
    expectProblem(stopping, 'unavailable', t.config.PUBLIC_URL);
    expect((await t.inject({ url: '/livez' })).statusCode).toBe(200);
  });
});

/** The samples of Prometheus text, by name and labels; throws where a line is none. */
function parseMetrics(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  const typed = new Set<string>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) .+$/.exec(line);
    if (comment?.[1] === 'TYPE') typed.add(`${comment[2]}`);
    if (comment) continue;
    const sample =
      /^([a-zA-Z_:][\w:]*)(\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\.)*",?)*\})? (-?[\d.e+-]+|[+-]Inf|nan)$/i.exec(
        line,
      );
    if (!sample) throw new Error(`This is no sample: ${line}`);
    const [, name = '', labels = '', value] = sample;
    expect(typed).toContain(typed.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''));
    samples.set(name + labels, Number(value));
  }
  return samples;
}

describe('/metrics', () => {
  it('is Prometheus text that counts answers by route, not by path', async () => {
    await using t = await startApp();
    await t.inject({ url: `/stations/${BERLIN}` });
    await t.inject({ url: '/stations/0190f3a2-7c1e-7b4a-9d3e-5f6a7b8c9d0e' });
    await t.inject({ url: '/nothing/"quoted"\\' });
    await t.inject({ url: '/stations', method: 'PUT' });
    const answer = await t.inject({ url: '/metrics' });
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    const samples = parseMetrics(answer.body);
    const count = (method: string, route: string, status: number) =>
      samples.get(
        `http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`,
      );
    expect(count('GET', '/stations/:stationId', 200)).toBe(1);
    expect(count('GET', '/stations/:stationId', 404)).toBe(1);
    expect(count('GET', 'none', 404)).toBe(1);
    expect(count('PUT', '/stations', 405)).toBe(1);
    expect(answer.body).not.toContain(BERLIN);
    for (const state of ['idle', 'busy', 'waiting'])
      expect(samples.get(`database_connections{state="${state}"}`)).toBeGreaterThanOrEqual(0);
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  });
});
