import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { FORM } from '../../../src/platform/formats/media-types.ts';
import { Pet, sharedService, startService, Tag } from './service.ts';

const JSON_PET = '{"name":"Rex","photoUrls":[]}';
const XML_PET =
  '<?xml version="1.0" encoding="UTF-8"?>\n<pet><name>Rex</name><photoUrls></photoUrls></pet>';

const app = await sharedService();
const get = (url: string, accept?: string) =>
  app.inject({ url, headers: accept === undefined ? {} : { accept } });
const post = (type: string | undefined, payload: string | Buffer) =>
  app.inject({
    method: 'POST',
    url: '/pets',
    headers: { ...(type !== undefined && { 'content-type': type }) },
    payload,
  });

describe('the answer', () => {
  it.for([
    [undefined, 'json'],
    ['*/*', 'json'],
    ['application/*', 'json'],
    ['application/json', 'json'],
    ['application/xml', 'xml'],
    ['APPLICATION/XML', 'xml'],
    ['application/xml;charset=utf-8', 'xml'],
    ['application/json;q=0.5, application/xml', 'xml'],
    ['application/json;q=0.5, application/xml;q=0.4', 'json'],
    ['application/json;q=0, */*', 'xml'],
    ['application/xml;q=0.1, text/html', 'xml'],
    ['application/xml, */*;q=0.1', 'xml'],
    ['text/html, */*;q=0.1', 'json'],
    ['application/json, application/xml', 'json'],
    ['application/xml, application/json', 'xml'],
  ] as const)('to Accept: %s is %s', async ([accept, format]) => {
    const answer = await get('/pet', accept);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe(`application/${format}; charset=utf-8`);
    expect(answer.body).toBe(format === 'xml' ? XML_PET : JSON_PET);
    expect(answer.headers.vary).toMatch(/\bAccept$/);
  });

  it.for(['text/html', 'application/json;q=0', 'text/xml', 'image/*', 'nonsense', ''])(
    'to Accept: %s is 406',
    async (accept) => {
      const answer = await get('/pet', accept);
      expect(answer.statusCode).toBe(406);
      expect(answer.body).toContain('application/json or application/xml');
      expect(answer.headers.vary).toMatch(/\bAccept$/);
    },
  );

  it('holds to the schema in every format', async () => {
    const json = await get('/pets');
    expect(json.json()).toEqual([
      { name: 'Rex', photoUrls: [] },
      { name: '<&>', photoUrls: ['a', ''], tags: [{ id: 1 }] },
    ]);
    const xml = await get('/pets', 'application/xml');
    expect(xml.body.split('\n')[1]).toBe(
      '<pets><pet><name>Rex</name><photoUrls></photoUrls></pet>' +
        '<pet><name>&lt;&amp;&gt;</name>' +
        '<photoUrls><photoUrl>a</photoUrl><photoUrl></photoUrl></photoUrls>' +
        '<tags><tag><id>1</id></tag></tags></pet></pets>',
    );
  });

  it('that is a string is one in every format', async () => {
    expect((await get('/login')).body).toBe('"logged \\"in\\""');
    expect((await get('/login', 'application/xml')).body).toContain('<string>logged "in"</string>');
  });

  it('that is nothing suits every client', async () => {
    for (const accept of ['text/html', 'application/xml', '*/*']) {
      const answer = await app.inject({ method: 'DELETE', url: '/pet', headers: { accept } });
      expect([answer.statusCode, answer.body, answer.headers['content-length']]).toEqual([
        200,
        '',
        '0',
      ]);
    }
  });

  it('to HEAD has the headers of that to GET', async () => {
    for (const accept of ['application/xml', 'application/json', 'text/html']) {
      const { headers } = await get('/pet', accept);
      const head = await app.inject({ method: 'HEAD', url: '/pet', headers: { accept } });
      expect(head.body).toBe('');
      for (const name of ['content-type', 'content-length', 'etag', 'vary'])
        expect([name, head.headers[name]]).toEqual([name, headers[name]]);
    }
  });

  it('has a tag of its own in each format, and any of them is a match', async () => {
    const formats = ['application/json', 'application/xml'];
    const tags = await Promise.all(
      formats.map(async (accept) => `${(await get('/pet', accept)).headers.etag}`),
    );
    expect(new Set(tags).size).toBe(2);
    for (const [index, accept] of formats.entries()) {
      const known = { accept, 'if-none-match': tags[index] };
      const again = await app.inject({ url: '/pet', headers: known });
      expect([again.statusCode, again.body]).toEqual([304, '']);
      const other = { accept, 'if-none-match': tags[1 - index] };
      expect((await app.inject({ url: '/pet', headers: other })).statusCode).toBe(200);
    }
    const put = (tag: string | undefined) =>
      app.inject({ method: 'PUT', url: '/pet', headers: { 'if-match': tag } });
    for (const tag of tags) expect((await put(tag)).statusCode).toBe(200);
    expect((await put('"x"')).statusCode).toBe(412);
  });
});

