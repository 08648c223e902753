import type { Static } from '@sinclair/typebox';
import fc from 'fast-check';
import { memberOf } from '../../../src/platform/formats/shape.ts';
import { NOT_XML } from '../../../src/platform/formats/text.ts';
import { Pet as PetSchema, Tag } from './service.ts';

export type Pet = Static<typeof PetSchema>;
export const ROOT = memberOf(PetSchema, { Tag }, 'Pet');

/** Text that every format can hold, with a liking for what they have to escape. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .string({ unit: 'binary' })
    .map((each) =>
      each
        .toWellFormed()
        .replaceAll(/[^]/gu, (character) => (NOT_XML.test(character) ? '' : character)),
    ),
  fc
    .array(
      fc.constantFrom(
        '<',
        '>',
        '&',
        '"',
        "'",
        ']]>',
        '&amp;',
        '<!--',
        '\r',
        '\n',
        '\t',
        ' ',
        '😀',
        '\u0085',
        '\u2028',
        '=',
        '%',
        '+',
        '[',
        '{',
        '.',
      ),
    )
    .map((parts) => parts.join('')),
);
const id = fc.oneof(
  fc.maxSafeInteger(),
  fc.constantFrom(0, 1, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
);
const weight = fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0);

export const petArbitrary: fc.Arbitrary<Pet> = fc.record(
  {
    id,
    name: text.filter((each) => each !== ''),
    category: fc.record({ id, name: text }, { requiredKeys: [] }),
    photoUrls: fc.array(text, { maxLength: 4 }),
    tags: fc.array(fc.record({ id, name: text }, { requiredKeys: [] }), { maxLength: 4 }),
    status: fc.constantFrom('available', 'pending', 'sold'),
    weight,
    tame: fc.boolean(),
  },
  { requiredKeys: ['name', 'photoUrls'], noNullPrototype: true },
) as fc.Arbitrary<Pet>;
