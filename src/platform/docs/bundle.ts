import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hash } from 'node:crypto';
import { type CompressedText, compressedFile, compressedText } from '../http/compression.ts';

/** What scalar/build.mjs makes: a module with its parts, and their style. */
const SCALAR = new URL('../../../dist/docs/', import.meta.url);
const ENTRY = 'scalar.js';
const STYLE = 'style.css';
/** Our own scripts, which start and mend it. */
const OURS = ['reference.js', 'accessibility.js'];
const JAVASCRIPT = 'text/javascript; charset=utf-8';

export interface Bundle {
  /** Changes with every file: names of parts hold their hash, and the module names its parts. */
  version: string;
  /** The scripts that it cannot start without. */
  eager: string[];
  /** A file of it, ready to be sent; undefined: there is none of this name. */
  open(name: string): Promise<CompressedText> | undefined;
}

/** The files that this one imports by a statement; those of `import()` can wait. */
const importsOf = (name: string): string[] =>
  [...readFileSync(new URL(name, SCALAR), 'utf8').matchAll(/(?:from|import)"(\.[^"]+)"/g)].map(
    ([, path = '']) => new URL(path, new URL(name, SCALAR)).href.slice(SCALAR.href.length),
  );

function withImports(name: string, found: Set<string> = new Set()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const each of importsOf(name)) withImports(each, found);
  return found;
}

function openBundle(): Bundle {
  const locations = new Map(OURS.map((name) => [name, new URL(name, import.meta.url)]));
  for (const entry of readdirSync(SCALAR, { recursive: true, encoding: 'utf8' })) {
    const name = entry.replaceAll('\\', '/');
    if (/\.(js|css)$/.test(name)) locations.set(name, new URL(name, SCALAR));
  }
  const load = async (name: string, location: URL) =>
    OURS.includes(name)
      ? compressedText(JAVASCRIPT, await readFile(location))
      : compressedFile(name === STYLE ? 'text/css; charset=utf-8' : JAVASCRIPT, location);
  const read = (name: string) => readFileSync(locations.get(name) as URL);
  const made = new Map<string, Promise<CompressedText>>();
  return {
    version: hash('sha1', Buffer.concat([ENTRY, STYLE, ...OURS].map(read))).slice(0, 12),
    eager: ['accessibility.js', ...withImports(ENTRY)],
    open(name) {
      const location = locations.get(name);
      if (!location) return undefined;
      const file = made.get(name) ?? load(name, location);
      made.set(name, file);
      return file;
    },
  };
}

let opened: Bundle | undefined;
/** That of the process: nothing of it is read before somebody looks at /docs. */
export const bundle = (): Bundle => (opened ??= openBundle());

/** False where nobody has built it: better known as the server starts than to who looks at /docs. */
export const hasBundle = (): boolean => existsSync(SCALAR);
