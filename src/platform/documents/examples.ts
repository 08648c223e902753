import { isDeepStrictEqual } from 'node:util';

/**
 * A request and the answer to it, as the document shows them. Path and query parameters that are
 * not given here are those that the document has as examples.
 */
export interface Example {
  /** Names it within its operation, in kebab-case. */
  name: string;
  summary: string;
  path?: Record<string, string | number>;
  query?: Record<string, string | number | boolean>;
  headers?: Record<string, string>;
  /** Media type of the body; JSON unless given. */
  type?: string;
  body?: unknown;
  status: number;
  /** Media type of the answer; JSON unless given. */
  accept?: string;
  answer?: unknown;
}

/** By operationId. */
export type Examples = Record<string, Example[]>;

interface Media {
  example?: unknown;
  examples?: Record<string, { summary: string; value: unknown }>;
}

/** What is sent or answered, by its media types. */
export interface Body {
  content?: Record<string, Media>;
}

/** An operation of an OpenAPI document, as far as examples go. */
interface Exemplified {
  requestBody?: Body;
  responses: Record<string, Body>;
}

function show(media: Media | undefined, { name, summary }: Example, value: unknown, where: string) {
  if (!media)
    throw new Error(`${where} has an example "${name}" in a format that it does not have.`);
  delete media.example;
  media.examples = { ...media.examples, [name]: { summary, value } };
}

/** Puts the examples of an operation where OpenAPI has them. */
export function showExamples(operation: Exemplified, id: string, examples: Example[]): void {
  for (const example of examples) {
    const { type = 'application/json', body, status, answer } = example;
    const sent = operation.requestBody?.content?.[type];
    const isShown = Object.values(sent?.examples ?? {}).some((each) =>
      isDeepStrictEqual(each.value, body),
    );
    if (body !== undefined && !isShown) show(sent, example, body, id);
    if (answer === undefined) continue;
    const accept =
      status < 400 ? (example.accept ?? 'application/json') : 'application/problem+json';
    show(operation.responses[status]?.content?.[accept], example, answer, `${id} ${status}`);
  }
}
