import { isDeepStrictEqual } from 'node:util';
import type { Body } from './examples.ts';
import { HEADERS } from './headers.ts';

type Json = Record<string, unknown>;

/** Marks a schema that has a name of its own, while the document is made. */
const NAMED = 'x-named';

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy of what JSON would write of a schema, whose inner schemas with an `$id` are marked. */
export function markNamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(markNamed);
  if (!isObject(value)) return value;
  const { $id, ...rest } = value;
  const copy = Object.fromEntries(
    Object.entries(rest).map(([key, inner]) => [key, markNamed(inner)]),
  );
  return $id === undefined ? copy : { ...copy, [NAMED]: $id };
}

/** The name that a response has where it is shared. */
export const SHARED = 'x-shared';

/** Read-only members of what is sent: whatever comes back is taken, `x-answered` is what comes. */
const IGNORED = 'Given by the server. It may be sent back as it came; it is ignored.';

/** Moves every marked schema below `value` to `schemas`, and leaves a reference. */
export function shareSchemas(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((each) => shareSchemas(each, schemas));
  if (!isObject(value)) return value;
  const { [NAMED]: name, 'x-takes': _words, 'x-answered': answered, ...own } = value;
  const copy = Object.fromEntries(
    Object.entries(own).map(([key, inner]) => [
      key,
      // What an example holds is no schema.
      key === 'example' || key === 'examples' ? inner : shareSchemas(inner, schemas),
    ]),
  );
  if (copy['readOnly'] === true && Object.keys(copy).length === 1) {
    const { examples: _examples, ...type } = shareSchemas(answered ?? {}, schemas) as Json;
    return { ...type, readOnly: true, description: IGNORED };
  }
  if (typeof name !== 'string') return copy;
  if (schemas[name] !== undefined && !isDeepStrictEqual(schemas[name], copy))
    throw new Error(`There are two schemas ${name}.`);
  schemas[name] = copy;
  return { $ref: `#/components/schemas/${name}` };
}

/** Says of each schema with a discriminator which value stands for which of its schemas. */
export function mapDiscriminators(schemas: Json): void {
  for (const { discriminator, oneOf } of Object.values(schemas) as Json[]) {
    if (!isObject(discriminator)) continue;
    const tagOf = (name: string) => {
      const { properties } = schemas[name] as { properties: Record<string, Json> };
      // The library writes a constant as an enumeration of one.
      return `${properties[`${discriminator['propertyName']}`]?.['enum']}`;
    };
    discriminator['mapping'] = Object.fromEntries(
      (oneOf as { $ref: string }[]).map(({ $ref }) => [tagOf($ref.split('/').at(-1) ?? ''), $ref]),
    );
  }
}

export interface Operation {
  operationId: string;
  parameters?: (Json & { name: string })[];
  responses: Record<string, Json & Body & { headers?: Json }>;
}

type Twin = [name: string, value: Json, put: (reference: Json) => void];

/** Whatever occurs more than once among `found` is replaced by a reference; answers what they are. */
function shareTwins(found: Twin[], kind: string): Json {
  const shared: Json = {};
  const counts = new Map<string, number>();
  const keyOf = (name: string, value: Json) => `${name} ${JSON.stringify(value)}`;
  for (const [name, value] of found)
    counts.set(keyOf(name, value), (counts.get(keyOf(name, value)) ?? 0) + 1);
  for (const [name, value, put] of found) {
    if ((counts.get(keyOf(name, value)) ?? 0) < 2) continue;
    let free = name;
    for (let n = 2; shared[free] !== undefined && !isDeepStrictEqual(shared[free], value); n += 1)
      free = `${name}-${n}`;
    shared[free] = value;
    put({ $ref: `#/components/${kind}/${free}` });
  }
  return shared;
}

/** By name, so that a document changes where its service does. */
export const sorted = <T>(values: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Components for what the operations have in common, to which they then refer. */
export function shareAmong(operations: Operation[]): Record<string, Json> {
  const headers: Json = {};
  for (const { responses } of operations)
    for (const { headers: own = {} } of Object.values(responses))
      for (const name of Object.keys(own)) {
        headers[name] = HEADERS[name as keyof typeof HEADERS];
        own[name] = { $ref: `#/components/headers/${name}` };
      }
  const responses = operations.flatMap(({ responses: own }) =>
    Object.entries(own).flatMap(([status, { [SHARED]: name, ...value }]): Twin[] => {
      own[status] = value;
      const put = (reference: Json) => {
        own[status] = reference;
      };
      return typeof name === 'string' ? [[name, value, put]] : [];
    }),
  );
  const parameters = operations.flatMap(({ parameters: own = [] }) =>
    own.map((value, index): Twin => {
      const put = (reference: Json) => {
        own[index] = reference as (typeof own)[number];
      };
      return [value.name, value, put];
    }),
  );
  return {
    headers: sorted(headers),
    parameters: sorted(shareTwins(parameters, 'parameters')),
    responses: sorted(shareTwins(responses, 'responses')),
  };
}
