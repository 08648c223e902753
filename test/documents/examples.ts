import type { InjectOptions } from 'fastify';
import { expect } from 'vitest';
import type { Example } from '../../src/platform/documents/examples.ts';
import type { TestApp } from '../harness.ts';

interface Parameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
type Media = { examples?: Record<string, { value: unknown }> };
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  responses: Record<string, { content?: Record<string, Media> }>;
}
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter> };
}

export interface Sender {
  /** Where the service stands: its base path. */
  base?: string;
  /** Headers with the credentials that the operation takes. */
  authorize(operationId: string): Promise<Record<string, string>> | Record<string, string>;
  /** Makes true what an example takes for granted, by `operationId` or `operationId name`. */
  prepare?: Record<string, () => Promise<unknown>>;
  /** What is new in each answer, beside ids, times and secrets that every service makes. */
  made?: RegExp;
}

const valuesOf = ({ example, examples = {} }: Parameter): unknown[] =>
  example === undefined ? Object.values(examples).map(({ value }) => value) : [example];

interface Found {
  method: string;
  path: string;
  operation: Operation;
  parameters: Parameter[];
}

/** Every operation of the document, its parameters resolved. */
export const operationsOf = ({ paths, components }: Document): Found[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method,
      path,
      operation,
      parameters: (operation.parameters ?? []).map((each) =>
        each.$ref ? (components.parameters[each.$ref.split('/').at(-1) ?? ''] ?? each) : each,
      ),
    })),
  );

/** A body as its format has it: text and bytes are sent as they are, a form by its members. */
function payloadOf(type: string, body: unknown): string | Buffer {
  if (Buffer.isBuffer(body)) return body;
  if (type === 'application/json') return JSON.stringify(body);
  if (type !== 'application/x-www-form-urlencoded') return `${body}`;
  const members = Object.entries(body as object).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, `${each}`]),
  );
  return `${new URLSearchParams(members)}`;
}

function requestOf(
  { method, path, parameters }: Found,
  example: Partial<Example>,
  base: string,
): InjectOptions {
  const given = { ...example.path, ...example.query } as Record<string, unknown>;
  const valueOf = (parameter: Parameter) => given[parameter.name] ?? valuesOf(parameter)[0];
  const query = new URLSearchParams(
    parameters
      .filter((each) => each.in === 'query' && (each.required || each.name in given))
      .map((each): [string, string] => [each.name, `${valueOf(each)}`]),
  );
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
    return encodeURIComponent(`${parameter && valueOf(parameter)}`);
  });
  const type = example.type ?? 'application/json';
  return {
    method: method.toUpperCase() as 'GET',
    url: `${base}${filled}${query.size > 0 ? `?${query}` : ''}`,
    headers: {
      ...(example.body !== undefined && { 'content-type': type }),
      ...(example.accept !== undefined && { accept: example.accept }),
      ...example.headers,
    },
    ...(example.body !== undefined && { payload: payloadOf(type, example.body) }),
  };
}

/** What the server makes anew each time: ids, times, secrets and codes. */
const MADE =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|whsec_[\w+/=]+|[0-9a-z]{6}-[0-9a-z]{5}(?=")/g;
const forget = (made: RegExp | undefined, value: unknown): unknown =>
  made ? JSON.parse(JSON.stringify(value).replace(made, '*')) : value;

/** Sends an example as the document shows it, and holds the answer to what the document shows. */
export async function sendExample(
  t: TestApp,
  found: Found,
  example: Example,
  sender: Sender,
): Promise<void> {
  const { operationId } = found.operation;
  await sender.prepare?.[operationId]?.();
  await sender.prepare?.[`${operationId} ${example.name}`]?.();
  const request = requestOf(found, example, sender.base ?? '');
  const headers = { ...(await sender.authorize(operationId)), ...request.headers };
  const answer = await t.inject({ ...request, headers });
  const what = `${operationId} ${example.name}`;
  expect(answer.statusCode, `${what}: ${answer.body}`).toBe(example.status);
  if (example.answer === undefined) return;
  const isText = typeof example.answer === 'string' && example.accept !== undefined;
  const got = isText ? answer.body : answer.json();
  // What is read is as it is shown; what is changed has a new id, or time, or secret.
  const [shown, received] = [example.answer, got].map((each) => {
    const own = forget(sender.made, each);
    return found.method === 'get' ? own : forget(MADE, own);
  });
  expect(received, what).toEqual(shown);
}

/** Sends every example that a query parameter has, each by itself; all succeed. */
export async function sendParameterExamples(
  t: TestApp,
  document: Document,
  sender: Sender,
): Promise<void> {
  for (const found of operationsOf(document)) {
    if (found.method !== 'get') continue;
    const { operationId } = found.operation;
    for (const parameter of found.parameters) {
      if (parameter.in !== 'query') continue;
      for (const value of valuesOf(parameter)) {
        await sender.prepare?.[operationId]?.();
        const example = { query: { [parameter.name]: value as string } };
        const request = requestOf(found, example, sender.base ?? '');
        const headers = { ...(await sender.authorize(operationId)), ...request.headers };
        const { statusCode, body } = await t.inject({ ...request, headers });
        expect(statusCode, `${operationId} ${parameter.name}=${value}: ${body}`).toBeLessThan(400);
      }
    }
  }
}

/** Operations without an example of a success, and examples without their operation. */
export function unmatchedExamples(
  document: Document,
  examples: Record<string, Example[]>,
): string[] {
  const ids = operationsOf(document).map(({ operation }) => operation.operationId);
  const isShown = (id: string) => examples[id]?.some(({ status }) => status < 400);
  const strays = Object.keys(examples).filter((id) => !ids.includes(id));
  return [...ids.filter((id) => !isShown(id)), ...strays];
}

/** Every example with its operation, for `test.each`. */
export const casesOf = (document: Document, examples: Record<string, Example[]>) =>
  operationsOf(document).flatMap((found) =>
    (examples[found.operation.operationId] ?? []).map(
      (example) => [`${found.operation.operationId} ${example.name}`, found, example] as const,
    ),
  );
