import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import { type Fault, invalidRequest, type Problem } from '../problems/problems.ts';

/** A million faults in one body are not worth a million objects; the rest is counted. */
const FAULTS_SHOWN = 100;

type Schema = Record<string, unknown> & {
  properties?: Record<string, Record<string, unknown>>;
  /** Says in words what `pattern` wants. */
  'x-takes'?: string;
};

const NUMERALS: Record<string, RegExp> = {
  integer: /^[+-]?\d{1,40}$/,
  number: /^[+-]?(\d{1,40}(\.\d{0,40})?|\.\d{1,40})([eE][+-]?\d{1,3})?$/,
};

/** Reads text as its schema wants; what does not fit stays text and fails. */
export function parseText(schema: Record<string, unknown> | undefined, value: unknown): unknown {
  if (typeof value !== 'string' || !schema) return value;
  const type = schema['type'] as string;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  if (!NUMERALS[type]?.test(value)) return value;
  const number = Number(value);
  // A number that loses digits may only go on to a limit that refuses it.
  const isExact = type === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number);
  return isExact || ('minimum' in schema && 'maximum' in schema) ? number : value;
}

/** The same for a parameter that can be a list: repeated, or with commas, or both. */
function parseParameter(schema: Schema | undefined, value: unknown): unknown {
  if (schema?.['type'] !== 'array') return parseText(schema, value);
  const items = [value].flat().flatMap((each) => `${each}`.split(','));
  return items.map((item) => parseText(schema['items'] as Schema, item));
}

/** Compiles request validators, for schemas that may refer to those in `shared`. */
function createCompiler(shared: Schema[]): Ajv {
  const ajv = new Ajv({
    // Compiling what checks the schemas takes longer than all of them.
    validateSchema: false,
    meta: false,
    allErrors: true,
    verbose: true, // faults say what was sent instead
    useDefaults: true,
    strict: false,
    multipleOfPrecision: 6, // 0.29 is a multiple of 0.01
  });
  ajv.addKeyword('xml'); // names in another format
  for (const width of ['int32', 'int64']) ajv.addFormat(width, true); // minimum and maximum say it
  formats.default(ajv, { mode: 'full', formats: ['date', 'date-time', 'email', 'uri', 'uuid'] });
  for (const schema of shared) ajv.addSchema(schema);
  return ajv;
}

/**
 * Request validators. Bodies are held to their schema as they are: nothing is coerced or dropped.
 * Path, query and header values are text, so those are read by their schema first. Each is compiled
 * when it is first used, which keeps the start short.
 */
export function buildValidator(shared: unknown): FastifySchemaCompiler<unknown> {
  let compiler: Ajv | undefined;
  return ({ schema, httpPart }) => {
    let validate: ValidateFunction | undefined;
    const answer = (value: unknown) => {
      compiler ??= createCompiler(Object.values(shared as Record<string, Schema>));
      validate ??= compiler.compile(schema as Schema);
      return validate(value) ? { value } : { error: [...(validate.errors ?? [])] as never };
    };
    if (httpPart === 'body') return answer;
    const properties = (schema as Schema).properties ?? {};
    return (data: Record<string, unknown>) => {
      const value: Record<string, unknown> = { ...data };
      for (const name of Object.keys(value))
        value[name] = parseParameter(properties[name] as Schema, value[name]);
      return answer(value);
    };
  };
}

const kindOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'an array'
      : typeof value === 'string'
        ? 'text'
        : `a${/^[aeiou]/.test(typeof value) ? 'n' : ''} ${typeof value}`;

const FORMATS: Record<string, string> = {
  uuid: 'a UUID such as 0190f3a2-7c1e-7b4a-9d3e-5f6a7b8c9d0e',
  date: 'a date such as 2026-07-31',
  'date-time': 'a time with its offset, such as 2026-07-31T09:30:00Z',
  email: 'an e-mail address',
  uri: 'an absolute URL',
};

