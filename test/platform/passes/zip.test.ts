import { unzipSync } from 'fflate';
import { assert, array, property, record, string, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zip, zipEntry } from '../../../src/platform/passes/zip.ts';

const file = record({
  name: string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter(
    (name) => name !== '__proto__' && name.isWellFormed(),
  ),
  bytes: uint8Array({ maxLength: 3000 }),
});

describe('an archive', () => {
  it('is read as what was put in, by another reader', () => {
    assert(
      property(array(file, { maxLength: 20 }), (files) => {
        const unique = [...new Map(files.map((each) => [each.name, each])).values()];
        const archive = zip(unique.map(({ name, bytes }) => zipEntry(name, bytes)));
        expect(unzipSync(archive)).toEqual(
          Object.fromEntries(unique.map(({ name, bytes }) => [name, Uint8Array.from(bytes)])),
        );
      }),
    );
  });

  it('has the checksum of each file in its place', () => {
    const archive = zip([zipEntry('a', Buffer.from('content'))]);
    // Local header: signature, 10 bytes, then the checksum, CRC-32.
    expect(archive.readUInt32LE(14)).toBe(0xfec530a9);
  });
});
