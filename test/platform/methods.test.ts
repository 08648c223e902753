import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../harness.ts';
import { expectProblem, send } from './exchange.ts';

let t: TestApp;
let base: string;

beforeAll(async () => {
  t = await startApp();
  base = await t.listen();
});
afterAll(async () => t[Symbol.asyncDispose]());

/** Every path that has a route, read from the router's own drawing of itself. */
function registeredPaths(drawing: string): string[] {
  const parents: string[] = [];
  return drawing
    .split('\n')
    .flatMap((line) => {
      const [, indent, part] = /^([│ ]*)[├└]── (\S+) \(/.exec(line) ?? [];
      if (indent === undefined || part === undefined) return [];
      const depth = indent.length / 4;
      const path = (parents[depth - 1] ?? '') + part;
      parents.splice(depth, Infinity, path);
      return path;
    })
    .filter((path) => path !== '*')
    .map((path) => path.replace(/:\w+/g, '0190f3a2-7c1e-7b4a-9d3e-5f6a7b8c9d0e'));
}

/** What a client may try; CONNECT is no request for a path, OPTIONS is for browsers. */
const TRIED = METHODS.filter((method) => method !== 'CONNECT' && method !== 'OPTIONS');

describe('a method that a path has not', () => {
  it('is 405 on every path, and Allow lists the others and no more', async () => {
    const paths = registeredPaths(t.app.printRoutes({ commonPrefix: false }));
    expect(paths).toEqual(expect.arrayContaining(['/stations', '/livez', '/oauth/token']));
    expect(paths.length).toBeGreaterThan(20);
    for (const path of paths) {
      const answers = await Promise.all(
        TRIED.map(async (method) => ({ method, answer: await send(base, { method, path }) })),
      );
      const refused = answers.filter(({ answer }) => answer.statusCode === 405);
      const allow = `${refused[0]?.answer.headers['allow']}`;
      const others = TRIED.filter((method) => refused.every((each) => each.method !== method));
      expect([
        path,
        allow
          .split(', ')
          .filter((each) => each !== 'OPTIONS')
          .sort(),
      ]).toEqual([path, others.sort()]);
      for (const { method, answer } of refused) {
        expect(answer.headers['allow']).toBe(allow);
        if (method === 'HEAD') expect(answer.body).toBe('');
        else expectProblem(answer, 'method-not-allowed', t.config.PUBLIC_URL);
      }
    }
  });
});
