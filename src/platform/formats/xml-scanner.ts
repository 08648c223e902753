import { invalidRequest, Problem } from '../problems/problems.ts';
import { DEEPEST, MOST_VALUES, tooDeep, tooMany } from './json-reader.ts';
import { NOT_XML } from './text.ts';
import { DECLARATION, ENTITY, IS_PLAIN_NAME, NAME, NAMED } from './xml-grammar.ts';

const MOST_FAULTS = 100;
/** Problems name them. */
const LONGEST_NAME = 100;

/**
 * The tokens of an XML document, for a reader that knows what must come next. It takes what data
 * need and refuses the rest by name: no DOCTYPE, so no entities but the five; no processing
 * instructions. What is not well-formed ends in a problem that says where.
 */
export class XmlScanner {
  readonly #text: string;
  /** Whether an ampersand or the end of a CDATA section is anywhere: mostly neither is. */
  readonly #isPlain: boolean;
  #at = 0;
  #elements = 0;
  #isEmpty = false;
  readonly #faults: { pointer: string; detail: string }[] = [];

  constructor(text: string) {
    this.#text = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
    this.#at = this.#text.charCodeAt(0) === 0xfeff ? 1 : 0;
    this.#isPlain = !this.#text.includes('&') && !this.#text.includes(']]>');
    const bad = NOT_XML.exec(this.#text);
    if (bad) this.malformed('it has a control character', bad.index);
  }

  /** Throws: the document is not well-formed XML, or has what is not taken. */
  malformed(reason: string, at = this.#at): never {
    const before = this.#text.slice(0, at).split('\n');
    const column = (before.at(-1)?.length ?? 0) + 1;
    throw new Problem(
      'malformed-body',
      `The body is not XML that is taken here: ${reason} (line ${before.length}, column ${column}).`,
    );
  }

  /** Notes that the element being read is XML, but not of this form. */
  fault(detail: string): void {
    if (this.#faults.length < MOST_FAULTS) this.#faults.push({ pointer: '', detail });
  }

  /** How many faults there are, for `within`. */
  get faults(): number {
    return this.#faults.length;
  }

  /** The faults since there were `before` are in the member `key`, or below it. */
  within(key: string | number, before: number): void {
    // No name in XML has a character that a pointer would escape.
    for (const fault of this.#faults.slice(before)) fault.pointer = `/${key}${fault.pointer}`;
  }

  /** What stands before the root element; then its name. */
  begin(): string {
    DECLARATION.lastIndex = this.#at;
    const declaration = DECLARATION.exec(this.#text);
    if (declaration) {
      const [whole, , version, , encoding = 'utf-8'] = declaration;
      if (version !== '1.0') this.malformed('its version must be 1.0');
      if (!/^utf-?8$/i.test(encoding)) this.malformed('its encoding must be UTF-8');
      this.#at += whole.length;
    }
    this.#misc();
    if (this.#text[this.#at] !== '<') this.malformed('an element must come here');
    return this.#open();
  }

  /** Nothing may come any more; throws the faults, if there are any. */
  end(): void {
    this.#misc();
    if (this.#at < this.#text.length) this.malformed('nothing may follow the root element');
    if (this.#faults.length > 0) throw invalidRequest(this.#faults);
  }

  /**
   * The name of the next child, whose start tag is read; undefined at the end of the parent, whose
   * end tag is read. Text between children is a fault.
   */
  child(parent: string): string | undefined {
    if (this.#isEmpty) {
      this.#isEmpty = false;
      return undefined;
    }
    for (;;) {
      if (this.#text.charCodeAt(this.#at) !== 0x3c) this.#noText(this.#textBefore());
      if (this.#closes(parent)) return undefined;
      if (this.#text.charCodeAt(this.#at + 1) !== 0x21) return this.#open();
      if (!this.#comment()) this.#noText(this.#cdata());
    }
  }

  #noText(text: string): void {
    if (text !== '' && /[^ \t\n]/.test(text)) this.fault('has text beside its elements; remove it');
  }

  /** The text of the element that was just opened; its end tag is read. */
  leaf(name: string): string {
    if (this.#isEmpty) {
      this.#isEmpty = false;
      return '';
    }
    let text = this.#textBefore();
    let hasElements = false;
    while (!this.#closes(name)) {
      if (this.#text[this.#at + 1] === '!') {
        if (!this.#comment()) text += this.#cdata();
      } else {
        this.skip(this.#open());
        hasElements = true;
      }
      text += this.#textBefore();
    }
    if (hasElements) this.fault('must hold text, not elements');
    return text;
  }

  /** Passes over what is in the element that was just opened. */
  skip(name: string): void {
    const open = [name];
    for (let parent = open.at(-1); parent !== undefined; parent = open.at(-1)) {
      if (this.#isEmpty || (this.#textBefore(), this.#closes(parent))) {
        this.#isEmpty = false;
        open.pop();
      } else if (this.#text[this.#at + 1] !== '!') {
        open.push(this.#open());
        if (open.length > DEEPEST) throw tooDeep();
      } else if (!this.#comment()) this.#cdata();
    }
  }

  /** Text up to the next tag, with its entities replaced. */
  #textBefore(): string {
    const from = this.#at;
    const to = this.#text.indexOf('<', from);
    if (to < 0) this.malformed('it ends too early', this.#text.length);
    this.#at = to;
    const text = this.#text.slice(from, to);
    if (this.#isPlain) return text;
    const end = text.indexOf(']]>');
    if (end >= 0) this.malformed('"]]>" ends what did not begin', from + end);
    return this.#decode(text, from);
  }

  #decode(text: string, from: number): string {
    let at = text.indexOf('&');
    if (at < 0) return text;
    let decoded = '';
    let done = 0;
    for (; at >= 0; at = text.indexOf('&', done)) {
      ENTITY.lastIndex = at;
      const [whole, name, decimal, hex] = ENTITY.exec(text) ?? [];
      if (whole === undefined)
        this.malformed('no entity is known but lt, gt, amp, apos and quot', from + at);
      decoded += text.slice(done, at);
      decoded += name
        ? NAMED[name as keyof typeof NAMED]
        : this.#character(decimal, hex, from + at);
      done = at + whole.length;
    }
    return decoded + text.slice(done);
  }

  #character(decimal: string | undefined, hex: string | undefined, at: number): string {
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    if (code > 0x10ffff || isSurrogate || NOT_XML.test(String.fromCodePoint(code)))
      this.malformed('a character reference names no character of XML', at);
    return String.fromCodePoint(code);
  }

  /** Reads the end tag of `name` where it comes next. */
  #closes(name: string): boolean {
    const text = this.#text;
    const at = this.#at;
    if (text.charCodeAt(at + 1) !== 0x2f) return false;
    const after = at + 2 + name.length;
    if (!text.startsWith(name, at + 2)) this.malformed(`</${name}> must come here`);
    this.#at = after;
    if (text.charCodeAt(after) !== 0x3e) {
      this.#space();
      if (text.charCodeAt(this.#at) !== 0x3e) this.malformed(`</${name}> must come here`, at);
    }
    this.#at += 1;
    return true;
  }

  /** A start tag; answers its name. */
  #open(): string {
    this.#elements += 1;
    if (this.#elements > MOST_VALUES) throw tooMany('elements');
    const next = this.#text.charCodeAt(this.#at + 1);
    if (next === 0x3f) this.malformed('processing instructions are not taken');
    if (next === 0x21) this.malformed('a document type is not taken');
    this.#at += 1;
    const name = this.#name();
    if (this.#text.charCodeAt(this.#at) === 0x3e) this.#at += 1;
    else this.#attributes(name);
    return name;
  }

  #name(): string {
    const from = this.#at;
    let to = from;
    while (IS_PLAIN_NAME[this.#text.charCodeAt(to)] === 1) to += 1;
    // Nearly every name is letters up to the end of the tag.
    if (to > from && to - from <= LONGEST_NAME && this.#text.charCodeAt(to) === 0x3e) {
      this.#at = to;
      return this.#text.slice(from, to);
    }
    NAME.lastIndex = from;
    const name = NAME.exec(this.#text)?.[0] ?? this.malformed('a name must come here');
    if (name.length > LONGEST_NAME) this.malformed('a name is too long');
    this.#at += name.length;
    return name;
  }

  #space(): boolean {
    const from = this.#at;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x09) return this.#at > from;
      this.#at += 1;
    }
  }

  /** The rest of a start tag. Members are elements, so an attribute is a fault. */
  #attributes(element: string): void {
    const seen = new Set<string>();
    for (;;) {
      const isApart = this.#space();
      if (this.#text[this.#at] === '>') break;
      if (this.#text.startsWith('/>', this.#at)) {
        this.#isEmpty = true;
        this.#at += 1;
        break;
      }
      const at = this.#at;
      const name = this.#name();
      if (!isApart || seen.has(name)) this.malformed(`the attribute ${name} cannot stand here`, at);
      seen.add(name);
      if (seen.size > MOST_FAULTS) this.malformed('an element has too many attributes');
      this.#space();
      if (this.#text[this.#at] !== '=') this.malformed('= must come here');
      this.#at += 1;
      this.#space();
      const quote = this.#text[this.#at];
      if (quote !== '"' && quote !== "'") this.malformed('a quote must come here');
      const end = this.#text.indexOf(quote, this.#at + 1);
      if (end < 0) this.malformed('a quote is not closed');
      const raw = this.#text.slice(this.#at + 1, end);
      if (raw.includes('<')) this.malformed('an attribute cannot hold <');
      const value = this.#decode(raw, this.#at + 1);
      this.#at = end + 1;
      // Libraries declare prefixes that they do not use, and that there is no namespace.
      if (name.startsWith('xmlns:') || (name === 'xmlns' && value === '')) continue;
      this.fault(`<${element}> has the attribute ${name}; members are elements here`);
    }
    this.#at += 1;
  }

  /** Passes over a comment where one comes next. */
  #comment(): boolean {
    if (!this.#text.startsWith('<!--', this.#at)) return false;
    const end = this.#text.indexOf('--', this.#at + 4);
    if (end < 0) this.malformed('a comment is not closed');
    if (this.#text[end + 2] !== '>') this.malformed('a comment cannot hold --', end);
    this.#at = end + 3;
    return true;
  }

  #cdata(): string {
    if (!this.#text.startsWith('<![CDATA[', this.#at))
      this.malformed('a document type is not taken');
    const from = this.#at + 9;
    const end = this.#text.indexOf(']]>', from);
    if (end < 0) this.malformed('a CDATA section is not closed');
    this.#at = end + 3;
    return this.#text.slice(from, end);
  }

  /** White space and comments around the root element. */
  #misc(): void {
    do this.#space();
    while (this.#comment());
  }
}
