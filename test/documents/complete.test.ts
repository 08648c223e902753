import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PROBLEM_TYPES } from '../../src/platform/problems/problem-types.ts';
import { operationsOf } from './examples.ts';

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Every object below `value`, with where it is. */
function* walk(value: unknown, at = ''): Generator<[at: string, value: Json]> {
  if (!isObject(value)) return;
  yield [at, value];
  for (const [key, inner] of Object.entries(value))
    if (key !== 'example' && key !== 'examples') yield* walk(inner, `${at}/${key}`);
}

const isSchemaObject = (value: Json) => isObject(value['properties']) && !Array.isArray(value);

describe.each(['train', 'petstore', 'museum', 'learning'])('the document of %s', (service) => {
  const document = JSON.parse(readFileSync(`openapi/${service}.json`, 'utf8'));
  const operations = operationsOf(document).map(({ method, path, operation, parameters }) => ({
    what: `${method} ${path}`,
    operation: operation as unknown as Json & {
      tags: string[];
      requestBody?: { content: Record<string, Json> };
      responses: Record<string, Json & { description?: string; content?: Record<string, Json> }>;
    },
    parameters,
  }));

  it('says of each operation what it does', () => {
    const lacking = operations.flatMap(({ what, operation }) =>
      ['operationId', 'summary', 'description', 'tags', 'security']
        .filter((member) => !operation[member] && !(member === 'security' && document.security))
        .map((member) => `${what}: ${member}`),
    );
    expect(lacking).toEqual([]);
    const used = new Set(operations.flatMap(({ operation }) => operation.tags));
    const told = document.tags.filter((tag: Json) => tag['description']);
    expect(told.map((tag: Json) => tag['name']).toSorted()).toEqual([...used].toSorted());
  });

  it('describes every parameter, member and response', () => {
    const lacking = [...walk(document.components.schemas)].flatMap(([at, schema]) =>
      isSchemaObject(schema)
        ? Object.entries(schema['properties'] as Json)
            .filter(([, member]) => isObject(member) && !member['description'] && !member['$ref'])
            .map(([name]) => `${at} ${name}`)
        : [],
    );
    for (const { what, operation, parameters } of operations) {
      for (const { name, ...parameter } of parameters)
        if (!('description' in parameter)) lacking.push(`${what}: ${name}`);
      for (const [status, response] of Object.entries(operation.responses))
        if (!response['$ref'] && /^(Default Response)?$/.test(response.description ?? ''))
          lacking.push(`${what}: ${status}`);
    }
    expect(lacking).toEqual([]);
  });

  it('has an example of every parameter, body and answer', () => {
    const hasExample = (media: Json) => media['example'] !== undefined || media['examples'];
    const isText = (type: string) => /json|xml|urlencoded/.test(type) && !type.includes('problem');
    const lacking = operations.flatMap(({ what, operation, parameters }) => {
      const bodies = Object.entries(operation.requestBody?.content ?? {});
      const answers = Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
        Object.entries(content).map(([type, media]) => [`${status} ${type}`, media] as const),
      );
      return [
        ...parameters.filter((each) => !hasExample({ ...each })).map(({ name }) => name),
        ...[...bodies, ...answers]
          .filter(([type, media]) => isText(type) && !hasExample(media))
          .map(([type]) => type),
      ].map((name) => `${what}: ${name}`);
    });
    expect(lacking).toEqual([]);
  });

  it('has nothing twice that could be shared', () => {
    const seen = new Map<string, string>();
    const twins: string[] = [];
    for (const [at, schema] of walk({
      paths: document.paths,
      schemas: document.components.schemas,
    })) {
      if (!isSchemaObject(schema)) continue;
      const text = JSON.stringify(schema);
      if (seen.has(text)) twins.push(`${seen.get(text)} and ${at}`);
      seen.set(text, at);
    }
    expect(twins).toEqual([]);
  });

  it('is written out in YAML', () => {
    const yaml = readFileSync(`openapi/${service}.yaml`, 'utf8');
    expect(yaml.match(/^ *(- )?([\w/{}"-]+: )?[&*]\w+$/gm) ?? []).toEqual([]);
  });

  it('lists every kind of problem that it can answer, each with its page', () => {
    const text = JSON.stringify(document);
    const named = [...text.matchAll(/\/problems\/([\w-]+)/g)].map(([, slug]) => slug ?? '');
    expect(named.length).toBeGreaterThan(10);
    for (const slug of named) expect(Object.keys(PROBLEM_TYPES)).toContain(slug);
  });
});
