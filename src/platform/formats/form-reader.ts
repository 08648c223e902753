import { isUtf8 } from 'node:buffer';
import { type Fault, invalidRequest, Problem } from '../problems/problems.ts';
import { parseText } from '../http/validation.ts';
import { type BodyReader, protoMember, sizeProblem } from './json-reader.ts';
import type { Member, Shape } from './shape.ts';

const MOST_PARAMETERS = 1000;

/** A value, and what is left of the name that leads to it: `tags[0].name` is tags, 0, name. */
interface Entry {
  steps: (string | number)[];
  text: string;
}

const NAME = /^[^.[\]]+(?:\.[^.[\]]+|\[\d{1,4}\])*$/;

/** Problems name them. */
const LONGEST_NAME = 200;

const stepsOf = (name: string): (string | number)[] =>
  NAME.test(name)
    ? Array.from(name.matchAll(/\[(\d+)\]|[^.[]+/g), ([step, index]) =>
        index === undefined ? step : Number(index),
      )
    : [name];

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Problem('malformed-body', 'The form has a percent sign that encodes nothing.');
  }
}

function entriesOf(body: Buffer): Entry[] {
  if (!isUtf8(body)) throw new Problem('malformed-body', 'The body is not UTF-8.');
  const pairs = body.toString('utf8').split('&', MOST_PARAMETERS + 1);
  if (pairs.length > MOST_PARAMETERS)
    throw invalidRequest([
      { pointer: '', detail: `must have at most ${MOST_PARAMETERS} parameters` },
    ]);
  return pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [rawName = '', rawText = ''] = pair.split(/=(.*)/s);
      const name = decode(rawName);
      if (name.length > LONGEST_NAME)
        throw new Problem('malformed-body', `A name has more than ${LONGEST_NAME} characters.`);
      return { steps: stepsOf(name), text: decode(rawText) };
    });
}

/** Entries by their next step, without it. */
function groups(entries: Entry[]): Map<string | number, Entry[]> {
  const grouped = new Map<string | number, Entry[]>();
  for (const { steps, text } of entries) {
    const [step = '', ...rest] = steps;
    const group = grouped.get(step) ?? [];
    grouped.set(step, group);
    group.push({ steps: rest, text });
  }
  return grouped;
}

const isWhole = ({ steps }: Entry) => steps.length === 0;

/** A reader of one form, which collects what is wrong with its layout. */
class FormReader {
  readonly faults: Fault[] = [];

  read(shape: Shape, entries: Entry[], pointer: string): unknown {
    switch (shape.kind) {
      case 'leaf':
        return parseText(shape.schema, this.#only(entries, pointer)?.text);
      case 'list':
        return this.#list(shape.item.shape, entries, pointer);
      case 'object':
        return entries.some(isWhole)
          ? this.#json(this.#only(entries, pointer)?.text, pointer)
          : this.object(shape.members, entries, pointer);
      default:
        return true;
    }
  }

  object(members: Member[], entries: Entry[], pointer: string): Record<string, unknown> {
    const value: Record<string, unknown> = {};
    for (const [step, group] of groups(entries)) {
      if (step === '__proto__') throw protoMember();
      const member = members.find(({ key }) => key === step);
      // The schema says what is to happen with a member that it does not know, as it does in JSON.
      value[step] = member ? this.read(member.shape, group, `${pointer}/${member.key}`) : true;
    }
    return value;
  }

  #list(item: Shape, entries: Entry[], pointer: string): unknown {
    const [first] = entries;
    if (entries.length === 1 && first?.steps.length === 0 && first.text.startsWith('['))
      if (item.kind !== 'leaf' || first.text === '[]') return this.#json(first.text, pointer);
    if (entries.every(isWhole))
      return entries.map((entry, index) => this.read(item, [entry], `${pointer}/${index}`));
    const grouped = groups(entries);
    const items = Array.from(grouped, (_, index) => grouped.get(index));
    if (items.includes(undefined)) {
      this.faults.push({ pointer, detail: 'must be numbered [0], [1] and so on, without gaps' });
      return undefined;
    }
    return items.map((group = [], index) => this.read(item, group, `${pointer}/${index}`));
  }

  #only(entries: Entry[], pointer: string): Entry | undefined {
    if (entries.length === 1 && entries.every(isWhole)) return entries[0];
    const detail = entries.every(isWhole)
      ? 'stands here more than once'
      : 'is one value; it has no members and no items';
    this.faults.push({ pointer, detail });
    return undefined;
  }

  /** A member that is no text, as OpenAPI has it by default. */
  #json(text: string | undefined, pointer: string): unknown {
    try {
      const problem = sizeProblem(JSON.parse(text ?? ''));
      if (problem) throw problem;
      return JSON.parse(text ?? '', (key, member: unknown) => {
        if (key === '__proto__') throw protoMember();
        return member;
      });
    } catch (error) {
      if (error instanceof Problem) throw error;
    }
    if (text !== undefined)
      this.faults.push({ pointer, detail: 'must be JSON, or given member by member' });
    return undefined;
  }
}

/**
 * Compiles a reader of forms (application/x-www-form-urlencoded) for an object. A member of a member
 * is named `category.id`, an item `tags[0]`; items that are text may just be repeated. It answers
 * what JSON would have given, for the schema to judge.
 */
export function formReader(root: Member): BodyReader {
  const { shape } = root;
  if (shape.kind !== 'object') throw new Error('A form is an object.');
  return (body) => {
    const reader = new FormReader();
    const value = reader.object(shape.members, entriesOf(body), '');
    if (reader.faults.length > 0) throw invalidRequest(reader.faults);
    return value;
  };
}
