import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { memberOf } from '../../../src/platform/formats/shape.ts';
import { xmlReader } from '../../../src/platform/formats/xml-reader.ts';
import { ProblemSchema } from '../../../src/platform/documents/problem-responses.ts';
import { sharedService, startService } from './service.ts';

const app = await sharedService();
const readProblem = xmlReader(memberOf(ProblemSchema, {}, 'Problem'));
const asXml = { accept: 'application/xml' };
/** Without the namespace, which our reader of bodies refuses. */
const problemIn = (body: string) =>
  readProblem(Buffer.from(body.replace(' xmlns="urn:ietf:rfc:7807"', ''))) as object;

const REQUESTS = {
  'an unknown path': [404, { url: '/nothing' }],
  'a method that a path has not': [405, { method: 'PATCH', url: '/pet' }],
  'a method that nobody knows': [405, { method: 'PROPFIND', url: '/pet' }],
  'a broken path': [400, { url: '/%ZZ' }],
  'a broken query': [400, { url: '/pet?x=%ZZ' }],
  'a broken body': [
    400,
    { method: 'POST', url: '/pets', headers: { 'content-type': 'application/json' }, payload: '{' },
  ],
  'faults of a body': [
    400,
    {
      method: 'POST',
      url: '/pets',
      headers: { 'content-type': 'application/json' },
      payload: '{"<&>\\u0001": 1, "id": 1.5}',
    },
  ],
  'a body too large': [
    413,
    {
      method: 'POST',
      url: '/pets',
      headers: { 'content-type': 'application/json' },
      payload: 'x'.repeat(2_000_000),
    },
  ],
  'a format that is not taken': [
    415,
    { method: 'POST', url: '/pets', headers: { 'content-type': 'a/b' }, payload: 'x' },
  ],
  'a fault of ours': [500, { url: '/broken' }],
} as const;

describe('a problem', () => {
  it.for(Object.entries(REQUESTS))('is the same in both formats: %s', async ([, given]) => {
    const [status, request] = given;
    const sent = { headers: {}, method: 'GET', ...request } as const;
    const json = await app.inject({
      ...sent,
      headers: { ...sent.headers, accept: '*/*' },
    } as never);
    expect(json.headers['content-type']).toBe('application/problem+json');
    const xml = await app.inject({ ...sent, headers: { ...sent.headers, ...asXml } } as never);
    expect(xml.headers['content-type']).toBe('application/problem+xml');
    expect([json.statusCode, xml.statusCode]).toEqual([status, status]);
    expect(xml.headers['cache-control']).toBe('no-store');
    for (const answer of [json, xml]) expect(answer.headers.vary).toMatch(/\bAccept$/);
    new SaxesParser({ xmlns: true }).write(xml.body).close();
    // A control character cannot be written in XML.
    const shown = JSON.parse(json.body.replaceAll('\\u0001', '\ufffd'));
    expect(problemIn(xml.body)).toEqual(shown);
  });

  it('has the namespace of RFC 9457', async () => {
    const { body } = await app.inject({ url: '/nothing', headers: asXml });
    let root: { uri: string; local: string } | undefined;
    const parser = new SaxesParser({ xmlns: true });
    parser.on('opentag', (tag) => (root ??= tag));
    parser.write(body).close();
    expect(root).toMatchObject({ uri: 'urn:ietf:rfc:7807', local: 'problem' });
  });

  it.for([
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['text/html', 'json'],
    ['application/json, application/xml', 'json'],
    ['application/xml;q=0.5, application/json', 'json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
    ['application/xml', 'xml'],
    ['text/xml', 'xml'],
    ['application/problem+xml', 'xml'],
    ['application/problem+xml, application/json;q=0.9', 'xml'],
    ['application/xml, */*;q=0.1', 'xml'],
    ['image/png, application/xml;q=0.1', 'xml'],
  ] as const)('for Accept: %s is %s', async ([accept, format]) => {
    const headers = accept === undefined ? {} : { accept };
    const answer = await app.inject({ url: '/nothing', headers });
    expect(answer.headers['content-type']).toBe(`application/problem+${format}`);
  });

  it('of a route that answers in one format has the client’s all the same', async () => {
    const answer = await app.inject({ url: '/pet', headers: { accept: 'text/xml' } });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      406,
      'application/problem+xml',
    ]);
  });

  it('of a spent quota too', async () => {
    const small = await startService(undefined, { rateLimitMax: 1 });
    await small.inject({ url: '/pet' });
    const answer = await small.inject({ url: '/pet', headers: asXml });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      429,
      'application/problem+xml',
    ]);
    expect(answer.headers['retry-after']).toBeDefined();
    await small.close();
  });
});
