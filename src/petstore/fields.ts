import { type StringOptions, Type } from '@sinclair/typebox';
import { problemResponses } from '../platform/documents/problem-responses.ts';

/** The widest ids: beyond them a JavaScript number is no longer one integer. */
const GREATEST_ID = Number.MAX_SAFE_INTEGER;

export const Id = (description: string, example: number) =>
  Type.Integer({
    format: 'int64',
    minimum: -GREATEST_ID,
    maximum: GREATEST_ID,
    description,
    examples: [example],
  });

/** Text of one line: no control characters, and nothing that XML or UTF-8 cannot hold. */
export const Line = (options: StringOptions) =>
  Type.String({
    pattern: '^[^\\p{Cc}\\p{Cs}\\uFFFE\\uFFFF]*$',
    'x-takes': 'text without control characters',
    ...options,
  });

/** The same, with something to read in it. */
export const Name = (options: StringOptions) =>
  Line({
    minLength: 1,
    pattern: '^(?=.*[^\\s\\p{C}])[^\\p{Cc}\\p{Cs}\\uFFFE\\uFFFF]*$',
    'x-takes': 'a name: not blank, and without control characters',
    ...options,
  });

/** The problems of an operation that has one answer, whatever the header Accept says. */
export function problemsOfAnyAccept(...named: Parameters<typeof problemResponses>) {
  const { 406: _notAcceptable, ...problems } = problemResponses(...named);
  return problems;
}

/** The schema of an answer without a body, which is sent as `undefined`. */
export const Nothing = (description: string) => Type.Unsafe<undefined>(Type.Null({ description }));
