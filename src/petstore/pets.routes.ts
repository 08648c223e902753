import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { batchById } from '../platform/database/batch.ts';
import type { Db } from '../platform/database/database.ts';
import { headersNamed } from '../platform/documents/headers.ts';
import { problemResponses } from '../platform/documents/problem-responses.ts';
import { notModified, requireMatch, sendTagged } from '../platform/http/etag.ts';
import { tagsOf } from '../platform/formats/index.ts';
import { FORM } from '../platform/formats/media-types.ts';
import { answerOnce } from '../platform/http/idempotency.ts';
import { paginate, pageWindow } from '../platform/http/pagination.ts';
import { invalidRequest, notFound, Problem } from '../platform/problems/problems.ts';
import { callerOf } from './access.ts';
import { Nothing, problemsOfAnyAccept } from './fields.ts';
import type { PetstoreRoutes } from './index.ts';
import {
  changePet,
  deletePet,
  findPets,
  insertPet,
  listPetsByStatus,
  listPetsByTags,
  lockPet,
  type PetRow,
  updatePet,
} from './pets.queries.ts';
import {
  NewPet,
  Pet,
  PetChange,
  PetChangeQuery,
  PetParams,
  StatusQuery,
  TagsQuery,
} from './pets.schemas.ts';

export const noPet = (id: number) => notFound(`There is no pet ${id}.`);

const OUR_IMAGE = /^pets\/-?\d+\/images\/[\da-f-]{36}$/;

/** The Pet of the API; images of ours get the address that this server has now. */
const toPet = ({ id, name, category, photo_urls, tags, status }: PetRow, baseUrl: string): Pet => ({
  id,
  ...(category && { category }),
  name,
  photoUrls: photo_urls.map((url) => (OUR_IMAGE.test(url) ? `${baseUrl}/${url}` : url)),
  ...(tags && { tags }),
  ...(status && { status }),
});

/** The pet as it is stored: addresses of our images without the base that they have today. */
function toStored<T extends NewPet>(pet: T, baseUrl: string): T {
  const base = `${baseUrl}/`;
  const photoUrls = pet.photoUrls.map((url) => {
    const path = url.startsWith(base) ? url.slice(base.length) : '';
    return OUR_IMAGE.test(path) ? path : url;
  });
  return { ...pet, photoUrls };
}

const PetBody = Type.Unsafe<Pet>(Type.Ref('Pet', { description: 'The pet as it is to be.' }));
const PetAnswer = Type.Unsafe<Pet>(Type.Ref('Pet', { description: 'The pet as it is now.' }));
const TaggedPet = { ...PetAnswer, headers: headersNamed('ETag') };
const PetsAnswer = Type.Array(Type.Unsafe<Pet>(Type.Ref('Pet')), {
  xml: { name: 'pets', wrapped: true },
  description: 'The pets, by their ids; the header Link leads to the pages beside this one.',
  headers: headersNamed('Link'),
});

const secured = (scope: 'read:pets' | 'write:pets') => ({
  tags: ['pets'],
  security: [{ pets_auth: [scope] }, { api_key: [] }],
});

