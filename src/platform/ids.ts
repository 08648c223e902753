import { randomFillSync } from 'node:crypto';

/** Random bytes, drawn for 512 ids at a time: a system call for each id would cost more than the rest. */
const pool = Buffer.allocUnsafe(512 * 8);
let drawn = pool.length;

let lastMs = 0;
let counter = 0;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * A new UUIDv7 (RFC 9562): milliseconds, then a counter of 12 bits that makes the ids of this
 * process rise within one too, then 62 random bits. Rising ids fill index pages in order.
 */
export function newId(): string {
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastMs += 1; // more than four million a second: ahead of the clock by a millisecond
    counter = 0;
  }
  if (drawn === pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const count = counter.toString(16).padStart(3, '0');
  let random = HEX[(Number(pool[drawn]) & 0x3f) | 0x80] as string;
  for (let index = 1; index < 8; index += 1) random += HEX[pool[drawn + index] as number];
  drawn += 8;
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${random.slice(0, 4)}-${random.slice(4)}`;
}
