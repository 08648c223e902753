/** A JSON schema, with what OpenAPI's keyword `xml` adds. */
export type Schema = Record<string, unknown> & {
  type?: string;
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  xml?: { name?: string; wrapped?: boolean; namespace?: string };
};

/** How a value is laid out in formats that know only names and text. */
export type Shape =
  | { kind: 'leaf'; schema: Schema }
  | { kind: 'object'; members: Member[] }
  | { kind: 'list'; item: Member }
  /** Whatever it holds, it is passed over. */
  | { kind: 'ignored' };

export interface Member {
  /** The member in JSON and in forms; empty for the items of a list. */
  key: string;
  /** The element in XML. */
  element: string;
  shape: Shape;
}

const LEAVES = ['string', 'integer', 'number', 'boolean'];
/** Far more than any schema has: one that holds itself is found out. */
const DEEPEST = 16;

/**
 * Reads the layout out of a schema, which may refer to those in `shared`. Throws where XML and forms
 * cannot write it in one way only; `where` is for that message.
 */
export function memberOf(schema: Schema, shared: Record<string, unknown>, where: string): Member {
  const resolve = (each: Schema): Schema => {
    if (each.$ref === undefined) return each;
    const target = shared[each.$ref] as Schema | undefined;
    if (!target) throw new Error(`${where}: no shared schema ${each.$ref}`);
    return { ...target, ...each };
  };

  function shapeOf(schema: Schema, path: string, depth: number): Shape {
    const resolved = resolve(schema);
    const { type, properties = {}, items, xml, additionalProperties } = resolved;
    if (depth > DEEPEST) throw new Error(`${where}: the schema holds itself at ${path}`);
    if (type !== undefined && LEAVES.includes(type)) return { kind: 'leaf', schema: resolved };
    const isMap = typeof additionalProperties === 'object' || 'patternProperties' in resolved;
    if (type === 'object' && !isMap) {
      const members = Object.entries(properties).map(([key, property]) => ({
        key,
        element: property.xml?.name ?? key,
        shape: shapeOf(property, `${path}/${key}`, depth + 1),
      }));
      return { kind: 'object', members };
    }
    if (type === 'array' && items && xml?.wrapped) {
      const element = resolve(items).xml?.name;
      if (element === undefined) throw new Error(`${where}: the items of ${path} need xml.name`);
      return { kind: 'list', item: { key: '', element, shape: shapeOf(items, path, depth + 1) } };
    }
    if (type === undefined && !['anyOf', 'oneOf', 'allOf'].some((union) => union in resolved))
      return { kind: 'ignored' };
    throw new Error(`${where}: XML and forms cannot write ${path || 'the value'} of this schema`);
  }

  const { xml } = resolve(schema);
  return { key: '', element: xml?.name ?? '', shape: shapeOf(schema, '', 0) };
}

/** Every leaf below `shape`, with the pointer to it. */
export function leavesOf(shape: Shape, pointer = ''): { pointer: string; schema: Schema }[] {
  if (shape.kind === 'leaf') return [{ pointer, schema: shape.schema }];
  if (shape.kind === 'list') return leavesOf(shape.item.shape, `${pointer}/0`);
  if (shape.kind === 'ignored') return [];
  return shape.members.flatMap((member) => leavesOf(member.shape, `${pointer}/${member.key}`));
}

/** The member of a body that is an uploaded file. */
export const isFile = (schema: Schema | undefined) => schema?.['contentMediaType'] !== undefined;