/** What the value must be, in words that name no library. */
function wants(error: ErrorObject): string {
  const { keyword, params, parentSchema } = error;
  const limit = params['limit'] as number;
  switch (keyword) {
    case 'type': {
      const type = params['type'] as string;
      if (typeof error.data === 'number' && type === 'integer') return 'must be a whole number';
      if (error.data === null && error.instancePath === '')
        return `is required and must be an ${type}`;
      return `must be ${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}, not ${kindOf(error.data)}`;
    }
    case 'required':
      return 'is required';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not a member of this body; remove it';
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    case 'format':
      return `must be ${FORMATS[params['format'] as string] ?? `a ${params['format']}`}`;
    case 'pattern':
      return `must be ${(parentSchema as Schema)['x-takes'] ?? `text that matches ${params['pattern']}`}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minimum':
      return `must be ${limit} or more`;
    case 'exclusiveMinimum':
      return `must be more than ${limit}`;
    case 'maximum':
      return `must be ${limit} or less`;
    case 'exclusiveMaximum':
      return `must be less than ${limit}`;
    case 'multipleOf':
      return `must be a multiple of ${params['multipleOf']}`;
    case 'minItems':
      return `must have at least ${limit} item${limit === 1 ? '' : 's'}`;
    case 'maxItems':
      return `must have at most ${limit} items`;
    case 'false schema':
      return 'is not allowed here; remove it';
    case 'uniqueItems':
      return 'must not have the same item twice';
    case 'maxProperties':
      return `must have at most ${limit} members`;
    case 'minProperties':
      return `must have at least ${limit} member${limit === 1 ? '' : 's'}`;
    default:
      return 'does not have the form that the document gives';
  }
}

const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Where the fault is: the member that is missing or too much, else the value itself. */
function pointerOf({ keyword, params, instancePath }: ErrorObject): string {
  if (keyword === 'required') return `${instancePath}/${escapePointer(params['missingProperty'])}`;
  const extra = params['additionalProperty'] ?? params['unevaluatedProperty'];
  return extra === undefined ? instancePath : `${instancePath}/${escapePointer(extra)}`;
}

/**
 * A value that fits none of several schemas fails each in its own way. Only the faults of the one
 * that it comes nearest to help: fewest faults, and none that rules the kind of value out.
 */
function nearestBranches(errors: ErrorObject[]): ErrorObject[] {
  let left = errors;
  for (const union of errors) {
    if (union.keyword !== 'anyOf' && union.keyword !== 'oneOf') continue;
    const prefix = `${union.schemaPath}/`;
    const branchOf = (error: ErrorObject) =>
      error.schemaPath.startsWith(prefix)
        ? error.schemaPath.slice(prefix.length).split('/', 1)[0]
        : undefined;
    const weight = new Map<string, number>();
    for (const error of left) {
      const branch = branchOf(error);
      if (branch === undefined || !error.instancePath.startsWith(union.instancePath)) continue;
      weight.set(branch, (weight.get(branch) ?? 0) + (error.keyword === 'const' ? 100 : 1));
    }
    const nearest = [...weight].sort(([, a], [, b]) => a - b)[0]?.[0];
    if (nearest === undefined) continue;
    /** Where the value that tells the schemas apart fits none of them, each would have its own. */
    const widened = (error: ErrorObject): ErrorObject => {
      if (error.keyword !== 'const' || branchOf(error) === undefined) return error;
      const same = errors.filter((other) => other.keyword === 'const' && branchOf(other));
      const values = same.filter(({ instancePath }) => instancePath === error.instancePath);
      const allowedValues = values.map(({ params }) => params['allowedValue']);
      return { ...error, keyword: 'enum', params: { allowedValues } };
    };
    left = left
      .filter((error) => {
        const branch = branchOf(error);
        return error !== union && (branch === undefined || branch === nearest);
      })
      .map(widened);
  }
  return left;
}

/** The problem for a request part that its schema refuses. */
export function validationProblem(
  errors: FastifySchemaValidationError[],
  context: string | undefined,
): Problem {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  for (const error of nearestBranches(errors as unknown as ErrorObject[])) {
    if (error.keyword === 'if') continue; // what failed below it says why
    const pointer = pointerOf(error);
    const detail = wants(error);
    if (seen.has(`${pointer} ${detail}`)) continue;
    seen.add(`${pointer} ${detail}`);
    faults.push(
      context === 'body'
        ? { pointer, detail }
        : { parameter: pointer.slice(1).split('/', 1)[0] ?? '', detail },
    );
  }
  const shown = faults.slice(0, FAULTS_SHOWN);
  if (faults.length > shown.length)
    shown.push({ pointer: '', detail: `has ${faults.length - shown.length} faults more` });
  return invalidRequest(shown);
}
