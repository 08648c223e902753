import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseRange } from '../../src/petstore/images/range.ts';

it.each([
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=0-9', { first: 0, last: 9 }],
  ['bytes=60-', { first: 60, last: 69 }],
  ['bytes=60-1000', { first: 60, last: 69 }],
  ['bytes=69-69', { first: 69, last: 69 }],
  ['bytes=-10', { first: 60, last: 69 }],
  ['bytes=-1000', { first: 0, last: 69 }],
  ['Bytes= 0-9 ', { first: 0, last: 9 }],
  ['bytes=70-', 'unsatisfiable'],
  ['bytes=999999999999999-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=9-5', undefined],
  ['bytes=-', undefined],
  ['bytes=a-b', undefined],
  ['bytes=0-1,5-6', undefined],
  ['bytes=1.5-2', undefined],
  ['lines=0-9', undefined],
  ['', undefined],
])('%s of 70 bytes', (header, range) => {
  expect(parseRange(header, 70)).toEqual(range);
});

it('never leaves the bytes', () => {
  const header = fc.oneof(
    fc.tuple(fc.nat(), fc.nat()).map(([from, to]) => `bytes=${from}-${to}`),
    fc.nat().map((from) => `bytes=${from}-`),
    fc.nat().map((length) => `bytes=-${length}`),
    fc.string(),
  );
  fc.assert(
    fc.property(header, fc.integer({ min: 1, max: 1_000_000 }), (text, size) => {
      const range = parseRange(text, size);
      if (range === undefined || range === 'unsatisfiable') return;
      expect(range.first).toBeGreaterThanOrEqual(0);
      expect(range.last).toBeGreaterThanOrEqual(range.first);
      expect(range.last).toBeLessThan(size);
    }),
  );
});
