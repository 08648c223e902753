import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { sharedApp } from '../harness.ts';
import { GIF, IMAGES, multipart, png } from './images.ts';
import { KEY, petstoreClient, unique } from './requests.ts';

const t = await sharedApp();
const store = petstoreClient(t);
const ORIGIN = 'http://127.0.0.1:3000';
const OCTETS = { 'content-type': 'application/octet-stream' };

const upload = (
  petId: number,
  payload: Buffer,
  headers: Record<string, string> = OCTETS,
  query = '',
) =>
  t.inject({
    method: 'POST',
    url: `/v3/pets/${petId}/uploadImage${query}`,
    headers: { ...KEY, ...headers },
    payload,
  });
const sendForm = (petId: number, { headers, payload }: ReturnType<typeof multipart>) =>
  upload(petId, payload, headers);
const path = (url: string) => url.slice(ORIGIN.length);

/** A pet with one uploaded image; answers the address of the image too. */
async function withImage(bytes: Buffer = png()) {
  const pet = await store.addPet();
  const answer = await upload(pet.id, bytes);
  expect(answer.statusCode, answer.body).toBe(200);
  const [url] = (await store.pet(pet.id)).photoUrls;
  return { id: pet.id as number, url: path(url) };
}

describe('POST /pets/{petId}/uploadImage', () => {
  it.each(IMAGES)('takes %s, as the body and in a form, and serves it', async (type, bytes) => {
    const pet = await store.addPet({ photoUrls: ['old'] });
    const answers = [
      await upload(pet.id, bytes, OCTETS, '?additionalMetadata=from%20the%20query'),
      await sendForm(pet.id, multipart(bytes, { fields: { additionalMetadata: 'from the form' } })),
    ];
    const { photoUrls } = await store.pet(pet.id);
    expect(photoUrls).toEqual([
      'old',
      expect.stringMatching(`^${ORIGIN}/v3/pets/${pet.id}/images/[\\da-f-]{36}$`),
      expect.stringMatching(`^${ORIGIN}/v3/pets/${pet.id}/images/[\\da-f-]{36}$`),
    ]);
    for (const [index, answer] of answers.entries()) {
      const said = ['from the query', 'from the form'][index];
      expect(answer.json()).toEqual({
        code: 200,
        type,
        message: `additionalMetadata: ${said}\nFile uploaded to ${photoUrls[index + 1]}, ${bytes.length} bytes`,
      });
      const image = await t.inject({ url: path(photoUrls[index + 1]) });
      expect(image.rawPayload.equals(bytes)).toBe(true);
      expect(image.headers['content-type']).toBe(type);
    }
  });

  it.each([
    ['a page', Buffer.from('<script>alert(1)</script>')],
    ['a page that begins like a GIF', Buffer.from('GIF89a<script>alert(1)</script>')],
    ['an image with an archive behind it', Buffer.concat([png(), Buffer.from('PK\x03\x04')])],
    ['a GIF with a script behind it', Buffer.concat([GIF, Buffer.from('/*<script>*/')])],
    ['half an image', png().subarray(0, 40)],
  ])('refuses %s, whatever it is called', async (_what, bytes) => {
    const pet = await store.addPet();
    for (const answer of [
      await upload(pet.id, bytes),
      await sendForm(pet.id, multipart(bytes, { fileName: 'cat.png' })),
    ]) {
      expect(answer.statusCode).toBe(400);
      expect(answer.json().errors).toMatchObject([{ pointer: '/file' }]);
    }
    expect((await store.pet(pet.id)).photoUrls).toEqual([]);
  });

  it('refuses no file, an unknown field, another format, and an unknown pet', async () => {
    const { id } = await store.addPet();
    expect((await upload(id, Buffer.alloc(0))).statusCode).toBe(400);
    expect((await sendForm(id, multipart(undefined))).statusCode).toBe(400);
    expect((await sendForm(id, multipart(Buffer.alloc(0)))).statusCode).toBe(400);
    expect((await sendForm(id, multipart(png(), { fields: { a: 'b' } }))).statusCode).toBe(400);
    expect((await upload(id, png(), { 'content-type': 'image/png' })).statusCode).toBe(415);
    const long = { additionalMetadata: 'x'.repeat(1001) };
    expect((await sendForm(id, multipart(png(), { fields: long }))).statusCode).toBe(400);
    expect((await upload(404404, png())).statusCode).toBe(404);
    expect((await store.pet(id)).photoUrls).toEqual([]);
  });

  it.each([
    '../../etc/passwd',
    '..\\..\\x.exe',
    'a%00b.png',
    'x'.repeat(5000),
    '\u202Egnp.exe',
    '/',
  ])('a file may be called "%s": it is called something else here', async (fileName) => {
    const { id } = await store.addPet();
    const answer = await sendForm(id, multipart(png(), { fileName }));
    expect([200, 400]).toContain(answer.statusCode);
    for (const url of (await store.pet(id)).photoUrls)
      expect(url).toMatch(/\/images\/[\da-f-]{36}$/);
  });

  it('takes ten MiB, and not a byte more', async () => {
    const { id } = await store.addPet();
    const limit = 10 * 1024 * 1024;
    const comment = 'x'.repeat(limit - png('y').length + 1);
    const bytes = png(comment);
    expect(bytes.length).toBe(limit);
    expect((await upload(id, bytes)).statusCode).toBe(200);
    expect((await upload(id, Buffer.concat([bytes, Buffer.alloc(1)]))).statusCode).toBe(413);
    const [url] = (await store.pet(id)).photoUrls;
    const image = await t.inject({ url: path(url) });
    expect(image.rawPayload.equals(bytes)).toBe(true);
  });

  it('refuses a gigabyte when it is announced, without reading it', async () => {
    const { id } = await store.addPet();
    const { port } = new URL(await t.listen());
    const status = await new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          port,
          method: 'POST',
          path: `/v3/pets/${id}/uploadImage`,
          headers: { ...KEY, ...OCTETS, 'content-length': 1_000_000_000 },
        },
        (answer) => {
          resolve(answer.statusCode);
          request.destroy();
        },
      );
      request.on('error', reject);
      request.write('a few bytes');
    });
    expect(status).toBe(413);
  });

  it('stores one image for one Idempotency-Key', async () => {
    const { id } = await store.addPet();
    const headers = { ...OCTETS, 'idempotency-key': unique('image') };
    const first = await upload(id, png('a'), headers);
    expect((await upload(id, png('a'), headers)).body).toBe(first.body);
    expect((await upload(id, png('b'), headers)).statusCode).toBe(422);
    expect((await store.pet(id)).photoUrls).toHaveLength(1);
  });

  it('takes twenty images a pet, however they come, and a hundred photos', async () => {
    const { id } = await store.addPet();
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, index) => upload(id, png(`${index}`))),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 409)).toHaveLength(5);
    expect((await store.pet(id)).photoUrls).toHaveLength(20);
    const full = await store.addPet({ photoUrls: Array(100).fill('a') });
    expect((await upload(full.id, png())).json().type).toMatch(/\/too-many-images$/);
  });
});

