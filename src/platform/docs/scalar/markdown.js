// In place of @scalar/code-highlight, whose parsers and grammars took a sixth of the time until the
// page could be used: grammars load when there is code to be coloured, and HTML is not parsed, but
// shown as it is written.
import { Marked, Parser, TextRenderer } from 'marked';
import { shallowRef } from 'vue';

const escape = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const marked = new Marked({
  tokenizer: { html: () => undefined, tag: () => undefined },
  renderer: {
    image: ({ text }) => escape(text),
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      if (/^[#/]/.test(href)) return `<a href="${escape(href)}">${text}</a>`;
      if (!/^(https?|mailto):/.test(href)) return text;
      return `<a href="${escape(href)}" target="_blank">${text}</a>`;
    },
  },
});

export const isHeading = ({ type }) => type === 'heading';
export const textFromNode = ({ tokens }) => new Parser().parseInline(tokens, new TextRenderer());
export const getHeadings = (markdown) =>
  marked
    .lexer(markdown)
    .filter(isHeading)
    .map((heading) => ({ depth: heading.depth, value: textFromNode(heading) }));

/** A part for every heading, and one for what stands between two. */
export function splitContent(markdown) {
  const parts = [''];
  for (const token of marked.lexer(markdown)) {
    if (isHeading(token)) parts.push(token.raw, '');
    else parts.push(parts.pop() + token.raw);
  }
  return parts.filter((part) => part.trim() !== '');
}

/** `transform` gives headings their ids. */
export function htmlFromMarkdown(markdown, { transform } = {}) {
  const html = marked.parse(markdown);
  if (!transform) return html;
  const headings = marked.lexer(markdown).filter(isHeading);
  return html.replaceAll(/<h\d/g, (start) => {
    const { id } = transform(headings.shift()).data.hProperties;
    return `${start} id="${escape(id)}"`;
  });
}

const highlighter = shallowRef();
let loading;

/** Code in colour, once what colours it is there: what is computed of this is then made anew. */
export function syntaxHighlight(code, options) {
  if (highlighter.value) return highlighter.value(code, options);
  loading ??= import('./highlight.js').then(({ highlight }) => (highlighter.value = highlight));
  const secrets = [options.maskCredentials ?? []].flat().filter(({ length }) => length > 2);
  const text = secrets.reduce((rest, secret) => rest.replaceAll(secret, '•••'), code);
  return `<pre><code>${escape(text)}</code></pre>`;
}
/** Which grammars there are is for highlight.js to say. */
export const standardLanguages = undefined;
