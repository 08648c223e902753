import { describe, expect, it } from 'vitest';
import { petstoreAliases } from '../../src/petstore/aliases.ts';
import { sharedApp, startApp } from '../harness.ts';
import { multipart, png } from './images.ts';
import { FORM, KEY, parseXml, petstoreClient, unique, XML } from './requests.ts';

const t = await sharedApp();
const store = petstoreClient(t);

/** As generated clients send: their base, their paths, their headers. */
describe.each(['/api/v3', '/v3'])('a published client at %s', (base) => {
  const client = {
    ...KEY,
    'user-agent': 'OpenAPI-Generator/1.0.0/java',
    accept: 'application/json',
  };
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
    store.expect(200, {
      method,
      url: base + url,
      headers: { ...client, ...(payload && { 'content-type': 'application/json' }) },
      ...(payload && { payload: JSON.stringify(payload) }),
    });

  it('keeps pets', async () => {
    const id = Number(`98${base.length}${Date.now() % 100_000}`);
    const pet = {
      id,
      name: 'doggie',
      category: { id: 1, name: 'Dogs' },
      photoUrls: ['string'],
      tags: [{ id: 0, name: unique('string') }],
      status: 'available',
    };
    expect((await call('POST', '/pet', pet)).json()).toEqual(pet);
    expect((await call('PUT', '/pet', { ...pet, status: 'pending' })).json().status).toBe(
      'pending',
    );
    const pending = (await call('GET', '/pet/findByStatus?status=pending')).json();
    expect(pending.map((each: { id: number }) => each.id)).toContain(id);
    const tagged = (await call('GET', `/pet/findByTags?tags=${pet.tags[0]?.name}`)).json();
    expect(tagged).toHaveLength(1);
    expect((await call('GET', `/pet/${id}`)).json().name).toBe('doggie');
    // Version 3 sends parameters, version 2 a form.
    const renamed = await call('POST', `/pet/${id}?name=doggie%202&status=sold`);
    expect(renamed.json()).toMatchObject({ name: 'doggie 2', status: 'sold' });
    const byForm = await store.expect(200, {
      method: 'POST',
      url: `${base}/pet/${id}`,
      headers: { ...client, 'content-type': FORM },
      payload: 'name=doggie+3&status=available',
    });
    expect(byForm.json()).toMatchObject({ name: 'doggie 3', status: 'available' });
    const { headers, payload } = multipart(png(), { fields: { additionalMetadata: 'front' } });
    for (const request of [
      { url: '?additionalMetadata=front', type: 'application/octet-stream', payload: png() },
      { url: '', type: headers['content-type'], payload },
    ]) {
      const uploaded = await store.expect(200, {
        method: 'POST',
        url: `${base}/pet/${id}/uploadImage${request.url}`,
        headers: { ...client, 'content-type': request.type },
        payload: request.payload,
      });
      expect(uploaded.json()).toMatchObject({
        code: 200,
        message: expect.stringContaining('additionalMetadata: front'),
      });
    }
    const { photoUrls } = (await call('GET', `/pet/${id}`)).json();
    expect(photoUrls).toHaveLength(3);
    const image = await t.inject({ url: new URL(photoUrls[1]).pathname });
    expect(image.headers['content-type']).toBe('image/png');
    await call('DELETE', `/pet/${id}`);
    const gone = await store.expect(404, { url: `${base}/pet/${id}`, headers: client });
    expect(gone.json().instance).toBe(`${base}/pet/${id}`);
  });

  it('speaks XML', async () => {
    const answer = await store.expect(200, {
      method: 'POST',
      url: `${base}/pet`,
      headers: { ...client, 'content-type': XML, accept: XML },
      payload:
        '<?xml version="1.0" encoding="UTF-8"?><pet><category><id>1</id><name>Dogs</name></category><name>doggie</name><photoUrls><photoUrl>string</photoUrl></photoUrls><tags><tag><id>0</id><name>string</name></tag></tags><status>available</status></pet>',
    });
    expect(parseXml(answer.body)).toMatchObject({ root: 'pet', value: { name: 'doggie' } });
  });

  it('orders', async () => {
    expect((await call('GET', '/store/inventory')).json()).toHaveProperty('approved');
    const order = {
      petId: 1,
      quantity: 7,
      shipDate: '2026-11-21T16:00:00.000Z',
      status: 'approved',
      complete: true,
    };
    const { id } = (await call('POST', '/store/order', order)).json();
    expect((await call('GET', `/store/order/${id}`)).json()).toEqual({ id, ...order });
    await call('DELETE', `/store/order/${id}`);
    await store.expect(404, { url: `${base}/store/order/${id}`, headers: client });
  });

  it('keeps users', async () => {
    const username = unique(`theUser${base.length}-`);
    const user = {
      username,
      firstName: 'John',
      lastName: 'James',
      email: 'john@email.com',
      password: '12345',
      phone: '12345',
      userStatus: 1,
    };
    const { password: _, ...shown } = user;
    const made = (await call('POST', '/user/createWithList', [user])).json();
    expect(made).toEqual({ id: made.id, ...shown });
    const login = await call('GET', `/user/login?username=${username}&password=12345`);
    expect(login.json()).toMatch(/^logged in user session:/);
    const [cookie = ''] = String(login.headers['set-cookie']).split(';');
    const withCookie = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, payload?: object) =>
      store.expect(200, {
        method,
        url: base + url,
        headers: { ...client, cookie },
        ...(payload && { payload }),
      });
    const second = { ...user, username: `${username}-2` };
    expect((await withCookie('POST', '/user', second)).json()).toMatchObject({
      username: second.username,
    });
    await withCookie('PUT', `/user/${username}`, { ...user, id: made.id, phone: '999' });
    expect((await call('GET', `/user/${username}`)).json()).toMatchObject({ phone: '999' });
    await withCookie('GET', '/user/logout');
    await store.expect(401, {
      method: 'DELETE',
      url: `${base}/user/${username}`,
      headers: { cookie },
    });
  });
});