describe('an image', () => {
  it('is served so that nothing in it can run, and public', async () => {
    const bytes = png('<script>alert(document.domain)</script>');
    const { url } = await withImage(bytes);
    const { headers, statusCode } = await t.inject({ url });
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': `${bytes.length}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline',
      'cache-control': 'public, max-age=86400, immutable',
      etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
    });
  });

  it('is not sent to whom has it, nor by HEAD', async () => {
    const { url } = await withImage();
    const { etag = '' } = (await t.inject({ url })).headers;
    const known = await t.inject({ url, headers: { 'if-none-match': etag } });
    expect([known.statusCode, known.body]).toEqual([304, '']);
    const head = await t.inject({ method: 'HEAD', url });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(`${png().length}`);
  });

  it('is sent in parts', async () => {
    const bytes = png();
    const { url } = await withImage(bytes);
    const get = (headers: Record<string, string>) => t.inject({ url, headers });
    const { etag = '' } = (await get({})).headers;
    const part = await get({ range: 'bytes=-10' });
    expect(part.statusCode).toBe(206);
    expect(part.headers['content-range']).toBe(
      `bytes ${bytes.length - 10}-${bytes.length - 1}/${bytes.length}`,
    );
    expect(part.headers['content-length']).toBe('10');
    expect(part.rawPayload.equals(bytes.subarray(-10))).toBe(true);
    expect((await get({ range: 'bytes=0-9', 'if-range': etag })).statusCode).toBe(206);
    for (const headers of [
      { range: 'bytes=0-9', 'if-range': '"another"' },
      { range: 'lines=0-9' },
    ]) {
      const whole = await get(headers);
      expect(whole.statusCode).toBe(200);
      expect(whole.rawPayload.equals(bytes)).toBe(true);
    }
    const beyond = await get({ range: 'bytes=1000-' });
    expect(beyond.statusCode).toBe(416);
    expect(beyond.headers['content-range']).toBe(`bytes */${bytes.length}`);
    expect(beyond.headers['content-type']).toContain('problem+json');
  });

  it('goes with its pet, and with its place in photoUrls', async () => {
    const { id, url } = await withImage();
    const other = await withImage();
    const [, image] = /images\/(.*)$/.exec(url) ?? [];
    expect((await t.inject({ url: `/v3/pets/${other.id}/images/${image}` })).statusCode).toBe(404);
    await upload(id, GIF);
    const pet = await store.pet(id);
    const put = (photoUrls: string[]) =>
      store.expect(200, {
        method: 'PUT',
        url: '/v3/pets',
        headers: KEY,
        payload: { ...pet, photoUrls },
      });
    await put(pet.photoUrls);
    expect((await t.inject({ url })).statusCode).toBe(200);
    await put([pet.photoUrls[1], 'another']);
    expect((await t.inject({ url })).statusCode).toBe(404);
    expect((await t.inject({ url: path(pet.photoUrls[1]) })).statusCode).toBe(200);
    await store.expect(200, { method: 'DELETE', url: `/v3/pets/${id}`, headers: KEY });
    expect((await t.inject({ url: path(pet.photoUrls[1]) })).statusCode).toBe(404);
    const { rows } = await sql`select from petstore.images where pet_id = ${id}`.execute(t.db);
    expect(rows).toHaveLength(0);
    expect((await t.inject({ url: other.url })).statusCode).toBe(200);
  });

  it.each(['x', '0194a1f0-7a00-7000-8000-000000000000'])('is 400 or 404 as "%s"', async (image) => {
    const answer = await t.inject({ url: `/v3/pets/1/images/${image}` });
    expect(answer.statusCode).toBe(image === 'x' ? 400 : 404);
  });
});
