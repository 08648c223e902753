import { NOT_XML } from './text.ts';
import type { Member, Shape } from './shape.ts';

/** A whole document of the value, as text. */
export type XmlWriter = (value: unknown) => string;

type Write = (value: unknown) => string;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
/** All that cannot stand in text as it is; a carriage return would be read as a line feed. */
const SPECIAL = new RegExp(`[&<>\\r\\ud800-\\udfff]|${NOT_XML.source}`);
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };
const EACH_NOT_XML = new RegExp(NOT_XML.source, 'g');

/** What XML cannot hold is refused where it comes in; should it come out, the document stays whole. */
const escapeText = (text: string): string =>
  SPECIAL.test(text)
    ? text
        .toWellFormed()
        .replace(/[&<>\r]/g, (character) => ESCAPES[character] ?? '')
        .replace(EACH_NOT_XML, '\ufffd')
    : text;

function leaf(value: unknown): string {
  if (typeof value === 'string') return escapeText(value);
  if (value instanceof Date) return value.toISOString();
  return escapeText(String(value));
}

function list({ element, shape }: Member): Write {
  const write = writerOf(shape);
  const open = `<${element}>`;
  const close = `</${element}>`;
  return (value) => {
    let text = '';
    for (const item of value as unknown[]) text += open + write(item) + close;
    return text;
  };
}

function object(members: Member[]): Write {
  const parts = members
    .filter(({ shape }) => shape.kind !== 'ignored')
    .map(({ key, element, shape }) => ({
      key,
      open: `<${element}>`,
      close: `</${element}>`,
      write: writerOf(shape),
    }));
  return (value) => {
    const source = value as Record<string, unknown>;
    let text = '';
    for (const { key, open, close, write } of parts) {
      const member = source[key];
      if (member !== undefined && member !== null) text += open + write(member) + close;
    }
    return text;
  };
}

function writerOf(shape: Shape): Write {
  switch (shape.kind) {
    case 'leaf':
      return leaf;
    case 'list':
      return list(shape.item);
    case 'object':
      return object(shape.members);
    default:
      return () => '';
  }
}

/** Compiles a writer of documents with this root; what the schema does not name is left out. */
export function xmlWriter({ element, shape }: Member, namespace?: string): XmlWriter {
  const open = `${DECLARATION}<${element}${namespace ? ` xmlns="${namespace}"` : ''}>`;
  const close = `</${element}>`;
  const write = writerOf(shape);
  return (value) => open + write(value) + close;
}
