import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { imageType } from '../../src/petstore/images/image-format.ts';
import { GIF, IMAGES, JPEG, png, WEBP } from './images.ts';

const HTML = '<script>alert(document.domain)</script>';
const ZIP = 'PK\x03\x04\x14\0\0\0\0\0';

describe('what the bytes are', () => {
  it.each(IMAGES)('%s', (type, bytes) => {
    expect(imageType(bytes)).toBe(type);
  });

  it.each(IMAGES)('%s is nothing when a byte of its end is missing', (_type, bytes) => {
    for (let length = 0; length < bytes.length; length++)
      expect(imageType(bytes.subarray(0, length))).toBeUndefined();
  });

  it.each(IMAGES)('%s with something behind it is nothing', (_type, bytes) => {
    for (const tail of [HTML, ZIP, '%PDF-1.7', ' ', 'MZ'])
      expect(imageType(Buffer.concat([bytes, Buffer.from(tail, 'latin1')]))).toBeUndefined();
  });

  it('a JPEG may have zeros behind it, as cameras write them', () => {
    expect(imageType(Buffer.concat([JPEG, Buffer.alloc(1000)]))).toBe('image/jpeg');
    expect(imageType(Buffer.concat([JPEG, Buffer.alloc(100_000)]))).toBeUndefined();
  });

  it.each([
    ['HTML', HTML],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['a script that begins like a GIF', 'GIF89a/*\0\0*/=1;alert(1)//;'],
    ['a script that begins like a BMP', 'BM=1;alert(1)'],
    ['a PNG signature and a page', `\x89PNG\r\n\x1a\n${HTML}`],
    ['a JPEG marker and a page', `\xff\xd8\xff${HTML}`],
    ['a RIFF that is no WebP', 'RIFF\x04\0\0\0WAVE'],
    ['an empty WebP', 'RIFF\x04\0\0\0WEBP'],
    ['nothing', ''],
    ['an archive', ZIP],
  ])('%s is no image', (_what, text) => {
    expect(imageType(Buffer.from(text, 'latin1'))).toBeUndefined();
  });

  it('a comment within an image is part of it', () => {
    expect(imageType(png(HTML))).toBe('image/png');
  });

  it('an image without size is none', () => {
    const flat = png();
    flat.writeUInt32BE(0, 16);
    expect(imageType(flat)).toBeUndefined();
    const thin = Buffer.from(GIF);
    thin.writeUInt16LE(0, 6);
    expect(imageType(thin)).toBeUndefined();
  });

  it('never throws, and never runs on, whatever the bytes are', () => {
    const mutated = fc
      .tuple(
        fc.constantFrom(png(), GIF, JPEG, WEBP),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
        fc.uint8Array({ maxLength: 40 }),
      )
      .map(([image, changes, tail]) => {
        const bytes = Buffer.concat([image, tail]);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        return bytes;
      });
    fc.assert(
      fc.property(mutated, (bytes) => {
        imageType(bytes);
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['PNG', png().subarray(0, 33), [0, 0, 0, 0, 0x74, 0x45, 0x58, 0x74, 0, 0, 0, 0]],
    ['JPEG', JPEG.subarray(0, 2), [0xff, 0xfe, 0, 2]],
    ['GIF', Buffer.concat([GIF.subarray(0, -1), Buffer.from([0x21, 1])]), [1, 1]],
  ])('a %s of millions of empty pieces is none', (_format, head, piece) => {
    const pieces = Buffer.alloc(10 * 1024 * 1024, Buffer.from(piece));
    const tail = Buffer.from([0, 0x3b, 0xff, 0xd9]);
    expect(imageType(Buffer.concat([head, pieces, tail]))).toBeUndefined();
  });
});
