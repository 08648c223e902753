import { describe, expect, it } from 'vitest';
import { sharedApp } from '../harness.ts';
import { multipart, png } from './images.ts';
import { asText, FORM, KEY, parseXml, petstoreClient, unique, XML } from './requests.ts';

const t = await sharedApp();
const store = petstoreClient(t);
const creator = await store.newSession();

const JSON_TYPE = 'application/json';
const ANSWERS = [JSON_TYPE, XML];

const PET = {
  name: 'Zoë 🐶 <&> "\'',
  category: { id: 1, name: 'Dogs' },
  photoUrls: ['https://example.com/?a=1&b=2', 'c'],
  tags: [{ id: 1, name: 'a b' }, { name: 'c' }],
  status: 'pending',
};
const PET_XML = `<name>Zoë 🐶 &lt;&amp;&gt; "'</name><category><id>1</id><name>Dogs</name></category>
  <photoUrls><photoUrl>https://example.com/?a=1&amp;b=2</photoUrl><photoUrl><![CDATA[c]]></photoUrl></photoUrls>
  <tags><tag><id>1</id><name>a b</name></tag><tag><name>c</name></tag></tags><status>pending</status>`;
const PET_FORM = new URLSearchParams([
  ['name', PET.name],
  ['category.id', '1'],
  ['category.name', 'Dogs'],
  ['photoUrls', 'https://example.com/?a=1&b=2'],
  ['photoUrls', 'c'],
  ['tags[0].id', '1'],
  ['tags[0].name', 'a b'],
  ['tags[1].name', 'c'],
  ['status', 'pending'],
] as [string, string][]).toString();

const ORDER = {
  petId: 1,
  quantity: 3,
  shipDate: '2026-07-31T09:30:00.000Z',
  status: 'approved',
  complete: true,
};
const USER = { firstName: 'Zoë', email: 'zoe@example.com', userStatus: 1 };

