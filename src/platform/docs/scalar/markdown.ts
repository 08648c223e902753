// In place of @scalar/code-highlight, whose parsers and grammars took a sixth of the time until the
// page could be used: grammars load when there is code to be coloured, and HTML is not parsed, but
// shown as it is written.
import { Marked, Parser, type Token, TextRenderer, type Tokens } from 'marked';
import { shallowRef } from 'vue';

/** Scalar writes what a heading shall have where its own parser looks for it. */
export interface Heading extends Tokens.Heading {
  data?: { hProperties: { id: string } };
}

export interface CodeOptions {
  lang: string;
  lineNumbers?: boolean;
  /** What of the code nobody shall read over a shoulder. */
  maskCredentials?: string | string[];
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const marked = new Marked({
  tokenizer: { html: () => undefined, tag: () => undefined },
  renderer: {
    heading({ depth, tokens, data }: Heading) {
      const id = data ? ` id="${escape(data.hProperties.id)}"` : '';
      return `<h${depth}${id}>${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    image: ({ text }) => escape(text),
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      if (/^[#/]/.test(href)) return `<a href="${escape(href)}">${text}</a>`;
      if (!/^(https?|mailto):/.test(href)) return text;
      return `<a href="${escape(href)}" target="_blank">${text}</a>`;
    },
  },
});

export const isHeading = (token: Token): token is Heading => token.type === 'heading';
export const textFromNode = ({ tokens }: Heading): string =>
  new Parser().parseInline(tokens, new TextRenderer());
export const getHeadings = (markdown: string): { depth: number; value: string }[] =>
  marked
    .lexer(markdown)
    .filter(isHeading)
    .map((heading) => ({ depth: heading.depth, value: textFromNode(heading) }));

/** A part for every heading, and one for what stands between two. */
export function splitContent(markdown: string): string[] {
  const parts = [''];
  for (const token of marked.lexer(markdown)) {
    if (isHeading(token)) parts.push(token.raw, '');
    else parts.push(parts.pop() + token.raw);
  }
  return parts.filter((part) => part.trim() !== '');
}

/** `transform` gives a heading its id, as `data.hProperties.id`. */
export function htmlFromMarkdown(
  markdown: string,
  { transform }: { transform?: (heading: Heading) => unknown } = {},
): string {
  const tokens = marked.lexer(markdown);
  if (transform)
    void marked.walkTokens(tokens, (token) => {
      if (isHeading(token)) transform(token);
    });
  return marked.parser(tokens);
}

const highlighter = shallowRef<(code: string, options: CodeOptions) => string>();
let loading: Promise<void> | undefined;

async function loadHighlighter(): Promise<void> {
  const { highlight } = await import('./highlight.ts');
  highlighter.value = highlight;
}

/** Code in colour, once what colours it is there: what is computed of this is then made anew. */
export function syntaxHighlight(code: string, options: CodeOptions): string {
  if (highlighter.value) return highlighter.value(code, options);
  loading ??= loadHighlighter();
  const secrets = [options.maskCredentials ?? []].flat().filter(({ length }) => length > 2);
  const text = secrets.reduce((rest, secret) => rest.replaceAll(secret, '•••'), code);
  return `<pre><code>${escape(text)}</code></pre>`;
}
/** Which grammars there are is for highlight.ts to say. */
export const standardLanguages = undefined;