export const petRoutes: FastifyPluginAsyncTypebox<PetstoreRoutes> = async (
  app,
  { database, baseUrl, publicUrl },
) => {
  const { db, reads, writes } = database;
  const findPet = batchById((ids: readonly number[]) => findPets(reads, ids));

  /** Runs `change`; where If-Match was sent, on the locked pet, and only if it matches. */
  async function changeIfMatch<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    id: number,
    change: (executor: Db) => Promise<T>,
  ): Promise<T> {
    const ifMatch = request.headers['if-match'];
    if (ifMatch === undefined) return change(writes);
    return db.transaction().execute(async (tx) => {
      const row = await lockPet(tx, id);
      if (!row) throw noPet(id);
      requireMatch(ifMatch, ...tagsOf(reply, toPet(row, baseUrl), Pet));
      return change(tx);
    });
  }

  function sendPage(
    request: FastifyRequest<{ Querystring: { page?: number; limit?: number } }>,
    reply: FastifyReply,
    rows: PetRow[],
  ): Pet[] {
    const { data, links } = paginate(rows, request.query, publicUrl + request.url);
    const link = (['next', 'prev'] as const)
      .filter((rel) => links[rel] !== undefined)
      .map((rel) => `<${links[rel]}>; rel="${rel}"`)
      .join(', ');
    if (link) reply.header('link', link);
    reply.header('cache-control', 'private, no-cache');
    return data.map((row) => toPet(row, baseUrl));
  }

  app.post(
    '/pets',
    {
      config: { access: 'write:pets' },
      schema: {
        operationId: 'addPet',
        summary: 'Add a new pet to the store',
        description:
          'Adds a pet and answers it as it is stored. Send no `id` and it is given a free one; send one that is taken and the answer is 409. Category and tags are part of the pet: their names and numbers are yours to choose. `photoUrls` takes the addresses of pictures, and may be empty; a picture that is to be stored here is uploaded afterwards.',
        ...secured('write:pets'),
        body: NewPet,
        response: { 200: PetAnswer, ...problemResponses(400, 401, 403, 'id-taken', 413, 415, 422) },
      },
    },
    async (request, reply) =>
      answerOnce(database, callerOf(request), request, reply, (commit) =>
        commit(async (executor) => {
          const row = await insertPet(executor, toStored(request.body, baseUrl));
          if (!row) throw new Problem('id-taken', `There is a pet ${request.body.id} already.`);
          return { status: 200, resource: toPet(row, baseUrl) };
        }),
      ),
  );

  app.put(
    '/pets',
    {
      config: { access: 'write:pets' },
      schema: {
        operationId: 'updatePet',
        summary: 'Update an existing pet by id',
        description:
          'Replaces the whole pet: an optional member that is left out is removed. An uploaded image whose address is no longer among the `photoUrls` is deleted for good. An `id` that no pet has is 404; no pet is made.',
        ...secured('write:pets'),
        body: PetBody,
        response: { 200: PetAnswer, ...problemResponses(400, 401, 403, 404, 412, 413, 415) },
      },
    },
    async (request, reply) => {
      const pet = toStored(request.body, baseUrl);
      const row = await changeIfMatch(request, reply, pet.id, (executor) =>
        updatePet(executor, pet),
      );
      if (!row) throw noPet(pet.id);
      return sendTagged(request, reply, toPet(row, baseUrl));
    },
  );

  app.get(
    '/pets/findByStatus',
    {
      config: { access: 'read:pets' },
      schema: {
        operationId: 'findPetsByStatus',
        summary: 'Find pets by status',
        description:
          'Lists the pets with one of the statuses, `available` unless you say other, by their ids. Give several as `status=available,pending` or as repeated parameters; what is no status is 400.',
        ...secured('read:pets'),
        querystring: StatusQuery,
        response: { 200: PetsAnswer, ...problemResponses(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const { status = ['available'] } = request.query;
      const rows = await listPetsByStatus(reads, status, pageWindow(request.query));
      return sendPage(request, reply, rows);
    },
  );

  app.get(
    '/pets/findByTags',
    {
      config: { access: 'read:pets' },
      schema: {
        operationId: 'findPetsByTags',
        summary: 'Find pets by tags',
        description:
          'Lists the pets with at least one of the tags, each pet once, by their ids. Tags are compared to the letter, by name. Give several as `tags=tag1,tag2` or as repeated parameters; none at all is 400.',
        ...secured('read:pets'),
        querystring: TagsQuery,
        response: { 200: PetsAnswer, ...problemResponses(400, 401, 403) },
      },
    },
    async (request, reply) => {
      const rows = await listPetsByTags(reads, request.query.tags, pageWindow(request.query));
      return sendPage(request, reply, rows);
    },
  );

  app.get(
    '/pets/:petId',
    {
      config: { access: 'read:pets' },
      schema: {
        operationId: 'getPetById',
        summary: 'Find a pet by id',
        description:
          'Answers one pet. Images that were uploaded to it are among its `photoUrls`, with the address that this server has now.',
        ...secured('read:pets'),
        params: PetParams,
        response: { 200: PetAnswer, ...notModified, ...problemResponses(400, 401, 403, 404) },
      },
    },
    async (request, reply) => {
      const row = await findPet(request.params.petId);
      if (!row) throw noPet(request.params.petId);
      reply.header('cache-control', 'private, no-cache');
      return sendTagged(request, reply, toPet(row, baseUrl));
    },
  );

  app.post(
    '/pets/:petId',
    {
      config: { access: 'write:pets', optionalBody: true },
      schema: {
        operationId: 'updatePetWithForm',
        summary: 'Update a pet in the store with form data',
        description:
          'Changes the name, the status, or both, and nothing else. Each may come in the form or in the query; the form wins where both have it, and neither is 400.',
        ...secured('write:pets'),
        params: PetParams,
        querystring: PetChangeQuery,
        consumes: [FORM],
        body: PetChange,
        response: { 200: TaggedPet, ...problemResponses(400, 401, 403, 404, 413, 415) },
      },
    },
    async (request, reply) => {
      const { petId } = request.params;
      const name = request.body.name ?? request.query.name;
      const status = request.body.status ?? request.query.status;
      if (name === undefined && status === undefined)
        throw invalidRequest([
          { parameter: 'name', detail: 'or status is required, in the form or in the query' },
        ]);
      const row = await changePet(writes, petId, {
        ...(name !== undefined && { name }),
        ...(status !== undefined && { status }),
      });
      if (!row) throw noPet(petId);
      return sendTagged(request, reply, toPet(row, baseUrl));
    },
  );

  app.delete(
    '/pets/:petId',
    {
      config: { access: 'write:pets' },
      schema: {
        operationId: 'deletePet',
        summary: 'Delete a pet',
        description:
          'Deletes a pet and its uploaded images for good; orders for it stay. A second time is 404.',
        ...secured('write:pets'),
        params: PetParams,
        response: {
          200: Nothing('The pet is deleted.'),
          ...problemsOfAnyAccept(400, 401, 403, 404, 412),
        },
      },
    },
    async (request, reply) => {
      const { petId } = request.params;
      const isDeleted = await changeIfMatch(request, reply, petId, (executor) =>
        deletePet(executor, petId),
      );
      if (!isDeleted) throw noPet(petId);
      return reply.send(undefined);
    },
  );
};
