import { crc32, deflateSync } from 'node:zlib';
import { encodeQR } from 'qr';

/** Light modules around the code, as its standard asks for. */
const QUIET_ZONE = 4;
/** Pixels a module: large enough for a screen of any density, and never blurred by half pixels. */
const PIXELS = 10;

/** Rows of modules, true where dark, with the quiet zone. */
export const qrModules = (message: string): boolean[][] =>
  encodeQR(message, 'raw', { ecc: 'medium', border: QUIET_ZONE });

/** An `<svg>` to put into a page, with its quiet zone; scales without loss. */
export const qrSvg = (message: string): string =>
  encodeQR(message, 'svg', { ecc: 'medium', border: QUIET_ZONE });

/** Black and white PNG, one bit a pixel. */
export function qrPng(message: string): Buffer {
  const modules = qrModules(message);
  const size = modules.length * PIXELS;
  const rows = modules.flatMap((line) => {
    // The filter's byte (none), then eight pixels a byte, the leftmost highest; 1 is light.
    const row = Buffer.alloc(1 + Math.ceil(size / 8), 0xff).fill(0, 0, 1);
    for (let pixel = 0; pixel < size; pixel += 1) {
      const index = 1 + (pixel >> 3);
      if (line[Math.floor(pixel / PIXELS)]) row[index] = (row[index] ?? 0) & ~(0x80 >> (pixel & 7));
    }
    return Array.from({ length: PIXELS }, () => row);
  });

  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header[8] = 1; // bit depth; the rest is 0: greyscale, deflate, no interlace
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(data.length, 0);
  typed.copy(framed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
}
