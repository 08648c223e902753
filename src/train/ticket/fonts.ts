import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { create, type Font } from 'fontkit';

export type Weight = 'regular' | 'bold';

/** A font for some characters. */
interface Face {
  font: Font;
  /**
   * True for the compressed slices of a Chinese font, which cannot be embedded in parts: their
   * characters are drawn as shapes, and thicker, since these are the thin ones of their family.
   */
  isDrawn: boolean;
}

/** Text that one font has. */
export interface Run {
  face: Face;
  text: string;
}

interface Slice {
  /** Code points, in pairs of first and last. */
  ranges: [first: number, last: number][];
  load: () => Face;
}

/** Where a package of fonts has its files. */
const directoryOf = (file: string) => new URL('./', file);

/** The parts that a package splits its font into, read when a character of theirs is wanted. */
function slices(directory: URL, load: (name: string) => Face): Slice[] {
  const table = JSON.parse(readFileSync(new URL('../unicode.json', directory), 'utf8'));
  return Object.entries<string>(table).map(([name, ranges]) => {
    let face: Face | undefined;
    return {
      ranges: ranges.split(',').map((range) => {
        const [first = 0, last = first] = range
          .slice(2)
          .split('-')
          .map((hex) => Number.parseInt(hex, 16));
        return [first, last];
      }),
      load: () => (face ??= load(name.replace(/[[\]]/g, ''))),
    };
  });
}

// Latin, Greek, Cyrillic, Vietnamese and Devanagari.
const noto = directoryOf(
  import.meta.resolve('@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff'),
);
// Han and kana.
const chinese = directoryOf(
  import.meta.resolve(
    '@fontsource-variable/noto-sans-sc/files/noto-sans-sc-latin-wght-normal.woff2',
  ),
);

const drawnSlices = slices(chinese, (name) => ({
  font: open(readFileSync(new URL(`noto-sans-sc-${name}-wght-normal.woff2`, chinese))),
  isDrawn: true,
}));
const slicesOf = (weight: number) => [
  ...slices(noto, (name) => ({
    font: open(unpackWoff(readFileSync(new URL(`noto-sans-${name}-${weight}-normal.woff`, noto)))),
    isDrawn: false,
  })),
  ...drawnSlices,
];
const SLICES: Record<Weight, Slice[]> = { regular: slicesOf(400), bold: slicesOf(700) };

const open = (file: Buffer): Font => create(file) as Font;

/** U+FFFD stands for a character that no font has. */
const UNKNOWN = '\ufffd';

type Faces = Map<string, Face | undefined>;
const faces: Record<Weight, Faces> = { regular: new Map(), bold: new Map() };

function findFace(character: string, weight: Weight): Face | undefined {
  const known = faces[weight];
  if (!known.has(character)) known.set(character, searchFace(character, weight));
  return known.get(character);
}

function searchFace(character: string, weight: Weight): Face | undefined {
  const point = character.codePointAt(0) ?? 0;
  for (const { ranges, load } of SLICES[weight]) {
    if (!ranges.some(([first, last]) => first <= point && point <= last)) continue;
    const face = load();
    if (face.font.hasGlyphForCodePoint(point)) return face;
  }
  return undefined;
}

/** Splits text into what each font has. Marks without a shape of their own are left out. */
export function runsOf(text: string, weight: Weight): Run[] {
  const runs: Run[] = [];
  for (const each of text.normalize('NFC').replace(/\s/gu, ' ')) {
    const own = findFace(each, weight);
    if (!own && /\p{Cf}|\p{Mn}/u.test(each)) continue;
    const [character, face] = own ? [each, own] : [UNKNOWN, findFace(UNKNOWN, weight)];
    if (!face) throw new Error('The fonts are not complete.');
    const last = runs.at(-1);
    if (last?.face === face) last.text += character;
    else runs.push({ face, text: character });
  }
  return runs;
}

const widths: Record<Weight, Map<string, number>> = { regular: new Map(), bold: new Map() };

/** How far a character moves on, in parts of its size; without kerning, near enough to break lines. */
export function widthOf(character: string, weight: Weight): number {
  const known = widths[weight].get(character);
  if (known !== undefined) return known;
  let width = 0;
  for (const { face, text } of runsOf(character, weight))
    for (const each of text)
      width +=
        face.font.glyphForCodePoint(each.codePointAt(0) ?? 0).advanceWidth / face.font.unitsPerEm;
  widths[weight].set(character, width);
  return width;
}

/**
 * The plain font inside a WOFF file: a PDF takes its parts from that, and inflates each table once.
 * https://www.w3.org/TR/WOFF/
 */
function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const font = Buffer.alloc(woff.readUInt32BE(16));
  woff.copy(font, 0, 4, 8); // the kind of font
  font.writeUInt16BE(count, 4);
  let free = 12 + count * 16;
  for (let index = 0; index < count; index += 1) {
    const from = 44 + index * 20;
    const [offset, packed, length] = [4, 8, 12].map((at) => woff.readUInt32BE(from + at));
    if (offset === undefined || packed === undefined || length === undefined) break;
    const data = woff.subarray(offset, offset + packed);
    (packed < length ? inflateSync(data) : data).copy(font, free);
    const to = 12 + index * 16;
    woff.copy(font, to, from, from + 4); // tag
    woff.copy(font, to + 4, from + 16, from + 20); // checksum
    font.writeUInt32BE(free, to + 8);
    font.writeUInt32BE(length, to + 12);
    free += (length + 3) & ~3;
  }
  return font;
}