describe('the body', () => {
  const bodies = {
    'application/json': JSON_PET,
    'application/xml': XML_PET,
    [FORM]: 'name=Rex&photoUrls=[]',
  };

  it.for(Object.entries(bodies))('is taken as %s', async ([type, body]) => {
    for (const spelling of [
      type,
      type.toUpperCase(),
      `${type};charset=utf-8`,
      `${type}; charset="UTF-8"`,
    ]) {
      const answer = await post(spelling, body);
      expect([spelling, answer.statusCode, answer.body]).toEqual([spelling, 200, JSON_PET]);
    }
  });

  it.for([
    undefined,
    'text/xml',
    'text/plain',
    'application/octet-stream',
    'multipart/form-data; boundary=b',
    'application/json2',
    'application/xml; charset=iso-8859-1',
    'application/json; charset=utf-16',
    '/;;=',
  ])('as %s is 415, and Accept says what is taken', async (type) => {
    const answer = await post(type, Buffer.from(JSON_PET));
    expect(answer.statusCode).toBe(415);
    if (type !== '/;;=')
      expect(answer.headers.accept).toBe(
        'application/json, application/xml, application/x-www-form-urlencoded',
      );
  });

  it.for([undefined, ...Object.keys(bodies)])('that is absent is 400 (%s)', async (type) => {
    const answer = await post(type, '');
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toEqual([
      { pointer: '', detail: 'is required and must be an object' },
    ]);
  });

  it('can be absent where the route says so', async () => {
    const url = '/pet';
    expect((await app.inject({ method: 'POST', url })).body).toBe('{}');
    const form = { 'content-type': FORM };
    for (const [payload, body] of [
      ['', '{}'],
      ['name=x', '{"name":"x"}'],
    ]) {
      const answer = await app.inject({
        method: 'POST',
        url,
        headers: form,
        payload: `${payload}`,
      });
      expect(answer.body).toBe(body);
    }
  });
});

describe('a route that the formats cannot speak', () => {
  const starting = (schema: object) =>
    startService((plugin) => plugin.post('/x', { schema }, async () => undefined));
  const named = { xml: { name: 'x' } };

  it.for([
    ['a body without a name', { body: Type.Object({}) }, /needs xml\.name/],
    ['an answer without a name', { response: { 200: Type.Object({}) } }, /needs xml\.name/],
    [
      'text that could hold control characters',
      { body: Type.Object({ a: Type.Object({ b: Type.String() }) }, named) },
      /\/a\/b could hold characters that XML cannot/,
    ],
    [
      'a pattern that lets them pass',
      { body: Type.Object({ a: Type.String({ pattern: '^.+$' }) }, named) },
      /\/a could hold/,
    ],
    [
      'a choice of schemas',
      { body: Type.Object({ a: Type.Union([Tag, Pet]) }, named) },
      /cannot write \/a/,
    ],
    ['a map', { response: { 200: Type.Record(Type.String(), Type.Integer(), named) } }, /cannot/],
    [
      'an array that is not wrapped',
      { response: { 200: Type.Object({ a: Type.Array(Type.Integer()) }, named) } },
      /cannot write \/a/,
    ],
    [
      'items without a name',
      { response: { 200: Type.Array(Type.Integer(), { xml: { name: 'a', wrapped: true } }) } },
      /need xml\.name/,
    ],
  ] as const)('stops the start: %s', async ([, schema, message]) => {
    await expect(starting(schema)).rejects.toThrow(message);
  });

  it('can speak JSON alone', async () => {
    const counts = Type.Record(Type.String(), Type.Integer());
    const plain = await startService((plugin) =>
      plugin.get(
        '/counts',
        { schema: { produces: ['application/json'], response: { 200: counts } } },
        async () => ({ a: 1 }),
      ),
    );
    expect((await plain.inject({ url: '/counts' })).json()).toEqual({ a: 1 });
    const xml = { accept: 'application/xml' };
    expect((await plain.inject({ url: '/counts', headers: xml })).statusCode).toBe(406);
    await plain.close();
  });
});
