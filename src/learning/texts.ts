import { Type } from '@sinclair/typebox';

interface Details {
  description: string;
  examples?: string[];
}

/** A name: one line, something visible in it, and nothing that a terminal or a database trips over. */
export const line = (maxLength: number, details: Details) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^(?=.*[^\\s\\p{C}])[^\\p{Cc}\\p{Cs}]*$',
    'x-takes': 'one line of text: not blank, and without control characters',
    ...details,
  });

// Tab and the ends of lines are control characters that text has.
const TEXT = '[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\p{Cs}]*$';

/** Text of one line or several, not blank. */
export const text = (maxLength: number, details: Details) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: `^(?=[\\s\\S]*[^\\s\\p{C}])${TEXT}`,
    'x-takes': 'text: not blank, and without control characters other than tabs and line ends',
    ...details,
  });

export const ANSWER_PATTERN = {
  pattern: `^${TEXT}`,
  'x-takes': 'text without control characters other than tabs and line ends',
};

/** Whose activity it is. Short enough to be part of a path, with its prefix. */
export const user = (description: string) =>
  Type.String({
    pattern: '^(?=(usr_)?[\\s\\S]{1,96}$)(?!\\s)[^\\p{Cc}\\p{Cs}]*(?<!\\s)$',
    'x-takes': 'text of 1 to 96 characters, no control characters, no space at its ends',
    description: `${description} \`abc123\` and \`usr_abc123\` are the same user; case makes a difference.`,
    examples: ['abc123'],
  });

export const instant = (description: string, example = '2024-02-01T09:30:00Z') =>
  Type.String({ format: 'date-time', description, examples: [example] });

/** A time as an answer shows it, of what the server alone sets. */
export const shownInstant = (description: string) =>
  Type.String({
    format: 'date-time',
    readOnly: true,
    description,
    examples: ['2024-02-01T09:30:00.000Z'],
  });

/** A number of things. */
export const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

/** A part of a whole, from 0 to 1. */
export const share = (description: string, example: number) =>
  Type.Number({ minimum: 0, maximum: 1, description, examples: [example] });

/** Ends the description of operations that the service has more than its published document. */
export const BEYOND = '(Not in the published document of the service.)';

const UUID = '[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}';
const PREFIXES = ['quiz', 'cklst', 'badge', 'asmt', 'score', 'id'] as const;
type Prefix = (typeof PREFIXES)[number];

/** The id that examples have of each kind. */
export const exampleId = (prefix: Prefix): string =>
  `${prefix}_0190f3a2-7c1e-7b4a-9d3e-5f6a7b8c9d0${PREFIXES.indexOf(prefix)}`;

/** An id as an answer shows it. */
export const shownId = (prefix: Prefix, what: string) =>
  Type.String({
    readOnly: true,
    pattern: `^${prefix}_${UUID}$`,
    description: `Identifier of the ${what}.`,
    examples: [exampleId(prefix)],
  });

/** The path parameter of a single resource. */
export const idParams = (prefix: Prefix, what: string) =>
  Type.Object({
    id: Type.String({
      pattern: `^${prefix}_${UUID}$`,
      'x-takes': `an id such as ${exampleId(prefix)}`,
      description: `Identifier of the ${what}.`,
      examples: [exampleId(prefix)],
    }),
  });

/** The UUID of an id with its prefix. */
export const uuidOf = (id: string): string => id.slice(id.indexOf('_') + 1).toLowerCase();