const xml = (root: string, value: object, more = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root}>${Object.entries(value)
    .map(([name, each]) => `<${name}>${each}</${name}>`)
    .join('')}${more}</${root}>`;
const form = (value: object) =>
  new URLSearchParams(asText(value) as Record<string, string>).toString();

/** Each operation that takes a body, with the same request in each format that it takes. */
interface Operation {
  method: 'POST' | 'PUT';
  url: string | (() => Promise<string>);
  headers: object;
  root: string;
  /** What the answer holds, beside an id. */
  answer: () => object;
  bodies: () => Promise<Record<string, string>>;
}

let name = '';
let id = 0;

const OPERATIONS: Record<string, Operation> = {
  addPet: {
    method: 'POST',
    url: '/v3/pets',
    headers: KEY,
    root: 'pet',
    answer: () => PET,
    bodies: async () => ({
      [JSON_TYPE]: JSON.stringify(PET),
      [XML]: `<pet>${PET_XML}</pet>`,
      [FORM]: PET_FORM,
    }),
  },
  updatePet: {
    method: 'PUT',
    url: '/v3/pets',
    headers: KEY,
    root: 'pet',
    answer: () => ({ id, ...PET }),
    async bodies() {
      ({ id } = await store.addPet());
      return {
        [JSON_TYPE]: JSON.stringify({ id, ...PET }),
        [XML]: `<pet><id>${id}</id>${PET_XML}</pet>`,
        [FORM]: `id=${id}&${PET_FORM}`,
      };
    },
  },
  updatePetWithForm: {
    method: 'POST',
    url: async () => `/v3/pets/${(await store.addPet()).id}`,
    headers: KEY,
    root: 'pet',
    answer: () => ({ name: 'Max & Co', photoUrls: [], status: 'sold' }),
    bodies: async () => ({ [FORM]: form({ name: 'Max & Co', status: 'sold' }) }),
  },
  placeOrder: {
    method: 'POST',
    url: '/v3/store/order',
    headers: {},
    root: 'order',
    answer: () => ORDER,
    bodies: async () => ({
      [JSON_TYPE]: JSON.stringify(ORDER),
      [XML]: xml('order', ORDER),
      [FORM]: form(ORDER),
    }),
  },
  createUser: {
    method: 'POST',
    url: '/v3/user',
    headers: creator,
    root: 'user',
    answer: () => ({ username: name, ...USER }),
    async bodies() {
      name = unique('created');
      const user = { username: name, ...USER };
      return { [JSON_TYPE]: JSON.stringify(user), [XML]: xml('user', user), [FORM]: form(user) };
    },
  },
  createUsersWithListInput: {
    method: 'POST',
    url: '/v3/user/createWithList',
    headers: {},
    root: 'user',
    answer: () => ({ username: name, ...USER }),
    async bodies() {
      name = unique('listed');
      const users = [{ username: unique('other') }, { username: name, ...USER }];
      const items = users.map((user) => xml('user', user).replace(/^.*\n/, '')).join('');
      return { [JSON_TYPE]: JSON.stringify(users), [XML]: `<users>${items}</users>` };
    },
  },
};

const bodyCases = Object.keys(OPERATIONS).flatMap((operation) =>
  [JSON_TYPE, XML, FORM].flatMap((sent) => ANSWERS.map((accept) => ({ operation, sent, accept }))),
);

describe('every operation with a body, in every format, answered in every format', () => {
  it.each(bodyCases)(
    '$operation: $sent, answered as $accept',
    async ({ operation, sent, accept }) => {
      const {
        method,
        url,
        headers,
        root,
        answer: expected,
        bodies,
      } = OPERATIONS[operation] as Operation;
      const payload = (await bodies())[sent];
      const answer = await t.inject({
        method,
        url: typeof url === 'string' ? url : await url(),
        headers: { ...headers, 'content-type': sent, accept },
        payload: payload ?? 'x',
      });
      if (payload === undefined) {
        expect(answer.statusCode).toBe(415);
        expect(answer.headers['content-type']).toContain(
          accept === XML ? 'application/problem+xml' : 'application/problem+json',
        );
        return;
      }
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.headers['content-type']).toBe(`${accept}; charset=utf-8`);
      expect(answer.headers['vary']).toContain('Accept');
      const read = accept === XML ? parseXml(answer.body) : { root, value: answer.json() };
      expect(read.root).toBe(root);
      const wanted = accept === XML ? asText(expected()) : expected();
      expect(read.value).toEqual({ id: expect.anything(), ...(wanted as object) });
    },
  );
});

it('PUT /user/{username} takes and gives every format', async () => {
  const username = unique('put');
  const headers = await store.newSession(username);
  for (const accept of ANSWERS)
    for (const [type, payload] of [
      [JSON_TYPE, JSON.stringify({ username, ...USER })],
      [XML, xml('user', { username, ...USER })],
      [FORM, form({ username, ...USER })],
    ] as const) {
      const answer = await store.expect(200, {
        method: 'PUT',
        url: `/v3/user/${username}`,
        headers: { ...headers, 'content-type': type, accept },
        payload,
      });
      const value = accept === XML ? parseXml(answer.body).value : asText(answer.json());
      expect(value).toEqual(asText({ id: (value as { id: string }).id, username, ...USER }));
    }
});

describe('every answer, in JSON and XML, is the same value', () => {
  it.each([
    ['/v3/pets/1', 'pet'],
    ['/v3/pets/findByStatus?status=sold,pending', 'pets'],
    ['/v3/pets/findByTags?tags=tag2', 'pets'],
    ['/v3/pets/findByTags?tags=nothing', 'pets'],
    ['/v3/store/order/3', 'order'],
    ['/v3/user/user1', 'user'],
  ])('%s', async (url, root) => {
    const json = await store.expect(200, { url, headers: KEY });
    const answer = await store.expect(200, { url, headers: { ...KEY, accept: XML } });
    expect(parseXml(answer.body)).toEqual({ root, value: asText(json.json()) });
  });

  it('uploadImage', async () => {
    const { id: pet } = await store.addPet();
    const { headers, payload } = multipart(png());
    const answer = await store.expect(200, {
      method: 'POST',
      url: `/v3/pets/${pet}/uploadImage`,
      headers: { ...KEY, ...headers, accept: XML },
      payload,
    });
    expect(parseXml(answer.body)).toMatchObject({
      root: 'apiResponse',
      value: { code: '200', type: 'image/png' },
    });
  });
});