describe('aliases', () => {
  it.each([
    ['/v3', '/v3/pet', '/v3/pets'],
    ['/v3', '/v3/pet?x=/pet', '/v3/pets?x=/pet'],
    ['/v3', '/v3/pet/1/uploadImage', '/v3/pets/1/uploadImage'],
    ['/v3', '/v3/pets/1', '/v3/pets/1'],
    ['/v3', '/v3/petunia', '/v3/petunia'],
    ['/v3', '/v3/user/pet', '/v3/user/pet'],
    ['/v3', '/api/v3/pet/findByStatus', '/v3/pets/findByStatus'],
    ['/v3', '/api/v3/store/order/1', '/v3/store/order/1'],
    ['/v3', '/api/v3/openapi.json', '/openapi/petstore.json'],
    ['/v3', '/api/v31/pet', '/api/v31/pet'],
    ['/v3', '/pet', '/pet'],
    ['/v3', '/stations', '/stations'],
    ['', '/pet/1', '/pets/1'],
    ['', '/api/v3/pet/1', '/pets/1'],
    ['', '/stations', '/stations'],
    ['/api/v3', '/api/v3/pet/1', '/api/v3/pets/1'],
    ['/api/v3', '/v3/pet/1', '/v3/pet/1'],
  ])('with the base "%s", %s is %s', (base, from, to) => {
    expect(petstoreAliases(base)(from)).toBe(to);
  });

  it('are not in the document, and lead to it', async () => {
    const document = (await t.inject({ url: '/api/v3/openapi.json' })).json();
    expect(document.info).toMatchObject({ title: 'Petstore', version: '1.0.20-SNAPSHOT' });
    expect(
      Object.keys(document.paths).filter((path) => !/^\/(pets|store|user)(\/|$)/.test(path)),
    ).toEqual([]);
    expect(document.servers[0].url).toBe('http://127.0.0.1:3000/v3');
  });

  it('follow the base path, and so do links', async () => {
    await using moved = await startApp({ env: { PETSTORE_BASE_PATH: '/shop' } });
    for (const url of ['/shop/pets/1', '/shop/pet/1', '/api/v3/pet/1'])
      expect((await moved.inject({ url, headers: KEY })).statusCode).toBe(200);
    expect((await moved.inject({ url: '/v3/pets/1', headers: KEY })).statusCode).toBe(404);
    await moved.inject({
      method: 'POST',
      url: '/shop/pets/1/uploadImage',
      headers: { ...KEY, 'content-type': 'application/octet-stream' },
      payload: png(),
    });
    const { photoUrls } = (await moved.inject({ url: '/shop/pets/1', headers: KEY })).json();
    expect(photoUrls[2]).toMatch(/^http:\/\/127\.0\.0\.1:3000\/shop\/pets\/1\/images\//);
  });
});
