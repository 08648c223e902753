import { type TSchema, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { afterAll } from 'vitest';
import {
  ProblemSchema,
  problemResponses,
} from '../../../src/platform/documents/problem-responses.ts';
import { requireMatch, sendTagged } from '../../../src/platform/http/etag.ts';
import { speakFormats, tagsOf } from '../../../src/platform/formats/index.ts';
import { FORM, MULTIPART, OCTETS } from '../../../src/platform/formats/media-types.ts';
import { Text } from '../../../src/platform/formats/text.ts';
import { FileUpload, type UploadedFile } from '../../../src/platform/formats/uploads.ts';
import { createHttp } from '../../../src/platform/http/http.ts';
import { createLog } from '../../../src/platform/operations/log.ts';
import { createRateLimit } from '../../../src/platform/http/rate-limit.ts';

const PUBLIC_URL = 'http://127.0.0.1:3000';
const CLOSED = { additionalProperties: false };
const GREATEST = Number.MAX_SAFE_INTEGER;

const Id = Type.Integer({ format: 'int64', minimum: -GREATEST, maximum: GREATEST });
export const Tag = Type.Object(
  { id: Type.Optional(Id), name: Type.Optional(Text()) },
  { $id: 'Tag', ...CLOSED, xml: { name: 'tag' } },
);
export const Pet = Type.Object(
  {
    id: Type.Optional(Id),
    name: Text({ minLength: 1 }),
    category: Type.Optional(
      Type.Object({ id: Type.Optional(Id), name: Type.Optional(Text()) }, CLOSED),
    ),
    photoUrls: Type.Array(Text({ xml: { name: 'photoUrl' } }), { xml: { wrapped: true } }),
    tags: Type.Optional(Type.Array(Type.Ref('Tag'), { xml: { wrapped: true } })),
    status: Type.Optional(
      Type.Unsafe<string>({ type: 'string', enum: ['available', 'pending', 'sold'] }),
    ),
    weight: Type.Optional(Type.Number()),
    tame: Type.Optional(Type.Boolean()),
    links: Type.Optional(Type.Unknown({ readOnly: true })),
  },
  { $id: 'Pet', ...CLOSED, xml: { name: 'pet' } },
);

const Upload = Type.Object(
  { file: FileUpload(), additionalMetadata: Type.Optional(Text()), part: Type.Optional(Id) },
  CLOSED,
);
const Size = Type.Object(
  {
    size: Type.Integer(),
    name: Type.Optional(Type.String()),
    type: Type.Optional(Type.String()),
    additionalMetadata: Type.Optional(Type.String()),
  },
  { xml: { name: 'size' } },
);

const REX = { name: 'Rex', photoUrls: [] };

export const FILE_LIMIT = 100_000;

/** A service that gives back what it takes, on the real platform, without a database. */
export async function startService(
  routes: (app: FastifyInstance) => void = () => undefined,
  { rateLimitMax = 0, uploadDeadline = 25_000 } = {},
) {
  const rateLimit = createRateLimit({ RATE_LIMIT_MAX: rateLimitMax, RATE_LIMIT_WINDOW: 60 });
  const options = { PUBLIC_URL, BODY_LIMIT: 1_048_576 };
  const { app, ready } = await createHttp(options, createLog('silent'), rateLimit);
  await app.register(async (plugin) => {
    plugin.addHook('onRequest', async (request, reply) => rateLimit(request, reply));
    speakFormats(plugin, { uploadDeadline });
    for (const schema of [ProblemSchema, Tag, Pet]) plugin.addSchema(schema);
    const answer = (schema: TSchema) => ({ response: { 200: schema, ...problemResponses(400) } });
    const pet = answer(Type.Ref('Pet'));
    const Pets = Type.Array(Type.Ref('Pet'), { xml: { name: 'pets', wrapped: true } });

    plugin.post('/pets', { schema: { body: Type.Ref('Pet'), ...pet } }, async ({ body }) => body);
    plugin.get('/pet', { schema: pet }, async (request, reply) => sendTagged(request, reply, REX));
    plugin.put('/pet', { schema: pet }, async (request, reply) => {
      requireMatch(request.headers['if-match'], ...tagsOf(reply, REX, Pet));
      return sendTagged(request, reply, REX);
    });
    plugin.get('/pets', { schema: answer(Pets) }, async () => [
      { name: 'Rex', photoUrls: [], secret: 'x' },
      { name: '<&>', photoUrls: ['a', ''], tags: [{ id: 1 }] },
    ]);
    plugin.get(
      '/login',
      { schema: answer(Type.String({ xml: { name: 'string' } })) },
      async () => 'logged "in"',
    );
    plugin.get('/broken', { schema: pet }, async () => Promise.reject(new Error('secret')));
    plugin.delete('/pet', { schema: { response: { 200: Type.Null() } } }, async (_request, reply) =>
      reply.send(),
    );
    const name = Type.Object({ name: Type.Optional(Text()) }, { ...CLOSED, xml: { name: 'pet' } });
    plugin.post(
      '/pet',
      { config: { optionalBody: true }, schema: { consumes: [FORM], body: name, ...answer(name) } },
      async ({ body }) => body,
    );
    plugin.post<{ Body: { file: UploadedFile; additionalMetadata?: string } }>(
      '/files',
      {
        bodyLimit: FILE_LIMIT,
        schema: { consumes: [OCTETS, MULTIPART], body: Upload, ...answer(Size) },
      },
      async ({ body: { file, ...rest } }) => {
        const { bytes, name, type } = file;
        return { size: bytes.length, name, type, ...rest };
      },
    );
    routes(plugin);
  });
  ready();
  await app.ready();
  return app;
}

/** The same for all tests of a file. */
export async function sharedService(...options: Parameters<typeof startService>) {
  const app = await startService(...options);
  afterAll(() => app.close());
  return app;
}
