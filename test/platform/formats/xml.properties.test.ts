import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { memberOf } from '../../../src/platform/formats/shape.ts';
import { NOT_XML } from '../../../src/platform/formats/text.ts';
import { xmlReader } from '../../../src/platform/formats/xml-reader.ts';
import { xmlWriter } from '../../../src/platform/formats/xml-writer.ts';
import { Problem } from '../../../src/platform/problems/problems.ts';
import { type Pet, petArbitrary, ROOT } from './pets.ts';

const read = xmlReader(ROOT);
const write = xmlWriter(ROOT);

/** What an XML parser of others makes of a document: its elements and texts, or that it is none. */
function eventsOf(text: string): string[] | undefined {
  const events: string[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) =>
    events.push(`<${name} ${JSON.stringify(attributes)}`),
  );
  parser.on('closetag', ({ name }) => events.push(`</${name}`));
  try {
    parser.write(text).close();
    return events;
  } catch {
    return undefined;
  }
}

const taken = (body: Buffer): { value: unknown } | undefined => {
  try {
    return { value: read(body) };
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
};

/** Pieces of which documents are made, and broken. */
const PIECES = [
  '<pet>',
  '</pet>',
  '<pet/>',
  '<name>',
  '</name>',
  '<name/>',
  '<id>',
  '</id>',
  '<tags>',
  '</tags>',
  '<tag>',
  '</tag>',
  '<photoUrls/>',
  '<category>',
  '</category>',
  '<x:y>',
  '<ä>',
  '</ä>',
  '<links>',
  '</links>',
  'a',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '1',
  '-',
  '--',
  '&amp;',
  '&#65;',
  '&#xD800;',
  '&x;',
  '&',
  ';',
  '<!--',
  '-->',
  '<!-- c -->',
  '<![CDATA[',
  ']]>',
  '<?xml version="1.0"?>',
  '<?p?>',
  '<!DOCTYPE',
  '>',
  '<',
  '/',
  '/>',
  ' a="b"',
  " a='<'",
  ' a=',
  '"',
  "'",
  'xmlns:a="b"',
  '\0',
  '\x7f',
  '\ufeff',
  '\ufffe',
  '😀',
  '__proto__',
  '<__proto__/>',
];

describe('XML', () => {
  it('that is written is read as the same pet, and by others as XML', () => {
    fc.assert(
      fc.property(petArbitrary, (pet) => {
        const text = write(pet);
        expect(read(Buffer.from(text))).toEqual(pet);
        expect(eventsOf(text)).toBeDefined();
      }),
      { numRuns: 500 },
    );
  });

  it('is whole whatever is to be written', () => {
    const anyText = fc.string({ unit: 'binary' });
    // A date that is none comes from nowhere: no database has it.
    const anything = fc
      .anything({ maxDepth: 0, withDate: true })
      .filter((value) => !(value instanceof Date && Number.isNaN(value.getTime())));
    fc.assert(
      fc.property(anyText, anything, (name, rest) => {
        const text = write({ name, photoUrls: [name], status: rest, id: name } as unknown as Pet);
        expect(eventsOf(text)).toBeDefined();
        expect(NOT_XML.test(text)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('is never taken where another parser finds no XML, and never ends in anything but a problem', () => {
    const document = fc
      .array(fc.constantFrom(...PIECES), { maxLength: 20 })
      .map((parts) => parts.join(''));
    const inside = document.map((text) => `<pet>${text}</pet>`);
    const named = document.map((text) => `<pet><name>${text}</name></pet>`);
    fc.assert(
      fc.property(fc.oneof(document, inside, named), (text) => {
        const body = Buffer.from(text);
        if (taken(body))
          expect([text, eventsOf(body.toString())]).toEqual([text, expect.anything()]);
      }),
      { numRuns: 5000 },
    );
  });

  it('reads text as another parser does', () => {
    const text = fc
      .array(
        fc.constantFrom(
          'a',
          ' ',
          '\n',
          '\r\n',
          '\r',
          ']',
          '>',
          '&lt;',
          '&#13;',
          '&#x41;',
          '<!-- c -->',
          '<![CDATA[<&\r\n]]>',
          '😀',
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (inner) => {
        const whole = `<pet><name>${inner}</name></pet>`;
        let expected = '';
        const parser = new SaxesParser();
        parser.on('text', (part) => (expected += part));
        parser.on('cdata', (part) => (expected += part));
        try {
          parser.write(whole).close();
        } catch {
          return;
        }
        expect(read(Buffer.from(whole))).toEqual({ name: expected });
      }),
      { numRuns: 1000 },
    );
  });

  it('of any bytes is a value or a problem', () => {
    const cut = fc
      .tuple(petArbitrary, fc.nat(), fc.uint8Array({ maxLength: 4 }))
      .map(([pet, at, bytes]) => {
        const whole = Buffer.from(write(pet));
        const index = at % whole.length;
        return Buffer.concat([
          whole.subarray(0, index),
          bytes,
          whole.subarray(index + bytes.length),
        ]);
      });
    fc.assert(
      fc.property(
        fc.oneof(
          cut,
          fc.uint8Array().map((bytes) => Buffer.from(bytes)),
        ),
        (body) => {
          taken(body);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('with one member names any root', () => {
    const shape = { type: 'string', xml: { name: 'string' } };
    const root = memberOf(shape, {}, 'a string');
    expect(xmlReader(root)(Buffer.from(xmlWriter(root)('a <b>')))).toBe('a <b>');
  });
});
