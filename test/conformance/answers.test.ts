import { describe, expect, it } from 'vitest';
import { type Answer, faultsOf } from './answers.ts';
import { targetFinder } from './documents.ts';
import { PATH, THINGS, XML_THING } from './things.ts';

const find = targetFinder([{ base: '/v1', document: THINGS }]);

const RIGHT: Answer = {
  status: 200,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'content-length': '25',
    etag: '"a"',
    date: 'now',
  },
  body: Buffer.from('{"id":1,"part":{"size":2}}'),
};
const body = (value: unknown) => ({ body: Buffer.from(JSON.stringify(value)) });
const head = (headers: Answer['headers']) => ({ headers: { ...RIGHT.headers, ...headers } });

/** What the checker says of the right answer with these changes. */
function faults(change: Partial<Answer>, method = 'GET', path = PATH): string[] {
  const target = find(method, path);
  if (!target) throw new Error(`The document has no path for ${path}.`);
  return faultsOf(target, { ...RIGHT, ...change });
}
const refusal = (status: number, headers: Answer['headers'] = {}) => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: Buffer.from('{"title":"No."}'),
});
const EMPTY = { body: Buffer.alloc(0) };
const XML = { 'content-type': 'application/xml', etag: '"a"' };

describe('an answer as the document has it', () => {
  it.each<[string, Partial<Answer>, string?, string?]>([
    ['in JSON', {}],
    ['in XML', { headers: XML, body: Buffer.from(XML_THING) }],
    ['with an optional header', head({ 'x-count': '3' })],
    ['with a member of a schema that is extended', body({ id: 1, part: { size: 2, unit: 'm' } })],
    ['with members of a map', body({ id: 1, labels: { any: 'thing' } })],
    ['with anything where anything goes', body({ id: 1, extra: { any: ['thing'] } })],
    ['with the first of two kinds', body({ id: 1, owner: { name: 'Ann' } })],
    ['with the second of two kinds', body({ id: 1, owner: { company: 'Acme' } })],
    ['without a body', { status: 204, headers: {}, ...EMPTY }],
    ['of a range of statuses', { status: 503, headers: {}, ...EMPTY }],
    ['without its body, to HEAD', EMPTY, 'HEAD'],
    ['to another method', refusal(405, { allow: 'GET, HEAD, OPTIONS' }), 'DELETE'],
    ['to another method, with the quota used up', refusal(429), 'DELETE'],
    [
      'to HEAD where there is no GET',
      { ...refusal(405, { allow: 'OPTIONS, POST' }), ...EMPTY },
      'HEAD',
      '/v1/things',
    ],
    ['to a preflight', { status: 204, headers: {}, ...EMPTY }, 'OPTIONS'],
  ])('has no fault: %s', (_, change, method, path) => {
    expect(faults(change, method, path)).toEqual([]);
  });
});

describe('an answer that the document does not have', () => {
  const thing = 'GET /things/{id} (get-thing) 200: ';
  it.each<[string, Partial<Answer>, string, string?]>([
    ['status', { status: 418 }, 'GET /things/{id} (get-thing) answers the undocumented status 418'],
    ['header', head({ 'x-secret': '1' }), `${thing}the header x-secret is undocumented`],
    ['value of a header', head({ 'x-count': 'many' }), `${thing}the header x-count "many": `],
    [
      'lack of a header',
      { headers: { 'content-type': 'application/json' } },
      `${thing}the required header etag is missing`,
    ],
    ['member', body({ id: 1, secret: 2 }), `${thing}the body has the undocumented member "secret"`],
    [
      'member of a member',
      body({ id: 1, part: { size: 2, secret: 2 } }),
      `${thing}/part has the undocumented member "secret"`,
    ],
    [
      'member of an item',
      body({ id: 1, parts: [{ size: 2 }, { size: 2, secret: 2 }] }),
      `${thing}/parts/1 has the undocumented member "secret"`,
    ],
    [
      'member of one of two kinds',
      body({ id: 1, owner: { name: 'Ann', secret: 2 } }),
      `${thing}/owner has the undocumented member "secret"`,
    ],
    ['write-only member', body({ id: 1, password: 'x' }), `${thing}/password `],
    ['lack of a member', body({}), `${thing}the body must have required property 'id'`],
    ['type', body({ id: '1' }), `${thing}/id must be integer`],
    ['format', body({ id: 1, since: 'today' }), `${thing}/since must match format "date-time"`],
    ['value', body({ id: 1, state: 'odd' }), `${thing}/state must be equal to one of`],
    [
      'content type',
      head({ 'content-type': 'text/html' }),
      `${thing}the content type text/html is undocumented`,
    ],
    ['broken body', { body: Buffer.from('{') }, `${thing}the body is not application/json`],
    ['lack of a body', EMPTY, `${thing}no body, and one is documented`],
    ['lack of a content type', { headers: { etag: '"a"' } }, `${thing}no content type`],
    [
      'member in XML',
      { headers: XML, body: Buffer.from(XML_THING.replace('</id>', '</id><secret/>')) },
      `${thing}the body has the undocumented member "secret"`,
    ],
    [
      'type in XML',
      { headers: XML, body: Buffer.from(XML_THING.replace('<id>1', '<id>one')) },
      `${thing}/id must be integer`,
    ],
    [
      'root in XML',
      { headers: XML, body: Buffer.from(XML_THING.replaceAll('thing>', 'other>')) },
      `${thing}the body is not application/xml of its schema: `,
    ],
    [
      'lack of a namespace in XML',
      { headers: XML, body: Buffer.from('<thing><id>1</id></thing>') },
      `${thing}the body is not application/xml of its schema: the namespace urn:things`,
    ],
    [
      'body where there is none',
      { status: 204, headers: {} },
      'GET /things/{id} (get-thing) 204: a body, and none is documented',
    ],
    [
      'content type where there is none',
      { status: 204, headers: { 'content-type': 'application/json' }, ...EMPTY },
      'GET /things/{id} (get-thing) 204: the content type application/json is undocumented',
    ],
    ['body, to HEAD', {}, 'HEAD /things/{id} (get-thing) 200: a body, and this is HEAD', 'HEAD'],
    [
      'operation',
      {},
      'DELETE /things/{id} answers 200, and the document has no such operation',
      'DELETE',
    ],
    [
      'list of methods',
      refusal(405, { allow: 'GET, OPTIONS, PUT' }),
      'PATCH /things/{id} 405: Allow has GET, OPTIONS, PUT, and the document GET, HEAD, OPTIONS',
      'PATCH',
    ],
    [
      'refusal',
      { ...refusal(405, { allow: 'GET, HEAD, OPTIONS' }), ...body({ title: 'No.', stack: 'at' }) },
      'PATCH /things/{id} 405: the body has the undocumented member "stack"',
      'PATCH',
    ],
  ])('has one: %s', (_, change, fault, method) => {
    const [found = '', ...others] = faults(change, method);
    expect(found).toContain(fault);
    expect(others).toEqual([]);
  });
});
