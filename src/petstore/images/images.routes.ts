import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../../platform/database/database.ts';
import { type HeaderName, headersNamed } from '../../platform/documents/headers.ts';
import { problemResponses } from '../../platform/documents/problem-responses.ts';
import { isKnown, notModified } from '../../platform/http/etag.ts';
import { MULTIPART, OCTETS } from '../../platform/formats/media-types.ts';
import { Text } from '../../platform/formats/text.ts';
import { FileUpload } from '../../platform/formats/uploads.ts';
import { answerOnce } from '../../platform/http/idempotency.ts';
import { newId } from '../../platform/ids.ts';
import { invalidRequest, notFound, Problem } from '../../platform/problems/problems.ts';
import { callerOf } from '../access.ts';
import { Id, problemsOfAnyAccept } from '../fields.ts';
import type { PetstoreRoutes } from '../index.ts';
import { noPet } from '../pets.routes.ts';
import { PetParams } from '../pets.schemas.ts';
import { IMAGE_TYPES, type ImageType, imageType } from './image-format.ts';
import { findImage, type ImageRow, imagePath, insertImage, readImage } from './images.queries.ts';
import { type ByteRange, parseRange } from './range.ts';
import { takeTurns } from './turns.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const PIECE = 256 * 1024;
/** Each is in memory while it comes in; the others wait, so long at most. */
const UPLOADS = 10;
const WAIT_MS = 10_000;

const Metadata = Type.Optional(
  Text({
    maxLength: 1000,
    description: 'What there is to say about the image.',
    examples: ['Taken in the garden'],
  }),
);

export const ApiResponse = Type.Object(
  {
    code: Type.Integer({ format: 'int32', description: 'The HTTP status.', examples: [200] }),
    type: Type.Unsafe<ImageType>({
      type: 'string',
      enum: IMAGE_TYPES,
      description: 'What the image is, by its content.',
    }),
    message: Type.String({
      description: 'What was done, in words: the metadata, the address of the image, its size.',
    }),
  },
  {
    $id: 'ApiResponse',
    xml: { name: 'apiResponse' },
    description: 'What became of an upload.',
  },
);

const imageAnswer = (description: string, ...headers: HeaderName[]) => ({
  description,
  headers: headersNamed('ETag', 'Accept-Ranges', 'Content-Disposition', ...headers),
  content: Object.fromEntries(
    IMAGE_TYPES.map((type) => [
      type,
      { schema: { type: 'string', format: 'binary', contentMediaType: type } },
    ]),
  ),
});
const { 416: noSuchPart, ...imageProblems } = problemsOfAnyAccept(400, 401, 404, 416);

/** Whatever the bytes hold beside a picture, no browser runs it. */
const SAFE_HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'inline',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

/** The bytes piece by piece, each read when the client has taken the one before. */
async function* readPieces(db: Db, id: string, { first, last }: ByteRange) {
  for (let at = first; at <= last; at += PIECE) {
    const part = await readImage(db, id, { first: at, length: Math.min(PIECE, last + 1 - at) });
    if (!part) throw new Error('The image was deleted while it was read.');
    yield part;
  }
}

