import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { type ZipEntry, zipEntry } from './zip.ts';

const PASS_LANGUAGES = ['en', 'fr', 'de'] as const;
type PassLanguage = (typeof PASS_LANGUAGES)[number];

export interface DesignOptions {
  /** Directory of the images: icon.png, icon@2x.png, icon@3x.png and so on. */
  images: URL;
  organizationName: string;
  logoText?: string;
  /** As `rgb(r, g, b)`. */
  colors: { foreground: string; background: string; label: string };
  /**
   * Key to text in each language. Where a label, a value, the description or a name of the pass is a
   * key, the pass has the English text, and a device shows it in its own language.
   */
  texts: Record<PassLanguage, Record<string, string>>;
}

/** What all passes of a service have in common. */
export interface PassDesign {
  /** Members of pass.json. */
  members: Record<string, string>;
  /** The English texts by their keys. */
  english: ReadonlyMap<string, string>;
  /** Images and texts. */
  files: readonly ZipEntry[];
  /** SHA-1 in hex of each file, as the manifest wants it. */
  digests: Record<string, string>;
  /** Of all of the above. */
  fingerprint: string;
}

/**
 * A .strings file, "key" = "text"; a line. Its keys are the English texts: what a reader shows that
 * knows no .strings, or none in its language.
 */
function stringsFile(language: PassLanguage, { en, ...others }: DesignOptions['texts']): Buffer {
  const lines = new Map<string, string>();
  for (const [key, english] of Object.entries(en)) {
    const text = { en, ...others }[language][key];
    if (text === undefined) throw new Error(`${key} has no text in ${language}.`);
    if ((lines.get(english) ?? text) !== text)
      throw new Error(`${key} is not the only text that is "${english}" in English.`);
    lines.set(english, text);
  }
  return Buffer.from(
    [...lines].map(([english, text]) => `${quote(english)} = ${quote(text)};\n`).join(''),
  );
}

const quote = (text: string) =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;

/** Reads and hashes what does not change; call it once, when routes are registered. */
export function loadDesign(options: DesignOptions): PassDesign {
  const { images, organizationName, logoText, colors, texts } = options;
  const names = readdirSync(images).filter((name) => name.endsWith('.png'));
  // A pass without an icon is refused by devices, without a word.
  for (const name of ['icon.png', 'icon@2x.png', 'icon@3x.png'])
    if (!names.includes(name)) throw new Error(`${images.pathname} has no ${name}.`);
  const files = [
    ...names.toSorted().map((name) => zipEntry(name, readFileSync(new URL(name, images)))),
    ...PASS_LANGUAGES.map((language) =>
      zipEntry(`${language}.lproj/pass.strings`, stringsFile(language, texts)),
    ),
  ];
  const english = new Map(Object.entries(texts.en));
  const translated = (name: string) => english.get(name) ?? name;
  const members = {
    organizationName: translated(organizationName),
    ...(logoText !== undefined && { logoText: translated(logoText) }),
    foregroundColor: colors.foreground,
    backgroundColor: colors.background,
    labelColor: colors.label,
  };
  const digests = Object.fromEntries(files.map(({ name, bytes }) => [name, sha1(bytes)]));
  const fingerprint = sha1(JSON.stringify([members, [...english], digests]));
  return { members, english, files, digests, fingerprint };
}

/** In hex. */
export const sha1 = (bytes: string | Uint8Array): string => hash('sha1', bytes, 'hex');
