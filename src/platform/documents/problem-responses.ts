import { Type } from '@sinclair/typebox';
import type { Example } from './examples.ts';
import { PROBLEM_EXAMPLES } from '../problems/problem-examples.ts';
import { PROBLEM_TYPES, type ProblemSlug } from '../problems/problem-types.ts';

export const ProblemSchema = Type.Object(
  {
    type: Type.String({
      format: 'uri',
      description: 'The kind of problem; leads to a page that explains it.',
    }),
    title: Type.String({ description: 'The kind of problem in a few words.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What is wrong with this request, and what to change.' }),
    instance: Type.Optional(Type.String({ description: 'The path that was asked for.' })),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            pointer: Type.Optional(Type.String({ description: 'Where in the body (RFC 6901).' })),
            parameter: Type.Optional(Type.String({ description: 'Which parameter.' })),
            detail: Type.String({ description: 'What is wrong with it.' }),
          },
          { xml: { name: 'i' } },
        ),
        { description: 'Every fault of the request.', xml: { wrapped: true } },
      ),
    ),
  },
  {
    $id: 'Problem',
    description: 'What went wrong, as RFC 9457 has it.',
    xml: { name: 'problem', namespace: 'urn:ietf:rfc:7807' },
  },
);

/** What a status means wherever it occurs, and the problems that every operation has with it. */
const STATUSES = {
  400: ['The request is not valid.', 'invalid-request', 'malformed-url'],
  401: ['Credentials are missing or not valid.', 'unauthorized'],
  403: ['The credentials do not allow this.', 'forbidden'],
  404: ['It does not exist, or is not yours.', 'not-found'],
  406: ['No acceptable format.', 'not-acceptable'],
  408: ['The request did not arrive in time.', 'request-timeout'],
  409: ['The state forbids it.'],
  412: ['The resource has changed.', 'precondition-failed'],
  413: ['The body is too large.', 'body-too-large'],
  414: ['A part of the path is too long.', 'uri-too-long'],
  415: ['The body has an unsupported format.', 'unsupported-media-type'],
  416: ['There is no such part.', 'range-not-satisfiable'],
  422: ['The Idempotency-Key was used for another request.', 'idempotency-key-reused'],
  429: ['Too many requests.', 'too-many-requests'],
  500: ['The fault is ours.', 'internal-error'],
  503: ['Not available now.', 'unavailable'],
} as const satisfies Record<number, readonly [string, ...ProblemSlug[]]>;

type Status = keyof typeof STATUSES;

/** Where an operation with these statuses has problems by that alone. */
const IMPLIED: [status: Status, also: ProblemSlug][] = [
  [415, 'malformed-body'],
  [422, 'idempotency-key-in-use'],
];
/** What every operation can answer. */
const EVERYWHERE: Exclude<Status, 409>[] = [406, 429, 500, 503];

/** Which problems each status stands for; the document takes its texts and examples from them. */
export const PROBLEMS = Symbol('problems');

export interface ProblemResponse {
  description: string;
  content: Record<string, { schema: unknown }>;
  [PROBLEMS]: readonly ProblemSlug[];
}

type Named = Exclude<Status, 409> | ProblemSlug;

/** Responses for these statuses and problems, and for what they imply. */
export function refusalsOf(...named: Named[]): Record<number, ProblemResponse> {
  const slugs = new Map<number, ProblemSlug[]>();
  const add = (slug: ProblemSlug) => {
    const { status } = PROBLEM_TYPES[slug];
    const of = slugs.get(status) ?? [];
    if (!of.includes(slug)) slugs.set(status, [...of, slug]);
  };
  for (const each of named) {
    if (typeof each === 'string') add(each);
    else for (const slug of STATUSES[each].slice(1) as ProblemSlug[]) add(slug);
  }
  for (const [status, also] of IMPLIED) if (slugs.has(status)) add(also);
  return Object.fromEntries([...slugs].map(([status, of]) => [status, response(status, of)]));
}

/**
 * Responses with a problem: for these statuses, for these problems (a conflict has no meaning of
 * its own, so its problems are named), and for what every operation can answer.
 */
export const problemResponses = (...named: Named[]) => refusalsOf(...EVERYWHERE, ...named);

const response = (status: number, problems: ProblemSlug[]): ProblemResponse => ({
  description: STATUSES[status as Status][0],
  content: {
    'application/problem+json': { schema: Type.Ref('Problem') },
    'application/problem+xml': { schema: Type.Ref('Problem') },
  },
  [PROBLEMS]: problems,
});

const inPascalCase = (slug: string) =>
  slug.replace(/(^|-)(.)/g, (_, _dash, letter: string) => letter.toUpperCase());

/** What a response with these problems is called among the shared ones: after the first. */
export const responseName = (slugs: readonly ProblemSlug[]): string =>
  slugs[0] === 'invalid-request' && !slugs.includes('malformed-body')
    ? 'InvalidParameters'
    : inPascalCase(slugs[0] ?? '');

const typeOf = (slug: ProblemSlug, publicUrl: string) => `${publicUrl}/problems/${slug}`;

/** The description of a response with these problems; their pages are in the examples, as `type`. */
export const explained = (description: string, slugs: readonly ProblemSlug[]) =>
  `${description} Problem ${slugs.length > 1 ? 'types' : 'type'}: ${slugs
    .map((slug) => `\`${slug}\``)
    .join(', ')}.`;

/** A problem of this type, wherever it was met. */
function exampleOf(slug: ProblemSlug, publicUrl: string, ownWords?: string) {
  const { title, status } = PROBLEM_TYPES[slug];
  const { detail, errors } = PROBLEM_EXAMPLES[slug];
  const problem = { type: typeOf(slug, publicUrl), title, status, detail: ownWords ?? detail };
  return { ...problem, ...(errors && { errors }) };
}

/** A request that ends in the problem `slug`, at the path `instance`; it takes the general one's place. */
export function problemExample(
  slug: ProblemSlug,
  publicUrl: string,
  instance: string,
  request: Partial<Example> & { answer?: object },
): Example {
  const { status, ...shown } = exampleOf(slug, publicUrl);
  return {
    summary: shown.title,
    ...request,
    name: slug,
    status,
    answer: { ...shown, status, instance, ...request.answer },
  };
}

/** What a service says of its problems, where it has its own words. */
export type Details = Partial<Record<ProblemSlug, string>>;

/** One example a problem, by its slug. */
export const examplesOf = (slugs: readonly ProblemSlug[], publicUrl: string, details: Details) =>
  Object.fromEntries(
    slugs.map((slug) => {
      const value = exampleOf(slug, publicUrl, details[slug]);
      return [slug, { summary: value.title, value }];
    }),
  );
