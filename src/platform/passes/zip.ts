import { crc32 } from 'node:zlib';

/** A file and its checksum, which is worth keeping for one that goes into many archives. */
export interface ZipEntry {
  name: string;
  bytes: Uint8Array;
  crc: number;
}

export const zipEntry = (name: string, bytes: Uint8Array): ZipEntry => ({
  name,
  bytes,
  crc: crc32(bytes),
});

/** 1 January 1980, midnight, as MS-DOS has it: the same for every archive. */
const TIME = 0;
const DATE = 0x0021;
const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 0x0800;

/**
 * A ZIP archive of these files as they are: what takes room in a pass is compressed already, and
 * without a compressor, whose output changes with its version, the same files are the same bytes.
 */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const locals: Uint8Array[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, crc } of entries) {
    const path = Buffer.from(name);
    // What local header and directory have in common: 26 bytes from the version on.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(FLAGS, 2);
    common.writeUInt16LE(TIME, 6); // at 4 the method: 0, stored
    common.writeUInt16LE(DATE, 8);
    common.writeUInt32LE(crc, 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    const placed = Buffer.alloc(14);
    placed.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, placed, path);
    locals.push(Buffer.from('PK\x03\x04', 'latin1'), common, path, bytes);
    offset += 4 + common.length + path.length + bytes.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}
