import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { varyBy } from '../formats/media-types.ts';
import { entityTag, isKnown } from './etag.ts';

const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const ENCODERS: Record<string, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, QUALITY),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
  identity: async (bytes) => bytes,
};
/** Dearest first: that is what decides where the client has no wish of its own. */
const ENCODINGS = Object.keys(ENCODERS);

interface WishfulNegotiator {
  encodings(available: string[], options: { preferred: string[] }): string[];
}

/** Text that many ask for; each encoding is made once, when somebody first wants it. */
export interface CompressedText {
  type: string;
  /** Of the text as it is; what is sent has a tag of its own for each encoding. */
  tag: string;
  in(encoding: string): Promise<Buffer>;
}

type Encode = (encoding: string) => Promise<Buffer> | undefined;

function once(type: string, bytes: Buffer, encode: Encode): CompressedText {
  const made = new Map<string, Promise<Buffer>>();
  return {
    type,
    tag: entityTag(bytes),
    in(encoding) {
      const before = made.get(encoding) ?? encode(encoding);
      if (!before) throw new Error(`There is no encoding ${encoding}.`);
      made.set(encoding, before);
      return before;
    },
  };
}

export function compressedText(type: string, text: string | Buffer): CompressedText {
  const bytes = Buffer.from(text);
  return once(type, bytes, (encoding) => ENCODERS[encoding]?.(bytes));
}

const SUFFIXES: Record<string, string> = { br: '.br', gzip: '.gz', identity: '' };

/** A file that has its encodings beside it, as `{name}.br` and `{name}.gz`. */
export async function compressedFile(type: string, location: URL): Promise<CompressedText> {
  return once(type, await readFile(location), (encoding) =>
    readFile(`${fileURLToPath(location)}${SUFFIXES[encoding]}`),
  );
}

/** Sends `text` in the encoding that Accept-Encoding likes best, under its tag, or 304. */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: CompressedText,
): Promise<FastifyReply> {
  const wish = request.headers['accept-encoding'];
  const negotiator: WishfulNegotiator = new Negotiator({
    headers: wish === undefined ? {} : { 'accept-encoding': wish },
  });
  const [encoding = 'identity'] = negotiator.encodings(ENCODINGS, { preferred: ENCODINGS });
  const isPlain = encoding === 'identity';
  const tag = isPlain ? text.tag : text.tag.replace(/"$/, `-${encoding}"`);
  varyBy(reply, 'Accept-Encoding');
  reply.header('etag', tag);
  if (isKnown(request, tag)) return reply.code(304).send();
  if (!isPlain) reply.header('content-encoding', encoding);
  return reply.type(text.type).send(await text.in(encoding));
}
