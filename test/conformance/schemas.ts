import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { memberOf, type Schema as XmlSchema } from '../../src/platform/formats/shape.ts';
import { xmlReader } from '../../src/platform/formats/xml-reader.ts';
import { Problem } from '../../src/platform/problems/problems.ts';

export type Schema = boolean | ({ $ref?: string } & Record<string, unknown>);

const LOCAL = '#/components/schemas/';
const SHARED = 'document#/components/schemas/';

/** Keywords whose schemas describe the same value as the schema that they stand in. */
const SAME_VALUE = ['allOf', 'anyOf', 'oneOf'];
/** Keywords whose schemas describe a part of the value. */
const PARTS = ['items', 'prefixItems', 'contains', 'additionalProperties', 'unevaluatedProperties'];
const NAMED_PARTS = ['properties', 'patternProperties'];

/**
 * Holds values to the schemas of a document as an answer has them: a member that no schema names is
 * a fault unless `additionalProperties` lets it in, and so is one that is write-only.
 */
export class SchemaChecker {
  readonly #shared: Record<string, Schema>;
  readonly #byRef: Record<string, Schema>;
  readonly #ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateSchema: false,
    verbose: true, // faults show the value
    multipleOfPrecision: 6, // 0.29 is a multiple of 0.01
  });
  readonly #json = new Map<Schema, ValidateFunction>();
  readonly #xml = new Map<Schema, (body: Buffer) => unknown>();

  /** `shared` are the schemas of the document's components. */
  constructor(shared: Record<string, Schema>) {
    this.#shared = shared;
    this.#byRef = Object.fromEntries(
      Object.entries(shared).map(([name, schema]) => [LOCAL + name, schema]),
    );
    formats.default(this.#ajv);
    const schemas = Object.entries(shared).map(([name, schema]) => [name, this.#open(schema)]);
    this.#ajv.addSchema({ $id: 'document', components: { schemas: Object.fromEntries(schemas) } });
  }

  /** What is wrong with `value`, a sentence each. */
  faults(schema: Schema, value: unknown): string[] {
    const validate = this.#json.get(schema) ?? this.#ajv.compile(this.#closed(schema));
    this.#json.set(schema, validate);
    return validate(value) ? [] : (validate.errors ?? []).map(describe);
  }

  /** The value that an XML document stands for; throws a sentence where it is not laid out so. */
  readXml(schema: Schema, body: Buffer): unknown {
    const read = this.#xml.get(schema) ?? xmlReader(memberOf(schema as XmlSchema, this.#byRef, ''));
    this.#xml.set(schema, read);
    // The reader is for what clients send, where no namespace is taken.
    const { namespace } = (this.#target(schema)['xml'] ?? {}) as { namespace?: string };
    const declared = namespace === undefined ? '' : ` xmlns="${namespace}"`;
    if (!body.includes(declared)) throw new Error(`the namespace ${namespace} is not declared`);
    try {
      return read(Buffer.from(body.toString('utf8').replace(declared, '')));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      throw new Error(`${error.message} ${JSON.stringify(error.errors ?? [])}`, { cause: error });
    }
  }

  /** For a whole value: other members than those that are named are faults. */
  #closed(schema: Schema): Schema {
    if (typeof schema === 'boolean' || !this.#namesMembers(schema)) return this.#open(schema);
    if (this.#target(schema)['writeOnly'] === true) return false;
    return { unevaluatedProperties: false, ...(this.#open(schema) as object) };
  }

  /** For one of several schemas of the same value: only what is below it is closed. */
  #open(schema: Schema): Schema {
    if (typeof schema === 'boolean') return schema;
    const opened: Exclude<Schema, boolean> = { ...schema };
    if (schema.$ref !== undefined) opened.$ref = schema.$ref.replace(LOCAL, SHARED);
    const each = (value: unknown, change: (schema: Schema) => Schema) =>
      Array.isArray(value) ? value.map(change) : change(value as Schema);
    for (const keyword of SAME_VALUE)
      if (keyword in schema) opened[keyword] = each(schema[keyword], (one) => this.#open(one));
    for (const keyword of PARTS)
      if (keyword in schema) opened[keyword] = each(schema[keyword], (one) => this.#closed(one));
    for (const keyword of NAMED_PARTS)
      if (keyword in schema)
        opened[keyword] = Object.fromEntries(
          Object.entries(schema[keyword] as Record<string, Schema>).map(([name, part]) => [
            name,
            this.#target(part)['writeOnly'] === true ? false : this.#closed(part),
          ]),
        );
    if (Array.isArray(schema['required']))
      opened['required'] = schema['required'].filter(
        (name: string) => (opened['properties'] as Record<string, Schema>)?.[name] !== false,
      );
    return opened;
  }

  /** The schema itself, or the shared one that it refers to. */
  #target(schema: Schema): Exclude<Schema, boolean> {
    if (typeof schema === 'boolean') return {};
    if (schema.$ref === undefined) return schema;
    const target = this.#shared[schema.$ref.replace(LOCAL, '')];
    if (target === undefined) throw new Error(`The document has no schema ${schema.$ref}.`);
    return { ...this.#target(target), ...schema };
  }

  #namesMembers(schema: Schema): boolean {
    const target = this.#target(schema);
    const others = SAME_VALUE.flatMap((keyword) => (target[keyword] ?? []) as Schema[]);
    return 'properties' in target || others.some((other) => this.#namesMembers(other));
  }
}

function describe({ keyword, instancePath, message, params, data }: ErrorObject): string {
  const member = params['unevaluatedProperty'] ?? params['additionalProperty'];
  const where = instancePath === '' ? 'the body' : instancePath;
  if (member !== undefined) return `${where} has the undocumented member "${member}"`;
  if (keyword === 'false schema') return `${where} is write-only or not allowed`;
  const { allowedValues } = params;
  const wanted = allowedValues ? `: ${JSON.stringify(allowedValues)}` : '';
  return `${where} ${message}${wanted} (it is ${JSON.stringify(data)?.slice(0, 200)})`;
}
