import { Type } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { XML } from '../../../src/platform/formats/media-types.ts';
import { FileUpload, type UploadedFile } from '../../../src/platform/formats/uploads.ts';
import { answerOnce } from '../../../src/platform/http/idempotency.ts';
import { newId } from '../../../src/platform/ids.ts';
import { sharedApp } from '../../harness.ts';
import { sharedService } from './service.ts';

const { database } = await sharedApp();
let made = 0;
const Size = Type.Object(
  { size: Type.Integer(), number: Type.Integer() },
  { xml: { name: 'made' } },
);
const app = await sharedService((plugin) => {
  plugin.post<{ Body: { file: UploadedFile } }>(
    '/made',
    {
      schema: {
        consumes: ['application/octet-stream'],
        body: Type.Object({ file: FileUpload() }),
        response: { 201: Size },
      },
    },
    async (request, reply) =>
      answerOnce(database, 'somebody', request, reply, (commit) =>
        commit(async () => {
          made += 1;
          const resource = { size: request.body.file.bytes.length, number: made };
          return { status: 201, resource };
        }),
      ),
  );
});
const make = (key: string | undefined, accept: string, payload = 'x', url = '/made') =>
  app.inject({
    method: 'POST',
    url,
    headers: {
      accept,
      'content-type': 'application/octet-stream',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    payload,
  });

it('a stored answer is repeated in the format that it was given in', async () => {
  for (const [accept, other] of [
    [XML, 'application/json'],
    ['application/json', XML],
  ] as const) {
    const key = newId();
    const first = await make(key, accept);
    expect([first.statusCode, first.headers['content-type']]).toEqual([
      201,
      `${accept}; charset=utf-8`,
    ]);
    for (const later of [accept, other]) {
      const again = await make(key, later);
      expect([again.statusCode, again.body]).toEqual([201, first.body]);
      expect(again.headers).toMatchObject({
        'content-type': first.headers['content-type'],
        'idempotency-replayed': 'true',
      });
    }
  }
});

it('without a key each is made, in the format of the client', async () => {
  const before = made;
  expect((await make(undefined, XML)).body).toContain(`<number>${before + 1}</number>`);
  expect((await make(undefined, '*/*')).json()).toEqual({ size: 1, number: before + 2 });
});

it('a file of other bytes, or another query, is another request', async () => {
  const key = newId();
  expect((await make(key, '*/*', 'x')).statusCode).toBe(201);
  expect((await make(key, '*/*', 'y')).statusCode).toBe(422);
  expect((await make(key, '*/*', 'x', '/made?a=1')).statusCode).toBe(422);
  expect((await make(key, '*/*', 'x')).statusCode).toBe(201);
});
