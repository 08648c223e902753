import type { Config } from '../../src/config.ts';
import { buildDocuments } from '../../src/openapi.ts';
import { petstoreAliases } from '../../src/petstore/aliases.ts';
import { withoutOrigin } from '../../src/platform/http/errors.ts';
import { type Schema, SchemaChecker } from './schemas.ts';

/** An object of an OpenAPI document. */
export type Node = { $ref?: string } & Record<string, unknown>;

/** What of a path's members is an operation: `parameters` and the like are not. */
const METHOD = /^(get|put|post|delete|options|head|patch|trace)$/;

/** A path of a document. */
interface Template {
  path: string;
  /** Those of the parameters are undefined. */
  segments: (string | undefined)[];
  /** Operations by method, in lower case. */
  operations: Record<string, Node>;
}

/** An OpenAPI document, ready to be compared with answers. */
export class Document {
  readonly schemas: SchemaChecker;
  readonly #root: Node;
  readonly #templates: Template[];

  constructor(root: Node) {
    this.#root = root;
    const { schemas = {} } = (root['components'] ?? {}) as { schemas?: Record<string, Schema> };
    this.schemas = new SchemaChecker(schemas);
    this.#templates = Object.entries(root['paths'] as Record<string, Record<string, Node>>)
      .map(([path, item]) => ({
        path,
        segments: path.split('/').map((part) => (/^\{.+\}$/.test(part) ? undefined : part)),
        operations: Object.fromEntries(Object.entries(item).filter(([name]) => METHOD.test(name))),
      }))
      .sort((a, b) => parametersOf(a) - parametersOf(b));
  }

  /** What `node` refers to; itself where it refers to nothing. */
  resolve(node: Node): Node {
    if (node.$ref === undefined) return node;
    const names = node.$ref.replace(/^#\//, '').split('/');
    let target: unknown = this.#root;
    for (const name of names)
      target = (target as Node)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')];
    if (target === undefined) throw new Error(`The document refers to ${node.$ref}, which is not.`);
    return this.resolve(target as Node);
  }

  /** The path of the document that `path` is one of. */
  find(path: string): Template | undefined {
    const parts = path.split('/').map(decoded);
    return this.#templates.find(
      ({ segments }) =>
        segments.length === parts.length &&
        segments.every((segment, index) =>
          segment === undefined ? parts[index] : segment === parts[index],
        ),
    );
  }
}

const parametersOf = ({ segments }: Template) =>
  segments.filter((segment) => segment === undefined).length;

/** Undefined is like no segment: the platform refuses what cannot be decoded. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** What a request to `method` and `path` is one for. */
export interface Target {
  document: Document;
  path: string;
  method: string;
  operations: Template['operations'];
}

/** Finds what a request is for; undefined where no document speaks of its path. */
export type FindTarget = (method: string, url: string) => Target | undefined;

/** For documents that are served each under its base path. */
export const targetFinder =
  (
    services: { base: string; document: Document }[],
    rewrite = (url: string): string => url,
  ): FindTarget =>
  (method, url) => {
    const [address = ''] = rewrite(withoutOrigin(url)).split(/[?#]/, 1);
    for (const { base, document } of services) {
      if (!address.startsWith(`${base}/`)) continue;
      const template = document.find(address.slice(base.length));
      if (template) return { document, method: method.toLowerCase(), ...template };
    }
    return undefined;
  };

let documents: Promise<Record<string, Document>> | undefined;

/** The documents as the code describes itself, made once for all tests of a worker. */
async function ourDocuments(): Promise<Record<string, Document>> {
  const opened: Record<string, Document> = {};
  for (const [file, text] of await buildDocuments())
    if (file.endsWith('.json')) opened[file.slice(0, -5)] = new Document(JSON.parse(text));
  return opened;
}

/** For the four services, where `config` has them. */
export async function ourTargets(config: Config): Promise<FindTarget> {
  const { train, petstore, museum, learning } = await (documents ??= ourDocuments());
  if (!train || !petstore || !museum || !learning) throw new Error('A document is missing.');
  const services = [
    { base: config.PETSTORE_BASE_PATH, document: petstore },
    { base: config.TRAIN_BASE_PATH, document: train },
    { base: config.MUSEUM_BASE_PATH, document: museum },
    { base: config.LEARNING_BASE_PATH, document: learning },
  ];
  return targetFinder(services, petstoreAliases(config.PETSTORE_BASE_PATH));
}
