/** DER (X.690): the little of it that certificates and signatures are written in. */

/** A value with its tag and length. */
export function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  // Short form below 128, else the number of length bytes and then those.
  const head =
    length < 0x80
      ? [tag, length]
      : length < 0x100
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 0xff];
  if (length > 0xffff) throw new RangeError(`A DER value of ${length} bytes is not foreseen.`);
  return Buffer.concat([Buffer.from(head), content]);
}

export const sequence = (...members: Uint8Array[]) => der(0x30, ...members);
/** The members in the order of their encodings; that is the caller's business. */
export const set = (...members: Uint8Array[]) => der(0x31, ...members);
/** `[number]`, constructed. */
export const tagged = (number: number, ...members: Uint8Array[]) => der(0xa0 + number, ...members);
export const integer = (value: number) => der(0x02, Buffer.from([value]));
export const octets = (bytes: Uint8Array) => der(0x04, bytes);
export const utf8 = (text: string) => der(0x0c, Buffer.from(text));
export const NULL = der(0x05);

/** An object identifier in dotted form. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const groups = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) groups.unshift(0x80 | (left & 0x7f));
    return groups;
  });
  return der(0x06, Buffer.from(bytes));
}

/** UTCTime up to 2049, GeneralizedTime after that, as RFC 5280 and RFC 5652 have it; in seconds. */
export function time(date: Date): Buffer {
  const text = `${date.toISOString().slice(0, 19).replace(/\D/g, '')}Z`;
  return date.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(text.slice(2)))
    : der(0x18, Buffer.from(text));
}

/** The members of a constructed value, each whole. */
export function members(value: Uint8Array): Buffer[] {
  const found: Buffer[] = [];
  for (let at = contentOf(value).start; at < value.length; ) {
    const { end } = contentOf(value, at);
    found.push(Buffer.from(value.subarray(at, end)));
    at = end;
  }
  return found;
}

/** Where the content of the value at `at` begins and ends. */
function contentOf(bytes: Uint8Array, at = 0): { start: number; end: number } {
  const first = bytes[at + 1] ?? 0;
  if (first < 0x80) return { start: at + 2, end: at + 2 + first };
  const start = at + 2 + (first & 0x7f);
  const length = bytes.subarray(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0);
  return { start, end: start + length };
}
