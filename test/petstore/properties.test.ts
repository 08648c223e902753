import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sharedApp } from '../harness.ts';
import { asText, FORM, KEY, parseXml, petstoreClient, XML } from './requests.ts';

const t = await sharedApp();
const store = petstoreClient(t);

/** Text that pets may hold: anything but control characters and half characters. */
const line = (maxLength: number) =>
  fc
    .string({ unit: 'grapheme', maxLength })
    .map((text) => text.toWellFormed().replace(/[\p{Cc}\uFFFE\uFFFF]/gu, ''));
const id = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -3, max: 3 }));
const named = fc.record({ id, name: line(20) }, { requiredKeys: [] });
const pet = fc.record(
  {
    name: line(50).map((text) => `a${text}`),
    photoUrls: fc.array(
      line(30).map((text) => `u${text}`),
      { maxLength: 3 },
    ),
    category: named,
    tags: fc.array(named, { maxLength: 3 }),
    status: fc.constantFrom('available', 'pending', 'sold'),
  },
  { requiredKeys: ['name', 'photoUrls'] },
);

it('a pet is the same in JSON and XML, and can be sent back as it came in either', async () => {
  await fc.assert(
    fc.asyncProperty(pet, async (sent) => {
      const made = await store.addPet(sent);
      expect(made).toEqual({ id: made.id, ...sent });
      const url = `/v3/pets/${made.id}`;
      const xml = await store.expect(200, { url, headers: { ...KEY, accept: XML } });
      expect(parseXml(xml.body).value).toEqual(asText(made));
      await store.expect(200, {
        method: 'PUT',
        url: '/v3/pets',
        headers: { ...KEY, 'content-type': XML },
        payload: xml.body,
      });
      expect(await store.pet(made.id)).toEqual(made);
    }),
    { numRuns: 60 },
  );
});

const NASTY = ['', '0', '-1', '1e3', '9007199254740992', 'null', '__proto__', '\u0000', '%', '..'];
const text = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'binary', maxLength: 20 }));
const member = fc.constantFrom(
  ...['id', 'name', 'photoUrls', 'category', 'tags', 'status', 'petId', 'quantity', 'shipDate'],
  ...['complete', 'username', 'password', 'userStatus', 'category.id', 'tags[0].name', '__proto__'],
);
const value = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.jsonValue({ maxDepth: 3 }),
);
const resource = fc.oneof(pet, fc.dictionary(member, value, { maxKeys: 6 }), fc.jsonValue());
const body = fc.oneof(
  fc.tuple(
    fc.constant('application/json'),
    resource.map((each) => JSON.stringify(each)),
  ),
  fc.tuple(
    fc.constant(FORM),
    fc
      .array(fc.tuple(member, text), { maxLength: 6 })
      .map((pairs) => pairs.map(([name, each]) => `${name}=${each}`).join('&')),
  ),
  fc.tuple(
    fc.constant(XML),
    fc
      .tuple(
        fc.constantFrom('pet', 'order', 'user', 'users', 'pets'),
        fc.array(fc.tuple(member, text), { maxLength: 6 }),
      )
      .map(
        ([root, members]) =>
          `<${root}>${members.map(([name, each]) => `<${name}>${each}</${name}>`).join('')}</${root}>`,
      ),
  ),
  fc.tuple(
    fc.constantFrom('application/octet-stream', 'multipart/form-data; boundary=x', 'text/plain'),
    text,
  ),
);
const segment = text.map((each) => encodeURIComponent(each.toWellFormed()));
const path = fc.oneof(
  fc.constantFrom(
    '/pets',
    '/pet',
    '/store/order',
    '/store/inventory',
    '/user',
    '/user/createWithList',
  ),
  fc
    .tuple(fc.constantFrom('/pets/', '/store/order/', '/user/'), segment)
    .map((parts) => parts.join('')),
  segment.map((each) => `/pets/${each}/uploadImage`),
  fc
    .tuple(
      fc.constantFrom('/pets/findByStatus', '/pets/findByTags', '/pets/1', '/user/login'),
      fc.array(
        fc.tuple(fc.constantFrom('status', 'tags', 'page', 'limit', 'name', 'username'), segment),
        { maxLength: 3 },
      ),
    )
    .map(([first, pairs]) => `${first}?${pairs.map((pair) => pair.join('=')).join('&')}`),
);

it('random requests get an answer or a problem in their format, never a fault of ours', async () => {
  const met = new Set<number>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'GET', 'GET', 'POST', 'POST', 'PUT', 'DELETE', 'HEAD', 'PATCH'),
      path,
      body,
      fc.constantFrom('application/json', XML, '*/*', 'text/html', ''),
      fc.boolean(),
      async (method, to, [type, payload], accept, hasKey) => {
        const answer = await t.inject({
          method: method as 'GET',
          url: `/v3${to}`,
          headers: { ...(hasKey && KEY), accept, 'content-type': type },
          payload,
        });
        met.add(answer.statusCode);
        expect(answer.statusCode, answer.body).toBeLessThan(500);
        if (method === 'HEAD' || answer.statusCode < 400) return;
        const isXml = accept === XML;
        expect(answer.headers['content-type']).toBe(
          `application/problem+${isXml ? 'xml' : 'json'}`,
        );
        if (isXml) expect(parseXml(answer.body).root).toBe('problem');
        else expect(answer.json().status).toBe(answer.statusCode);
      },
    ),
    { numRuns: 1000 },
  );
  for (const status of [200, 400, 401, 404, 405, 406, 415]) expect([...met]).toContain(status);
});
