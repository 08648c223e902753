import { describe, expect, it } from 'vitest';
import { memberOf } from '../../../src/platform/formats/shape.ts';
import { xmlReader } from '../../../src/platform/formats/xml-reader.ts';
import { Problem } from '../../../src/platform/problems/problems.ts';
import { Pet, Tag } from './service.ts';

const read = xmlReader(memberOf(Pet, { Tag }, 'Pet'));
const parse = (text: string | Buffer) => read(Buffer.from(text as string));

function problemOf(text: string | Buffer): Problem {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error(`It was taken: ${text}`);
}

const pet = (inner: string) => `<pet>${inner}</pet>`;
const name = (inner: string) => pet(`<name>${inner}</name>`);

describe('XML', () => {
  it.for([
    ['an empty element', '<pet/>', {}],
    ['with white space in its tags', '<pet  >\n<name\t>a</name \n>\n</pet\n>', { name: 'a' }],
    ['with a declaration', '<?xml version="1.0"?><pet/>', {}],
    [
      'with a whole declaration',
      `<?xml  version = '1.0'\nencoding='utf-8' standalone="yes" ?>\n<pet/>`,
      {},
    ],
    ['behind a byte order mark', '\ufeff<?xml version="1.0" encoding="UTF-8"?><pet/>', {}],
    [
      'with comments',
      '<!-- <a> --><pet><!----><name>a<!-- & -->b</name></pet><!-- -->\n',
      { name: 'ab' },
    ],
    ['the five entities', name('&lt;&amp;&gt;&quot;&apos;'), { name: `<&>"'` }],
    ['entities that are not read twice', name('&amp;lt;&#38;lt;'), { name: '&lt;&lt;' }],
    ['characters by number', name('&#65;&#x1F600;&#x0000041;&#10;'), { name: 'A😀A\n' }],
    ['a CDATA section', name('a<![CDATA[<&>]] ]]>b<![CDATA[]]>'), { name: 'a<&>]] b' }],
    ['text as it is', name('  a \t\n b > "\' '), { name: '  a \t\n b > "\' ' }],
    ['line ends as line feeds', name('a\r\nb\rc&#13;'), { name: 'a\nb\nc\r' }],
    ['what any alphabet has', name('Ünïcödé 猫 🐈'), { name: 'Ünïcödé 猫 🐈' }],
    ['empty text', '<pet><name/></pet>', { name: '' }],
    ['white space as text', name(' '), { name: ' ' }],
    ['empty lists', '<pet><photoUrls/><tags></tags></pet>', { photoUrls: [], tags: [] }],
    [
      'lists',
      '<pet><photoUrls> <photoUrl>a</photoUrl><photoUrl/> </photoUrls></pet>',
      { photoUrls: ['a', ''] },
    ],
    [
      'objects',
      '<pet><category> </category><tags><tag/></tags></pet>',
      { category: {}, tags: [{}] },
    ],
    ['whole numbers', '<pet><id> -9007199254740991\n</id></pet>', { id: -9007199254740991 }],
    ['with zeros in front', '<pet><id>007</id></pet>', { id: 7 }],
    ['numbers', '<pet><weight>-1.5e2</weight></pet>', { weight: -150 }],
    ['booleans', '<pet><tame> true </tame></pet>', { tame: true }],
    [
      'prefixes that nothing uses',
      '<pet xmlns:xsi="urn:x" xmlns=""><name>a</name></pet>',
      { name: 'a' },
    ],
    ['what is ignored', '<pet><links><self>x</self>y</links></pet>', { links: true }],
  ] as const)('is read: %s', ([, text, value]) => {
    const { links, ...rest } = parse(text) as { links?: unknown };
    if (text.includes('links')) expect([links, rest]).toEqual([true, {}]);
    else expect(rest).toEqual(value);
  });

  it.for([
    ['1.9', '/id'],
    ['1.0', '/id'],
    ['1e3', '/id'],
    ['0x10', '/id'],
    ['1 2', '/id'],
    ['', '/id'],
    ['\u00a01', '/id'],
    ['NaN', '/weight'],
    ['Infinity', '/weight'],
    ['1,5', '/weight'],
    ['1e999', '/weight'],
    ['TRUE', '/tame'],
    ['1', '/tame'],
  ] as const)('text that is no value of its type stays text: %s %s', ([text, pointer]) => {
    const key = pointer.slice(1);
    expect(parse(`<pet><${key}>${text}</${key}></pet>`)).toEqual({ [key]: text });
  });

  it('a number that has no exact value goes on to the limits', () => {
    expect(parse('<pet><id>9007199254740993</id></pet>')).toEqual({ id: 9007199254740992 });
  });

  it('a member that nobody knows goes on to the schema', () => {
    expect(parse('<pet><a><b/>c<!-- --></a><constructor/><toString>x</toString></pet>')).toEqual({
      a: true,
      constructor: true,
      toString: true,
    });
  });

  it.for([
    ['a document type', '<!DOCTYPE pet><pet/>', 'document type'],
    [
      'one behind a declaration',
      '<?xml version="1.0"?>\n<!DOCTYPE pet []><pet/>',
      'line 2, column 1',
    ],
    ['one with entities', '<!DOCTYPE a [<!ENTITY b "c">]><pet>&b;</pet>', 'document type'],
    ['a document type inside', '<pet><!DOCTYPE a></pet>', 'document type'],
    ['a declaration of an entity', '<pet><!ENTITY a "b"></pet>', 'document type'],
    ['an entity that is not declared', name('&nbsp;'), 'no entity'],
    ['an entity without an end', name('&amp'), 'no entity'],
    ['an ampersand', name('a & b'), 'no entity'],
    ['a character that is none', name('&#0;'), 'names no character'],
    ['half a character', name('&#xD800;'), 'names no character'],
    ['a control character by number', name('&#x1b;'), 'names no character'],
    ['a character beyond the last', name('&#x110000;'), 'names no character'],
    ['a character far beyond', name('&#9999999999;'), 'names no character'],
    ['a number without end', name(`&#${'9'.repeat(1000)};`), 'no entity'],
    ['a control character', name('a\x07'), 'control character'],
    ['NUL', name('\0'), 'control character'],
    ['U+FFFF', name('\uffff'), 'control character'],
    ['a processing instruction', '<?a b?><pet/>', 'processing instructions'],
    ['one inside', '<pet><?a b?></pet>', 'processing instructions'],
    ['a style sheet', '<pet/><?xml-stylesheet href="a"?>', 'nothing may follow'],
    ['a second declaration', '<?xml version="1.0"?><?xml version="1.0"?><pet/>', 'processing'],
    ['white space before the declaration', ' <?xml version="1.0"?><pet/>', 'processing'],
    ['XML 1.1', '<?xml version="1.1"?><pet/>', 'version'],
    ['another encoding', '<?xml version="1.0" encoding="ISO-8859-1"?><pet/>', 'encoding'],
    ['UTF-16 by name', '<?xml version="1.0" encoding="UTF-16"?><pet/>', 'encoding'],
    ['UTF-7', '<?xml version="1.0" encoding="UTF-7"?>+ADw-pet/+AD4-', 'encoding'],
    ['two roots', '<pet/><pet/>', 'nothing may follow'],
    ['text behind the root', '<pet/>x', 'nothing may follow'],
    ['text before the root', 'x<pet/>', 'an element must come here'],
    ['nothing but white space', ' \n', 'an element must come here'],
    ['JSON', '{"name":"a"}', 'an element must come here'],
    ['an end that is missing', '<pet><name>a</name>', 'ends too early'],
    ['an end that is cut', '<pet></pe', '</pet> must come here'],
    ['ends in the wrong order', '<pet><name></pet></name>', '</name> must come here'],
    ['an end that goes on', '<pet></pets>', '</pet> must come here'],
    ['an end with an attribute', '<pet></pet a="b">', '</pet> must come here'],
    ['a tag that is not closed', '<pet', 'a name must come here'],
    ['a tag without a name', '<pet>< name/></pet>', 'a name must come here'],
    ['a name that begins with a digit', '<pet><1/></pet>', 'a name must come here'],
    ['a name without end', `<${'a'.repeat(101)}/>`, 'a name is too long'],
    ['an attribute without a value', '<pet a></pet>', '= must come here'],
    ['one without quotes', '<pet a=b></pet>', 'a quote must come here'],
    ['one that is not closed', '<pet a="b></pet>', 'a quote is not closed'],
    ['one twice', '<pet a="1" a="2"/>', 'cannot stand here'],
    ['two without a space', '<pet a="1"b="2"/>', 'cannot stand here'],
    ['one with <', '<pet a="<"/>', 'cannot hold <'],
    ['one with an entity of its own', '<pet a="&b;"/>', 'no entity'],
    ['a comment without end', '<pet><!-- </pet>', 'comment is not closed'],
    ['a comment with --', '<pet><!-- -- --></pet>', 'cannot hold --'],
    ['a CDATA section without end', name('<![CDATA[ '), 'CDATA section is not closed'],
    ['a CDATA section around the root', '<![CDATA[<pet/>]]>', 'document type'],
    ['the end of one that did not begin', name(']]>'), ']]>'],
    ['a member __proto__', '<pet><__proto__><admin/></__proto__></pet>', '__proto__'],
    ['one further down', '<pet><tags><tag><__proto__/></tag></tags></pet>', '__proto__'],
  ] as const)('is refused: %s', ([, text, reason]) => {
    const problem = problemOf(text);
    expect([problem.slug, problem.message]).toEqual([
      'malformed-body',
      expect.stringContaining(reason),
    ]);
  });

  it.for([
    ['UTF-16', Buffer.from('\ufeff<pet/>', 'utf16le')],
    ['Latin 1', Buffer.from('<pet><name>ä</name></pet>', 'latin1')],
    ['a surrogate in UTF-8', Buffer.from('3c7065743eeda0803c2f7065743e', 'hex')],
    ['a long form of <', Buffer.from('c0bc7065742f3e', 'hex')],
  ] as const)('in other bytes than UTF-8 is refused: %s', ([, bytes]) => {
    expect(problemOf(bytes).message).toBe('The body is not UTF-8.');
  });

  it.for([
    ['another root', '<Pet/>', [['', 'must be the element <pet>, not <Pet>']]],
    ['a root with a prefix', '<a:pet/>', [['', 'must be the element <pet>, not <a:pet>']]],
    [
      'text beside elements',
      pet('a<name>b</name>c'),
      [
        ['', /^has text beside/],
        ['', /^has text/],
      ],
    ],
    [
      'CDATA beside elements',
      pet('<category><![CDATA[a]]></category>'),
      [['/category', /^has text/]],
    ],
    ['elements in text', name('a<b>c</b>'), [['/name', 'must hold text, not elements']]],
    [
      'a member twice',
      pet('<name>a</name><name>b</name>'),
      [['/name', 'stands here more than once']],
    ],
    [
      'another item',
      pet('<photoUrls><url/></photoUrls>'),
      [['/photoUrls', 'takes elements <photoUrl>, not <url>']],
    ],
    ['a list that is not wrapped', pet('<photoUrls>a</photoUrls>'), [['/photoUrls', /^has text/]]],
    [
      'an attribute',
      pet('<tags><tag/><tag><name lang="en">a</name></tag></tags>'),
      [['/tags/1', '<name> has the attribute lang; members are elements here']],
    ],
    ['a namespace', '<pet xmlns="urn:x"/>', [['', /attribute xmlns/]]],
    [
      'many faults',
      pet('<name a="1">a<b/></name>x<id>1</id><id>2</id>'),
      [
        ['', /attribute a/],
        ['/name', /elements/],
        ['', /text/],
        ['/id', /once/],
      ],
    ],
  ] as const)('of another form is refused: %s', ([, text, faults]) => {
    const problem = problemOf(text);
    expect(problem.slug).toBe('invalid-request');
    expect(problem.errors).toEqual(
      faults.map(([pointer, detail]) => ({
        pointer,
        detail: detail instanceof RegExp ? expect.stringMatching(detail) : detail,
      })),
    );
  });
});
