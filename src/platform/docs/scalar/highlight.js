// Loaded with the first piece of code, see markdown.js.
import { standardLanguages, syntaxHighlight } from '@scalar/code-highlight';

export const highlight = (code, options) =>
  syntaxHighlight(code, { ...options, languages: standardLanguages });
