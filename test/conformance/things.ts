import { Document } from './documents.ts';

export const PATH = '/v1/things/1';
export const XML_THING =
  '<?xml version="1.0" encoding="UTF-8"?>\n<thing xmlns="urn:things"><id>1</id><part><size>2</size></part></thing>';

const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const Size = { type: 'object', properties: { size: { type: 'number' } }, required: ['size'] };

/** All that the XML format can write. */
const PlainThing = {
  type: 'object',
  xml: { name: 'thing', namespace: 'urn:things' },
  properties: { id: { type: 'integer' }, part: schema('Size') },
  required: ['id'],
};

const Thing = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    since: { type: 'string', format: 'date-time' },
    state: { type: 'string', enum: ['new', 'old'] },
    part: {
      allOf: [schema('Size'), { type: 'object', properties: { unit: { type: 'string' } } }],
    },
    parts: { type: 'array', items: schema('Size') },
    owner: {
      oneOf: [
        { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        { type: 'object', properties: { company: { type: 'string' } }, required: ['company'] },
      ],
    },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    extra: {},
    password: { type: 'string', writeOnly: true },
  },
  required: ['id', 'password'],
};

const Problem = {
  type: 'object',
  properties: { title: { type: 'string' } },
  required: ['title'],
};

/** A document with everything that answers are held to. */
export const THINGS = new Document({
  openapi: '3.1.0',
  paths: {
    '/things': { post: { operationId: 'post-thing', responses: {} } },
    '/things/{id}': {
      parameters: [],
      get: {
        operationId: 'get-thing',
        responses: {
          200: { $ref: '#/components/responses/Thing' },
          204: { description: 'Nothing.' },
          '5XX': { description: 'Later.' },
        },
      },
    },
  },
  components: {
    schemas: { Size, PlainThing, Thing, Problem },
    headers: {
      ETag: { required: true, schema: { type: 'string' } },
      Count: { schema: { type: 'integer' } },
    },
    responses: {
      Thing: {
        description: 'It.',
        headers: {
          ETag: { $ref: '#/components/headers/ETag' },
          'X-Count': { $ref: '#/components/headers/Count' },
        },
        content: {
          'application/json': { schema: schema('Thing') },
          'application/xml': { schema: schema('PlainThing') },
        },
      },
    },
  },
});
