import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Heading,
  getHeadings,
  htmlFromMarkdown,
  splitContent,
  syntaxHighlight,
  textFromNode,
} from '../../src/platform/docs/scalar/markdown.ts';

const INTRODUCTION = `What it is.

## Who \`may\`

Everybody.

\`\`\`
# no heading
\`\`\`
### Last`;

describe('Markdown in the docs', () => {
  it('is parted at its headings', () => {
    expect(splitContent(INTRODUCTION).map((part) => part.trim())).toEqual([
      'What it is.',
      '## Who `may`',
      'Everybody.\n\n```\n# no heading\n```',
      '### Last',
    ]);
    expect(getHeadings(INTRODUCTION)).toEqual([
      { depth: 2, value: 'Who may' },
      { depth: 3, value: 'Last' },
    ]);
  });

  it('gives headings the ids that it is told', () => {
    const found: [number, string][] = [];
    const transform = (node: Heading) => {
      found.push([node.depth, textFromNode(node)]);
      node.data = { hProperties: { id: `a"${found.length}` } };
      return node;
    };
    const html = htmlFromMarkdown(`${INTRODUCTION}\n> # Within`, { transform });
    expect(found).toEqual([
      [2, 'Who may'],
      [3, 'Last'],
      [1, 'Within'],
    ]);
    expect(html).toContain('<h2 id="a&quot;1">Who <code>may</code></h2>');
    expect(html).toContain('<h3 id="a&quot;2">Last</h3>');
    expect(html).toContain('<h1 id="a&quot;3">Within</h1>');
    expect(html).toContain('# no heading');
  });

  it.each([
    ['[a](https://b.test/?c&d)', '<a href="https://b.test/?c&amp;d" target="_blank">a</a>'],
    ['[a *b*](/problems)', '<a href="/problems">a <em>b</em></a>'],
    ['[a](javascript:alert(1))', 'a'],
    ['![a](https://b.test/c.png)', 'a'],
    ['a <b onclick="c">d</b>', 'a &lt;b onclick=&quot;c&quot;&gt;d&lt;/b&gt;'],
  ])('%s is %s', (markdown, html) => {
    expect(htmlFromMarkdown(markdown)).toBe(`<p>${html}</p>\n`);
  });

  it('has tables', () => {
    expect(htmlFromMarkdown('| a | b |\n|---|---|\n| `c` | d |')).toMatch(
      /<table>.*<th>a<\/th>.*<td><code>c<\/code><\/td>.*<\/table>/s,
    );
  });

  it('loses nothing where it is parted, and makes no element of what it is given', () => {
    const words = fc.constantFrom(
      '# ',
      '## ',
      '\n',
      '\n\n',
      '```',
      '|',
      '-',
      '[',
      '](',
      ')',
      '<',
      '>',
    );
    const pieces = fc.oneof(
      words,
      fc.constantFrom('<script>', '"', "'", '&', 'a', '`', '*', '![', 'x:'),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (all) => {
        const markdown = all.join('');
        const bare = (text: string) => text.replaceAll(/\s/g, '');
        expect(bare(splitContent(markdown).join(''))).toBe(bare(markdown));
        const html = htmlFromMarkdown(markdown);
        expect(html).not.toContain('<script');
        expect(
          html.replaceAll(
            /<\/?(?:a|p|h\d|ul|li|table|t\w+|pre|code|em|strong|blockquote|hr|br|del)\b[^<>]*>/g,
            '',
          ),
        ).not.toMatch(/<\w/);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('code in the docs', () => {
  it('is shown before its grammars are there, without secrets, and coloured after', async () => {
    const code = 'curl -u "demo:s3cret" <a>';
    const options = { lang: 'shell', maskCredentials: ['s3cret', 'u'] };
    expect(syntaxHighlight(code, options)).toBe(
      '<pre><code>curl -u &quot;demo:•••&quot; &lt;a></code></pre>',
    );
    await expect.poll(() => syntaxHighlight(code, options)).toContain('class="hljs');
    expect(syntaxHighlight(code, options)).toContain(
      '<span class="credential-value">s3cret</span>',
    );
  });
});
