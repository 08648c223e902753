import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { entityTag } from '../http/etag.ts';
import { Problem } from '../problems/problems.ts';
import { formReader } from './form-reader.ts';
import type { BodyReader } from './json-reader.ts';
import {
  either,
  FORM,
  JSON_TYPE,
  MULTIPART,
  OCTETS,
  preferred,
  varyByAccept,
  XML,
} from './media-types.ts';
import { leavesOf, memberOf, type Schema } from './shape.ts';
import { couldHoldNonXml } from './text.ts';
import { readUpload, type UploadOptions } from './uploads.ts';
import { xmlReader } from './xml-reader.ts';
import { type XmlWriter, xmlWriter } from './xml-writer.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** An absent body is an empty one. */
    optionalBody?: boolean;
    /** Made by `speakFormats`. */
    formats?: RouteFormats;
  }
}

/** What a route takes and gives, and how it is read and written. */
interface RouteFormats {
  consumes: readonly string[];
  produces: readonly string[];
  readers: Map<string, BodyReader>;
  /** By status. */
  writers: Map<string, XmlWriter>;
  /** The answer is a bare string. */
  isText: boolean;
  upload?: UploadOptions;
}

const CONSUMED = [JSON_TYPE, XML, FORM];
const PRODUCED = [JSON_TYPE, XML];
const JSON_ANSWER = 'application/json; charset=utf-8';
const XML_ANSWER = 'application/xml; charset=utf-8';

export interface FormatOptions {
  /** Milliseconds until an upload must be here. */
  uploadDeadline?: number;
}

/** The responses of a route that are one schema, by status: no `content`, and not nothing. */
const answersOf = ({ schema }: RouteOptions): [string, Schema][] =>
  Object.entries((schema?.response ?? {}) as Record<string, Schema>).filter(
    ([, answer]) => answer['content'] === undefined && answer.type !== 'null',
  );

/** Fills what the route does not say, so that the document lists it. */
function formatsOf(route: RouteOptions, uploadDeadline: number): RouteFormats {
  const schema = (route.schema ??= {});
  const body = schema.body as Schema | undefined;
  if (body) schema.consumes ??= CONSUMED;
  if (answersOf(route).length > 0) schema.produces ??= PRODUCED;
  const { consumes = [], produces = [] } = schema;
  const isUpload = [OCTETS, MULTIPART].some((type) => consumes.includes(type));
  const { properties = {} } = body ?? {};
  return {
    consumes,
    produces,
    readers: new Map(),
    writers: new Map(),
    isText: answersOf(route).some(([, { type }]) => type === 'string'),
    ...(isUpload && {
      upload: { properties, limit: route.bodyLimit ?? 1_048_576, deadline: uploadDeadline },
    }),
  };
}

/** Compiles readers and writers, now that every shared schema is there. */
function compile(route: RouteOptions, formats: RouteFormats, shared: Record<string, unknown>) {
  const where = `${route.method} ${route.url}`;
  const rootOf = (schema: Schema, part: string) => {
    const root = memberOf(schema, shared, where);
    if (root.element === '') throw new Error(`${where}: the schema of its ${part} needs xml.name`);
    return root;
  };
  const body = route.schema?.body as Schema | undefined;
  if (body && !formats.upload) {
    const root = memberOf(body, shared, where);
    for (const { pointer, schema } of leavesOf(root.shape))
      if (schema.type === 'string' && couldHoldNonXml(schema))
        throw new Error(`${where}: ${pointer} could hold characters that XML cannot; use Text`);
    if (formats.consumes.includes(XML)) formats.readers.set(XML, xmlReader(rootOf(body, 'body')));
    if (formats.consumes.includes(FORM)) formats.readers.set(FORM, formReader(root));
  }
  for (const [status, schema] of answersOf(route)) {
    if (!formats.produces.includes(XML)) continue;
    formats.writers.set(status, xmlWriter(rootOf(schema, `answer ${status}`)));
  }
}

/** Refuses a body of another format before it is read. */
function checkContentType(request: FastifyRequest, { consumes }: RouteFormats): void {
  const { headers, mediaType } = request;
  const hasBody =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody || consumes.length === 0) return;
  const accept = { headers: { accept: consumes.join(', ') } };
  if (mediaType === undefined || !consumes.includes(mediaType))
    throw new Problem('unsupported-media-type', `Send the body as ${either(consumes)}.`, accept);
  const [, charset = 'utf-8'] =
    /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(`${headers['content-type']}`) ?? [];
  if (!/^utf-?8$/i.test(charset))
    throw new Problem('unsupported-media-type', 'Send the body in UTF-8.', accept);
}

/** Chooses the format of the answer. */
function chooseAnswer(request: FastifyRequest, reply: FastifyReply, formats: RouteFormats): void {
  const { produces, writers, isText } = formats;
  if (produces.length === 0) return;
  if (produces.length > 1) varyByAccept(reply);
  const type = preferred(request.headers.accept, produces);
  if (type === undefined)
    throw new Problem('not-acceptable', `This operation answers in ${either(produces)} only.`);
  const writeXml = (value: unknown) => {
    const write = writers.get(`${reply.statusCode}`);
    if (!write) throw new Error(`The route has no schema for its answer ${reply.statusCode}.`);
    return write(value);
  };
  if (type === XML) reply.type(XML_ANSWER).serializer(writeXml);
  // A bare string would be sent as it is.
  else if (isText) reply.type(JSON_ANSWER).serializer(JSON.stringify);
}

/**
 * Routes of `app` take and give every format that their `schema.consumes` and `schema.produces` list:
 * JSON, XML and forms in, JSON and XML out, unless they say other. One body schema and one response
 * schema hold for all. Call it before the routes, and after the hook that authenticates.
 */
export function speakFormats(
  app: FastifyInstance,
  { uploadDeadline = 25_000 }: FormatOptions = {},
) {
  app.addHook('onRoute', function collect(route) {
    const formats = formatsOf(route, uploadDeadline);
    route.config = { ...route.config, formats };
    this.addHook('onReady', async () => compile(route, formats, this.getSchemas()));
  });
  app.addHook('onRequest', async (request, reply) => {
    const { formats } = request.routeOptions.config;
    if (!formats) return;
    chooseAnswer(request, reply, formats);
    checkContentType(request, formats);
  });
  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.config.optionalBody) request.body ??= {};
  });
  for (const type of [XML, FORM])
    app.addContentTypeParser<Buffer>(type, { parseAs: 'buffer' }, (request, body, done) => {
      const read = request.routeOptions.config.formats?.readers.get(type);
      done(null, body.length > 0 ? read?.(body) : undefined);
    });
  for (const type of [OCTETS, MULTIPART])
    app.addContentTypeParser(type, async (request: FastifyRequest, body: Readable) => {
      const upload = request.routeOptions.config.formats?.upload;
      return upload && readUpload(request, body, upload);
    });
}

const tagged = new WeakMap<Schema, XmlWriter>();

/** The entity tags of a resource in JSON and in XML, by its response schema: either is its tag. */
export function tagsOf(reply: FastifyReply, resource: object, schema: Schema): string[] {
  const json = reply.serializeInput({ ...resource }, schema) as string;
  const shared = reply.server.getSchemas();
  const write = tagged.get(schema) ?? xmlWriter(memberOf(schema, shared, 'If-Match'));
  tagged.set(schema, write);
  return [json, write(resource)].map(entityTag);
}
