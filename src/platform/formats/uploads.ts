import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { type Fault, invalidRequest, Problem } from '../problems/problems.ts';
import { parseText } from '../http/validation.ts';
import { protoMember } from './json-reader.ts';
import { MULTIPART } from './media-types.ts';
import { isFile, type Schema } from './shape.ts';

/** A file as it came. What the client says of it is not to be believed. */
export class UploadedFile {
  readonly bytes: Buffer;
  /** Its declared name: without directories and control characters, at most 255 characters. */
  readonly name: string | undefined;
  /** Its declared media type. */
  readonly type: string | undefined;

  constructor(bytes: Buffer, name?: string, type?: string) {
    this.bytes = bytes;
    this.name = plainName(name);
    this.type = type;
  }

  /** Tells files apart without writing their bytes out. */
  toJSON() {
    return { name: this.name, type: this.type, sha256: hash('sha256', this.bytes) };
  }
}

/** The member of a body schema that is a file; the route's `bodyLimit` is the most it may have. */
export const FileUpload = (description = 'The file.') =>
  Type.Unsafe<UploadedFile>({ contentMediaType: 'application/octet-stream', description });

export interface UploadOptions {
  /** The members of the body. */
  properties: Record<string, Schema>;
  /** Bytes of the file. */
  limit: number;
  /** Milliseconds until the whole body must be here. */
  deadline: number;
}

/** What a multipart body may have beside the file. */
const OVERHEAD = 65_536;
const FIELDS = 10;
const LIMITS = {
  files: 1,
  fields: FIELDS,
  parts: FIELDS + 1,
  fieldSize: 16_384,
  headerPairs: 20,
  headerSize: 8_192,
};

const tooLarge = (limit: number) =>
  new Problem('body-too-large', `The file is larger than ${limit} bytes.`);
const tooMany = () =>
  invalidRequest([{ pointer: '', detail: `must have at most one file and ${FIELDS} fields` }]);
const broken = (reason: string) =>
  new Problem('malformed-body', `The body is not ${MULTIPART}: ${reason}.`);

/** The chunks of a body of at most `limit` bytes. An answer can still be sent where it is not. */
async function* chunksOf(body: Readable, limit: number, refuse: () => Problem) {
  let size = 0;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      size += (chunk as Buffer).length;
      if (size > limit) throw refuse();
      yield chunk as Buffer;
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('malformed-body', 'The body ended too early.');
  }
}

async function readOctets(body: Readable, file: string, limit: number) {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(body, limit, () => tooLarge(limit))) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return bytes.length > 0 ? { [file]: new UploadedFile(bytes) } : {};
}

/** The last step of a path in either spelling, so that it leads nowhere. */
function plainName(name: string | undefined): string | undefined {
  const plain = name?.split(/[\\/]/).at(-1)?.replace(/\p{C}/gu, '').slice(0, 255);
  return plain === undefined || /^\.{0,2}$/.test(plain) ? undefined : plain;
}

async function readMultipart(body: Readable, contentType: string, options: UploadOptions) {
  const { properties, limit } = options;
  const value: Record<string, unknown> = {};
  const faults: Fault[] = [];
  let problem: Problem | undefined;
  const fail = (reason: Problem) => {
    problem ??= reason;
  };

  let parser: BusboyInstance;
  try {
    const headers = { 'content-type': contentType };
    parser = new Busboy({ headers, limits: { ...LIMITS, fileSize: limit } });
  } catch {
    throw broken('Content-Type has no boundary');
  }
  const take = (name: string | undefined, member: unknown) => {
    if (name === undefined) return fail(broken('a part has no name'));
    if (name === '__proto__') return fail(protoMember());
    if (Object.hasOwn(value, name))
      faults.push({ pointer: `/${name}`, detail: 'stands here more than once' });
    value[name] = member;
  };
  parser.on('field', (name, text, _isNameCut, isCut) => {
    const schema = properties[name];
    if (isFile(schema))
      faults.push({ pointer: `/${name}`, detail: 'must be a part with a filename' });
    else if (isCut) faults.push({ pointer: `/${name}`, detail: 'is too long' });
    take(name, schema ? parseText(schema, text) : true);
  });
  parser.on('file', (name, stream, fileName, _encoding, type) => {
    const chunks: Buffer[] = [];
    stream.on('error', () => fail(broken('it ends too early')));
    stream.on('limit', () => fail(tooLarge(limit)));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const isWanted = isFile(properties[name]);
      // A form whose file was not chosen sends one without name and content.
      if (bytes.length > 0 || !isWanted)
        take(name, isWanted ? new UploadedFile(bytes, fileName, type) : true);
    });
  });
  for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(event, () => fail(tooMany()));
  parser.on('error', () => fail(broken('it ends too early')));

  const done = finished(parser).catch(() => fail(broken('it ends too early')));
  for await (const chunk of chunksOf(body, limit + OVERHEAD, () => tooLarge(limit))) {
    await new Promise((resolve) => parser.write(chunk, resolve));
    if (problem) throw problem;
  }
  parser.end();
  await done;
  if (problem) throw problem;
  if (faults.length > 0) throw invalidRequest(faults);
  return value;
}

/**
 * Reads a body that is a file, or a multipart form with one, as the object that the schema
 * describes. Every limit holds while the bytes come in; a length that is announced and too large is
 * refused before the first.
 */
export async function readUpload(
  request: FastifyRequest,
  body: Readable,
  options: UploadOptions,
): Promise<Record<string, unknown>> {
  const { limit, deadline, properties } = options;
  const contentType = request.headers['content-type'] ?? '';
  const isMultipart = request.mediaType === MULTIPART;
  if (Number(request.headers['content-length']) > limit + (isMultipart ? OVERHEAD : 0))
    throw tooLarge(limit);
  const file = Object.keys(properties).find((name) => isFile(properties[name])) ?? '';
  const reading = isMultipart
    ? readMultipart(body, contentType, options)
    : readOctets(body, file, limit);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const seconds = deadline / 1000;
    const problem = () => new Problem('request-timeout', `The file took more than ${seconds} s.`);
    timer = setTimeout(() => reject(problem()), deadline);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
    // Where it was late, this ends with the connection.
    reading.catch(() => undefined);
  }
}
