import { PROBLEM_TYPES, type ProblemSlug } from './problem-types.ts';

/** One fault of a request; `pointer` leads into the body (RFC 6901), else `parameter` names it. */
export type Fault = { detail: string } & ({ pointer: string } | { parameter: string });

interface ProblemOptions {
  errors?: Fault[];
  headers?: Record<string, string>;
}

/** An answer other than success, as RFC 9457 has it. Throw it; the error handler writes it. */
export class Problem extends Error {
  readonly slug: ProblemSlug;
  readonly status: number;
  readonly errors: Fault[] | undefined;
  readonly headers: Record<string, string>;

  /** `detail` tells the caller what to change; it never holds a secret or another's text. */
  constructor(slug: ProblemSlug, detail: string, options: ProblemOptions = {}) {
    super(detail);
    this.slug = slug;
    this.status = PROBLEM_TYPES[slug].status;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }
}

export const notFound = (detail: string) => new Problem('not-found', detail);

/** 400 that names every fault. */
export function invalidRequest(errors: Fault[]): Problem {
  const detail =
    errors.length === 1 && errors[0]
      ? `${'pointer' in errors[0] ? errors[0].pointer || 'The body' : errors[0].parameter} ${errors[0].detail}`
      : `${errors.length} faults; "errors" names each.`;
  return new Problem('invalid-request', detail, { errors });
}

export const unavailable = (detail: string, retryAfterSeconds = 5) =>
  new Problem('unavailable', detail, { headers: { 'retry-after': String(retryAfterSeconds) } });

export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance?: string;
  errors?: Fault[];
}

/** The body of the answer. `instance` is the path that was asked for, without its query. */
export function problemDocument(
  problem: Problem,
  publicUrl: string,
  instance?: string,
): ProblemDocument {
  return {
    type: `${publicUrl}/problems/${problem.slug}`,
    title: PROBLEM_TYPES[problem.slug].title,
    status: problem.status,
    detail: problem.message,
    ...(instance !== undefined && { instance }),
    ...(problem.errors && { errors: problem.errors }),
  };
}
