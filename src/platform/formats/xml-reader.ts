import { isUtf8 } from 'node:buffer';
import { invalidRequest, Problem } from '../problems/problems.ts';
import { parseText } from '../http/validation.ts';
import { type BodyReader, protoMember } from './json-reader.ts';
import type { Member, Shape } from './shape.ts';
import { XmlScanner } from './xml-scanner.ts';

/** Reads the element that was just opened. */
type Read = (scanner: XmlScanner, element: string) => unknown;

/** White space around a number or a boolean means nothing. */
const bare = (text: string) =>
  /^[ \t\n]|[ \t\n]$/.test(text) ? text.replace(/^[ \t\n]+|[ \t\n]+$/g, '') : text;

const leaf = (shape: Shape & { kind: 'leaf' }): Read =>
  shape.schema.type === 'string'
    ? (scanner, element) => scanner.leaf(element)
    : (scanner, element) => parseText(shape.schema, bare(scanner.leaf(element)));

function list({ element: wanted, shape }: Member): Read {
  const read = readerOf(shape);
  return (scanner, element) => {
    const items: unknown[] = [];
    for (let name = scanner.child(element); name !== undefined; name = scanner.child(element)) {
      if (name !== wanted) {
        scanner.fault(`takes elements <${wanted}>, not <${name}>`);
        scanner.skip(name);
        continue;
      }
      const before = scanner.faults;
      items.push(read(scanner, name));
      if (scanner.faults > before) scanner.within(items.length - 1, before);
    }
    return items;
  };
}

function object(members: Member[]): Read {
  const parts = members.map(({ element, key, shape }) => ({ element, key, read: readerOf(shape) }));
  const indexes = new Map(parts.map(({ element }, index) => [element, index]));
  return (scanner, element) => {
    const value: Record<string, unknown> = {};
    let index = 0;
    for (let name = scanner.child(element); name !== undefined; name = scanner.child(element)) {
      // Members mostly come in the order of the schema: then there is nothing to look up.
      if (parts[index]?.element !== name) index = indexes.get(name) ?? -1;
      const member = parts[index];
      index += 1;
      const key = member?.key ?? name;
      if (key === '__proto__') throw protoMember();
      const before = scanner.faults;
      if (member) {
        if (value[key] !== undefined && Object.hasOwn(value, key))
          scanner.fault('stands here more than once');
        value[key] = member.read(scanner, name);
      } else {
        // The schema says what is to happen with it, as it does in JSON.
        scanner.skip(name);
        value[key] = true;
      }
      if (scanner.faults > before) scanner.within(key, before);
    }
    return value;
  };
}

function ignored(scanner: XmlScanner, element: string): true {
  scanner.skip(element);
  return true;
}

function readerOf(shape: Shape): Read {
  switch (shape.kind) {
    case 'leaf':
      return leaf(shape);
    case 'list':
      return list(shape.item);
    case 'object':
      return object(shape.members);
    default:
      return ignored;
  }
}

/**
 * Compiles a reader of XML documents with this root. It answers what JSON would have given, for the
 * schema to judge, and throws a Problem for what is no XML or cannot be laid out so.
 */
export function xmlReader(root: Member): BodyReader {
  const read = readerOf(root.shape);
  return (body) => {
    if (!isUtf8(body)) throw new Problem('malformed-body', 'The body is not UTF-8.');
    const scanner = new XmlScanner(body.toString('utf8'));
    const name = scanner.begin();
    if (name !== root.element)
      throw invalidRequest([
        { pointer: '', detail: `must be the element <${root.element}>, not <${name}>` },
      ]);
    const value = read(scanner, name);
    scanner.end();
    return value;
  };
}
