import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTargets } from '../../src/webhooks/target.ts';

/** What no public receiver has, by IANA's registries of special-purpose addresses. */
const RESERVED_4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16
  192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3`;
/** The same, beside all that is not in 2000::/3. */
const RESERVED_6 = '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20';

describe('any address', () => {
  const words6 = (text: string): bigint => {
    const [head = '', tail = ''] = text.split('::');
    const [first, last] = [head, tail].map((part) => part.split(':').filter(Boolean));
    const words = [...(first ?? [])];
    while (words.length + (last?.length ?? 0) < 8) words.push('0');
    return [...words, ...(last ?? [])].reduce(
      (sum, word) => (sum << 16n) | BigInt(`0x${word}`),
      0n,
    );
  };
  const words4 = (text: string): bigint =>
    text.split('.').reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const networks = (text: string, size: number, parse: (text: string) => bigint) =>
    text.split(/\s+/).map((network) => {
      const [address = '', bits] = network.split('/');
      const shift = BigInt(size - Number(bits));
      return { first: parse(address), last: parse(address) + (1n << shift) - 1n };
    });
  const reserved4 = networks(RESERVED_4, 32, words4);
  const reserved6 = networks(RESERVED_6, 128, words6);
  const [global = { first: 0n, last: 0n }] = networks('2000::/3', 128, words6);
  const within = (value: bigint) => (network: { first: bigint; last: bigint }) =>
    value >= network.first && value <= network.last;

  /** Random ones, and those beside the edges of the networks. */
  const near = (size: number, edges: { first: bigint; last: bigint }[]) =>
    fc.oneof(
      fc.bigInt({ min: 0n, max: (1n << BigInt(size)) - 1n }),
      fc
        .tuple(fc.constantFrom(...edges), fc.boolean(), fc.bigInt({ min: -2n, max: 2n }))
        .map(([{ first, last }, isFirst, off]) =>
          BigInt.asUintN(size, (isFirst ? first : last) + off),
        ),
    );
  const dotted = (value: bigint) =>
    [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
  const colons = (value: bigint) =>
    Array.from({ length: 8 }, (_, at) =>
      ((value >> BigInt(112 - 16 * at)) & 65_535n).toString(16),
    ).join(':');
  const isRefused = async (host: string) =>
    (await createTargets({ NODE_ENV: 'production' }).findFault(`http://${host}/`)) !== undefined;

  it('of IPv4 is taken exactly where it is public, as it is and mapped', async () => {
    await fc.assert(
      fc.asyncProperty(near(32, reserved4), async (value) => {
        const isReserved = reserved4.some(within(value));
        expect(await isRefused(dotted(value))).toBe(isReserved);
        expect(await isRefused(`[::ffff:${dotted(value)}]`)).toBe(isReserved);
      }),
      { numRuns: 2000 },
    );
  });

  it('of IPv6 is taken exactly where it is public', async () => {
    const edges = [...reserved6, global];
    await fc.assert(
      fc.asyncProperty(near(128, edges), async (value) => {
        const isPublic = within(value)(global) && !reserved6.some(within(value));
        expect(await isRefused(`[${colons(value)}]`)).toBe(!isPublic);
      }),
      { numRuns: 2000 },
    );
  });
});