export const imageRoutes: FastifyPluginAsyncTypebox<PetstoreRoutes> = async (
  app,
  { database, baseUrl },
) => {
  const { reads } = database;

  app.post(
    '/pets/:petId/uploadImage',
    {
      config: { access: 'write:pets' },
      onRequest: takeTurns(UPLOADS, WAIT_MS),
      bodyLimit: MAX_BYTES,
      schema: {
        operationId: 'uploadFile',
        summary: 'Upload an image',
        description:
          'Takes a PNG, JPEG, GIF or WebP image of at most 10 MiB, as the body itself or as the file of a form; by its content, whatever is said of it. The image is served at an address of its own, which joins the `photoUrls` of the pet. A pet takes 20 images; to be rid of one, update the pet without its address.',
        tags: ['pets'],
        security: [{ pets_auth: ['write:pets'] }, { api_key: [] }],
        consumes: [OCTETS, MULTIPART],
        params: PetParams,
        querystring: Type.Object({ additionalMetadata: Metadata }),
        body: Type.Object(
          { file: FileUpload(), additionalMetadata: Metadata },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Unsafe<typeof ApiResponse.static>(Type.Ref('ApiResponse')),
          ...problemResponses(400, 401, 403, 404, 'too-many-images', 413, 415, 422),
        },
      },
    },
    async (request, reply) => {
      const { petId } = request.params;
      const { bytes } = request.body.file;
      const metadata = request.body.additionalMetadata ?? request.query.additionalMetadata;
      const mediaType = imageType(bytes);
      if (!mediaType)
        throw invalidRequest([
          {
            pointer: '/file',
            detail: 'must be a whole PNG, JPEG, GIF or WebP image, with nothing behind it',
          },
        ]);
      const sha256 = createHash('sha256').update(bytes).digest();
      const image = { id: newId(), petId, mediaType, bytes, sha256, metadata };
      return answerOnce(database, callerOf(request), request, reply, (commit) =>
        commit(async (executor) => {
          const outcome = await insertImage(executor, image);
          if (outcome === 'no-pet') throw noPet(petId);
          if (outcome === 'too-many')
            throw new Problem('too-many-images', 'The pet has as many images as it can.');
          const said = metadata === undefined ? '' : `additionalMetadata: ${metadata}\n`;
          const message = `${said}File uploaded to ${baseUrl}/${imagePath(image)}, ${bytes.length} bytes`;
          return { status: 200, resource: { code: 200, type: mediaType, message } };
        }),
      );
    },
  );

  app.get(
    '/pets/:petId/images/:imageId',
    {
      schema: {
        operationId: 'getImage',
        summary: 'Get an uploaded image',
        description:
          'Answers an uploaded image, in the format that it has, whatever Accept says. It needs no credentials, so that pages can show it: its address, which nobody can guess, is in the `photoUrls` of the pet. `Range` asks for a part of it, and `If-Range` makes sure that it is a part of the same image. An image never changes, and may be kept.',
        tags: ['pets'],
        security: [],
        params: Type.Object({
          petId: Id('Number of the pet.', 1),
          imageId: Type.String({
            format: 'uuid',
            description: 'Identifier of the image.',
            examples: ['0190f3a2-7c1e-7b4a-9d3e-5f6a7b8c9d0e'],
          }),
        }),
        headers: Type.Object({
          Range: Type.Optional(
            Type.String({
              description: 'The part that is wanted; the whole where it cannot be followed.',
              examples: ['bytes=0-1023'],
            }),
          ),
          'If-Range': Type.Optional(
            Type.String({
              description: 'The ETag of the part that you have: another one gets the whole.',
              examples: ['"47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"'],
            }),
          ),
        }),
        response: {
          200: imageAnswer('The image.'),
          206: imageAnswer('The part that Range asks for.', 'Content-Range'),
          304: {
            ...notModified[304],
            headers: headersNamed('Accept-Ranges', 'Content-Disposition'),
          },
          416: {
            ...noSuchPart,
            headers: headersNamed('ETag', 'Accept-Ranges', 'Content-Disposition', 'Content-Range'),
          },
          ...imageProblems,
        },
      },
    },
    async (request, reply) => {
      const { petId, imageId } = request.params;
      const image = await findImage(reads, imageId, petId);
      if (!image) throw notFound(`There is no image ${imageId} of the pet ${petId}.`);
      return sendImage(request, reply, image, (range) =>
        Readable.from(readPieces(reads, imageId, range)),
      );
    },
  );
};

/** Sends the image, the part of it that is asked for, or 304; `open` gives bytes of it. */
function sendImage(
  request: FastifyRequest,
  reply: FastifyReply,
  { media_type, size, sha256 }: ImageRow,
  open: (range: ByteRange) => Readable,
): FastifyReply {
  const tag = `"${sha256.toString('base64url')}"`;
  reply.headers({
    ...SAFE_HEADERS,
    etag: tag,
    'cache-control': 'public, max-age=86400, immutable',
    'accept-ranges': 'bytes',
  });
  if (isKnown(request, tag)) return reply.code(304).send();

  const { range, 'if-range': ifRange } = request.headers;
  const part = parseRange(ifRange === undefined || ifRange === tag ? range : undefined, size);
  if (part === 'unsatisfiable')
    throw new Problem('range-not-satisfiable', `The image has ${size} bytes.`, {
      headers: { 'content-range': `bytes */${size}` },
    });
  const { first, last } = part ?? { first: 0, last: size - 1 };
  if (part) reply.code(206).header('content-range', `bytes ${first}-${last}/${size}`);
  reply.type(media_type).header('content-length', last + 1 - first);
  // A stream leaves Content-Length as it is; the empty one reads nothing.
  return reply.send(request.method === 'HEAD' ? Readable.from([]) : open({ first, last }));
}
