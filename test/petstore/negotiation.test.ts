import { describe, expect, it } from 'vitest';
import { sharedApp } from '../harness.ts';
import { asText, FORM, KEY, parseXml, petstoreClient, XML } from './requests.ts';

const t = await sharedApp();
const store = petstoreClient(t);
const JSON_TYPE = 'application/json';

describe('negotiation', () => {
  it.each([
    ['*/*', JSON_TYPE],
    ['application/*', JSON_TYPE],
    ['application/xml, application/json', XML],
    ['application/xml;q=0.5, application/json', JSON_TYPE],
    ['text/html, application/xml;q=0.9, */*;q=0.8', XML],
    ['application/json;q=0, */*', XML],
  ])('Accept "%s" is answered as %s', async (accept, type) => {
    const answer = await store.expect(200, { url: '/v3/user/user1', headers: { accept } });
    expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`);
  });

  it('is 406 where nothing is acceptable, also for what answers JSON only', async () => {
    await store.expect(406, { url: '/v3/user/user1', headers: { accept: 'text/csv' } });
    await store.expect(406, { url: '/v3/store/inventory', headers: { ...KEY, accept: XML } });
  });

  it('an Idempotency-Key replays the format of the first answer', async () => {
    const send = (accept: string) =>
      store.expect(200, {
        method: 'POST',
        url: '/v3/store/order',
        headers: { 'idempotency-key': 'in-xml', accept },
        payload: { petId: 1 },
      });
    const [first, again] = [await send(XML), await send(XML)];
    expect(again.body).toBe(first.body);
    expect(again.headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(parseXml(again.body).root).toBe('order');
  });
});

describe('problems in the format of the client', () => {
  it.each([
    ['GET', '/v3/pets/404', 404],
    ['GET', '/v3/pets/x', 400],
    ['GET', '/v3/pets/findByStatus?status=x', 400],
    ['POST', '/v3/pets', 400],
    ['GET', '/v3/nothing', 404],
    ['PATCH', '/v3/pets', 405],
    ['DELETE', '/v3/store/order/1000', 400],
    ['GET', '/v3/user/login', 400],
    ['DELETE', '/v3/user/user1', 403],
  ] as const)('%s %s is %i in XML as in JSON', async (method, url, status) => {
    const headers = { ...KEY, 'x-request-id': 'the-same' };
    const json = await store.expect(status, { method, url, headers });
    const answer = await store.expect(status, {
      method,
      url,
      headers: { ...headers, accept: XML },
    });
    expect(answer.headers['content-type']).toContain('application/problem+xml');
    expect(parseXml(answer.body)).toEqual({ root: 'problem', value: asText(json.json()) });
  });
});

describe('what no format may bring', () => {
  it.each([
    [JSON_TYPE, '{"name":"A","photoUrls":[],"__proto__":{"admin":true}}'],
    [JSON_TYPE, '{"name":"A","photoUrls":[],"constructor":{"prototype":{}}}'],
    [FORM, 'name=A&photoUrls=[]&__proto__.admin=true'],
    [FORM, 'name=A&photoUrls=[]&category.__proto__=1'],
    [XML, '<pet><name>A</name><photoUrls/><__proto__>1</__proto__></pet>'],
    [XML, '<!DOCTYPE pet [<!ENTITY a "b">]><pet><name>&a;</name><photoUrls/></pet>'],
    [XML, '<pet><name>&nbsp;</name><photoUrls/></pet>'],
    [XML, '<pet><name>A</name><photoUrls/></pet><pet/>'],
    [XML, '<order><petId>1</petId></order>'],
    [
      XML,
      `<pet><name>A</name><photoUrls>${'<photoUrl>a</photoUrl>'.repeat(101)}</photoUrls></pet>`,
    ],
    [XML, '<pet><id>1.0</id><name>A</name><photoUrls/></pet>'],
    [FORM, 'id=9007199254740992&name=A&photoUrls=[]'],
    [FORM, 'name=A&photoUrls=[]&owner=me'],
  ])('%s %s', async (type, payload) => {
    const answer = await store.expect(400, {
      method: 'POST',
      url: '/v3/pets',
      headers: { ...KEY, 'content-type': type },
      payload,
    });
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect({}).not.toHaveProperty('admin');
  });
});
