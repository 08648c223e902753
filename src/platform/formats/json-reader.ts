import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { invalidRequest, Problem } from '../problems/problems.ts';
import { JSON_TYPE } from './media-types.ts';

/** Levels of a body; what walks over one by recursion must not run out of stack. */
export const DEEPEST = 64;
/** Members and items of a body: each costs the validator far more than the byte or two it takes. */
export const MOST_VALUES = 5000;

export const tooDeep = () =>
  invalidRequest([{ pointer: '', detail: `must not be nested deeper than ${DEEPEST} levels` }]);
export const tooMany = (what: string) =>
  invalidRequest([{ pointer: '', detail: `must have at most ${MOST_VALUES} ${what}` }]);

/** The problem of a value that is too deep or has too many members and items. */
export function sizeProblem(root: unknown): Problem | undefined {
  let count = 0;
  function look(value: unknown, levels: number): Problem | undefined {
    if (typeof value !== 'object' || value === null) return undefined;
    if (levels === 0) return tooDeep();
    const members = Object.values(value);
    count += members.length;
    if (count > MOST_VALUES) return tooMany('members and items');
    for (const member of members) {
      const problem = look(member, levels - 1);
      if (problem) return problem;
    }
    return undefined;
  }
  return look(root, DEEPEST);
}

export const protoMember = () =>
  new Problem('malformed-body', 'No member may be "__proto__" or "constructor.prototype".');

export type BodyReader = (body: Buffer) => unknown;

/** A reader of JSON in UTF-8, without a member that would reach an object's prototype. */
export function jsonReader(app: FastifyInstance): BodyReader {
  const parse = app.getDefaultJsonParser('error', 'error');
  return (body) => {
    if (!isUtf8(body)) throw new Problem('malformed-body', 'The body is not UTF-8.');
    const text = body.toString('utf8');
    let value: unknown;
    void parse(undefined as never, text, (error, parsed) => {
      if (error) throw jsonProblem(text);
      value = parsed;
    });
    const problem = sizeProblem(value);
    if (problem) throw problem;
    return value;
  };
}

/** Takes bodies in JSON, and in nothing else. */
export function takeJson(app: FastifyInstance): void {
  const read = jsonReader(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(JSON_TYPE, { parseAs: 'buffer' }, (_request, body, done) =>
    // Some clients announce JSON and send nothing, with DELETE above all.
    done(null, body.length > 0 ? read(body) : undefined),
  );
}

/** Where JSON text breaks, in words; the engine's own message quotes the text, ours does not. */
function jsonProblem(text: string): Problem {
  const broken = (where: string) => new Problem('malformed-body', `The body is not JSON${where}.`);
  try {
    JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const { message } = error as Error;
    const at = /line (\d+) column (\d+)/.exec(message);
    if (at) return broken(`: it breaks at line ${at[1]}, column ${at[2]}`);
    return broken(/end of/i.test(message) ? ': it ends too early' : '');
  }
  return protoMember();
}
