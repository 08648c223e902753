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

export const instant = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-07-31T09:30:00Z'] });

/** In the description of operations that the service has more than its published document. */
export const BEYOND = 'Beyond the published document of the service.';

/** An id as an answer shows it. */
export const shownId = (prefix: string, what: string) =>
  Type.String({
    readOnly: true,
    description: `Identifier of the ${what}.`,
    examples: [`${prefix}_0190f3a2-7c1e-7b4a-9d3e-5f6a7b8c9d0e`],
  });

const UUID = '[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}';

/** The path parameter of a single resource. */
export const idParams = (prefix: string, what: string) =>
  Type.Object({
    id: Type.String({
      pattern: `^${prefix}_${UUID}$`,
      'x-takes': `an id such as ${prefix}_0190f3a2-7c1e-7b4a-9d3e-5f6a7b8c9d0e`,
      description: `Identifier of the ${what}.`,
    }),
  });

/** The UUID of an id with its prefix. */
export const uuidOf = (id: string): string => id.slice(id.indexOf('_') + 1).toLowerCase();

/** Read-only members may be sent back as they came; they are ignored. */
export const ignored = () => Type.Optional(Type.Unknown({ readOnly: true }));
