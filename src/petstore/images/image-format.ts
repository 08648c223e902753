/** The formats that are taken, by what the bytes are. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/**
 * What image the bytes are, whole and from their first to their last; undefined for anything else,
 * an image with something else behind it included. The structure is walked, nothing is decoded.
 */
export function imageType(bytes: Buffer): ImageType | undefined {
  try {
    return FORMATS.find(([, isWhole]) => isWhole(bytes))?.[0];
  } catch (error) {
    if (error instanceof RangeError) return undefined; // it ends too early
    throw error;
  }
}

/** Pieces that are gone through at most: ten MiB of empty ones would take long, and no image has so many. */
const MAX_CHUNKS = 10_000;
const MAX_GIF_BLOCKS = 500_000;

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + text.length) === text;

/** Chunks, each with its length, from IHDR with a size, by way of IDAT, to IEND. */
function isPng(bytes: Buffer): boolean {
  if (!startsWith(bytes, '\x89PNG\r\n\x1a\n')) return false;
  if (!startsWith(bytes, '\0\0\0\rIHDR', 8)) return false;
  if (bytes.readUInt32BE(16) === 0 || bytes.readUInt32BE(20) === 0) return false;
  let hasData = false;
  for (let at = 8, chunks = 0; chunks < MAX_CHUNKS; chunks += 1) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (!/^[A-Za-z]{4}$/.test(name)) return false;
    at += 12 + length;
    hasData ||= name === 'IDAT';
    if (name === 'IEND') return hasData && length === 0 && at === bytes.length;
  }
  return false;
}

/** Zeros that some cameras write behind the end. */
const PADDING = 65_536;

/**
 * Segments, a frame among them, up to the first scan; and the end marker as the last bytes that are
 * not zero. What lies between is not walked: it would be most of ten MiB, byte by byte.
 */
function isJpeg(bytes: Buffer): boolean {
  if (!startsWith(bytes, '\xff\xd8\xff')) return false;
  const end = bytes.lastIndexOf('\xff\xd9', undefined, 'latin1') + 2;
  const padding = bytes.subarray(end);
  if (padding.length > PADDING || padding.some((byte) => byte !== 0)) return false;
  let hasFrame = false;
  for (let at = 2, segments = 0; segments < MAX_CHUNKS; segments += 1) {
    if (bytes[at] !== 0xff) return false;
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1; // fill byte
      continue;
    }
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd9)) return false;
    hasFrame ||= marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    const length = bytes.readUInt16BE(at + 2);
    at += 2 + length;
    if (marker === 0xda) return hasFrame && length > 2 && at < end - 2;
    if (length < 2) return false;
  }
  return false;
}

/** Blocks, each of sub-blocks with their lengths, with at least one image, up to the trailer. */
function isGif(bytes: Buffer): boolean {
  if (!startsWith(bytes, 'GIF87a') && !startsWith(bytes, 'GIF89a')) return false;
  if (bytes.readUInt16LE(6) === 0 || bytes.readUInt16LE(8) === 0) return false;
  const colors = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  let hasImage = false;
  let isInBlock = false;
  for (
    let at = 13 + colors(bytes.readUInt8(10)), blocks = 0;
    blocks < MAX_GIF_BLOCKS;
    blocks += 1
  ) {
    const byte = bytes.readUInt8(at);
    if (isInBlock) {
      isInBlock = byte > 0;
      at += 1 + byte;
      continue;
    }
    if (byte === 0x3b) return hasImage && at + 1 === bytes.length;
    if (byte !== 0x21 && byte !== 0x2c) return false;
    isInBlock = true;
    hasImage ||= byte === 0x2c;
    at += byte === 0x21 ? 2 : 11 + colors(bytes.readUInt8(at + 9));
  }
  return false;
}

/** One RIFF of the length of the file: chunks, the first of them an image or an extended header. */
function isWebp(bytes: Buffer): boolean {
  if (!startsWith(bytes, 'RIFF') || !startsWith(bytes, 'WEBPVP8', 8)) return false;
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) return false;
  let hasImage = false;
  let at = 12;
  for (let chunks = 0; at < bytes.length && chunks < MAX_CHUNKS; chunks += 1) {
    const name = bytes.toString('latin1', at, at + 4);
    if (!/^[A-Z0-9 ]{4}$/i.test(name)) return false;
    const length = bytes.readUInt32LE(at + 4);
    hasImage ||= ['VP8 ', 'VP8L', 'ANMF'].includes(name) && length > 0;
    at += 8 + length + (length % 2);
  }
  return hasImage && at === bytes.length;
}

const FORMATS: [ImageType, (bytes: Buffer) => boolean][] = [
  ['image/png', isPng],
  ['image/jpeg', isJpeg],
  ['image/gif', isGif],
  ['image/webp', isWebp],
];
