// Loaded with the first piece of code, see markdown.ts.
import { standardLanguages, syntaxHighlight } from '@scalar/code-highlight';
import type { CodeOptions } from './markdown.ts';

export const highlight = (code: string, options: CodeOptions): string =>
  syntaxHighlight(code, { ...options, languages: standardLanguages });
