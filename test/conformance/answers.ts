import { parseText } from '../../src/platform/http/validation.ts';
import type { Node, Target } from './documents.ts';
import type { Schema } from './schemas.ts';

/** What a client got. */
export interface Answer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string | string[]>;
  body: Buffer;
}

/** Headers that no document lists. */
const UNLISTED = new RegExp(
  `^(${[
    // What HTTP frames a message with.
    'connection|content-length|content-type|date|keep-alive|transfer-encoding',
    // For caches and browsers, the same whatever the operation.
    'vary|access-control-.*|x-content-type-options',
    // What guards the pages.
    'content-security-policy|cross-origin-(opener|resource)-policy|permissions-policy',
    'referrer-policy|x-frame-options|x-robots-tag|strict-transport-security',
  ].join('|')})$`,
);

/** Where these refuse a request, no operation was asked: the address, the quota, the method. */
const BEFORE_METHODS = [400, 405, 429];

/** The content of every refusal, by the name that its schema has in all documents. */
const PROBLEM = Object.fromEntries(
  ['json', 'xml'].map((format) => [
    `application/problem+${format}`,
    { schema: { $ref: '#/components/schemas/Problem' } },
  ]),
);

const essence = (type: string) => type.split(';', 1)[0]?.trim().toLowerCase() ?? '';

const entries = (node: unknown) => Object.entries((node ?? {}) as Record<string, Node>);

/** Everything in `answer` that the document does not say, a sentence each. */
export function faultsOf(target: Target, answer: Answer): string[] {
  const { document, method, path, operations } = target;
  const isHead = method === 'head';
  const operation = operations[method] ?? (isHead ? operations['get'] : undefined);
  if (method === 'options') return [];
  if (!operation) return faultsOfRefusal(target, answer);

  const name = `${method.toUpperCase()} ${path} (${operation['operationId']})`;
  const responses = operation['responses'] as Record<string, Node>;
  const response = responses[answer.status] ?? responses[`${answer.status}`.replace(/..$/, 'XX')];
  if (!response) return [`${name} answers the undocumented status ${answer.status}`];
  const { headers, content } = document.resolve(response);
  return [
    ...faultsOfHeaders(target, headers, answer.headers),
    ...faultsOfBody(target, content, answer, isHead),
  ].map((fault) => `${name} ${answer.status}: ${fault}`);
}

/** A method that the document does not have is refused with those that it has. */
function faultsOfRefusal(target: Target, answer: Answer): string[] {
  const { method, path, operations } = target;
  const { status, headers } = answer;
  const name = `${method.toUpperCase()} ${path}`;
  if (!BEFORE_METHODS.includes(status))
    return [`${name} answers ${status}, and the document has no such operation`];
  const faults = faultsOfBody(target, PROBLEM, answer, method === 'head');
  const has = Object.keys(operations).map((each) => each.toUpperCase());
  const wanted = [...has, ...(operations['get'] ? ['HEAD'] : []), 'OPTIONS'].toSorted().join(', ');
  const sent = `${headers['allow']}`.split(/, */).toSorted().join(', ');
  if (status === 405 && wanted !== sent)
    faults.push(`Allow has ${sent}, and the document ${wanted}`);
  return faults.map((fault) => `${name} ${status}: ${fault}`);
}

function faultsOfHeaders(
  { document }: Target,
  documented: unknown,
  sent: Answer['headers'],
): string[] {
  const faults: string[] = [];
  const listed = new Map(
    entries(documented).map(([name, header]) => [name.toLowerCase(), document.resolve(header)]),
  );
  for (const [name, value] of Object.entries(sent)) {
    const schema = listed.get(name)?.['schema'] as Node | undefined;
    if (!listed.has(name)) {
      if (!UNLISTED.test(name)) faults.push(`the header ${name} is undocumented`);
    } else if (schema) {
      const { type } = document.resolve(schema);
      const read = [value].flat().map((each) => parseText({ type }, each));
      for (const one of read)
        for (const fault of document.schemas.faults(schema as Schema, one))
          faults.push(`the header ${name} "${one}": ${fault}`);
    }
  }
  for (const [name, { required }] of listed)
    if (required === true && sent[name] === undefined)
      faults.push(`the required header ${name} is missing`);
  return faults;
}

function faultsOfBody(
  { document }: Target,
  content: unknown,
  { headers, body }: Answer,
  isHead: boolean,
): string[] {
  const types = entries(content);
  const type = headers['content-type'];
  if (types.length === 0) {
    const faults = type === undefined ? [] : [`the content type ${type} is undocumented`];
    return body.length === 0 ? faults : [...faults, 'a body, and none is documented'];
  }
  if (type === undefined) return ['no content type, and a body is documented'];
  const sent = essence(`${type}`);
  const media = types.find(([documented]) => essence(documented) === sent);
  if (!media) return [`the content type ${sent} is undocumented`];
  if (isHead) return body.length === 0 ? [] : ['a body, and this is HEAD'];
  if (body.length === 0 && !sent.startsWith('text/')) return ['no body, and one is documented'];
  const schema = media[1]['schema'] as Schema | undefined;
  const isJson = /[/+]json$/.test(sent);
  if (schema === undefined || !(isJson || /[/+]xml$/.test(sent))) return [];
  let value: unknown;
  try {
    value = isJson ? JSON.parse(body.toString('utf8')) : document.schemas.readXml(schema, body);
  } catch (error) {
    return [`the body is not ${sent} of its schema: ${(error as Error).message}`];
  }
  return document.schemas.faults(schema, value);
}
