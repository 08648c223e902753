import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { type Body, type Example, type Examples, showExamples } from './examples.ts';
import { headersNamed, impliedHeaders, requestHeaders } from './headers.ts';
import {
  type Details,
  examplesOf,
  explained,
  type ProblemResponse,
  PROBLEMS,
  refusalsOf,
  responseName,
} from './problem-responses.ts';
import { bodyContent } from '../formats/document.ts';
import {
  mapDiscriminators,
  markNamed,
  type Operation,
  SHARED,
  shareAmong,
  sorted,
  shareSchemas,
} from './shared-components.ts';
import type { ProblemSlug } from '../problems/problem-types.ts';

type Options = Required<FastifyDynamicSwaggerOptions>;
export type OpenApi = NonNullable<FastifyDynamicSwaggerOptions['openapi']> & { webhooks?: object };

/** What is known of a document before it is made, and the service of whose routes it is made. */
export interface ServiceDocument {
  title: string;
  service: FastifyInstance;
}
/** The OpenAPI documents of all services, by file name; filled while the services are registered. */
export type Documents = Map<string, ServiceDocument>;

/** What goes from a route to its operation, while the document is made. */
const ROUTE = 'x-route';
interface Route {
  hasOptionalBody: boolean;
  problems: Record<string, readonly ProblemSlug[]>;
}

/** The route as the library takes it: named schemas marked, and what else is told of it set aside. */
const describeRoute: Options['transform'] = ({ schema, url, route }) => {
  const own = (schema['response'] ?? {}) as Record<string, Partial<ProblemResponse>>;
  const refusals = refusalsOf(
    ...Object.values(own).flatMap(({ [PROBLEMS]: slugs = [] }) => slugs),
    // A body that nobody asked for is read all the same.
    ...(route.method === 'GET' ? [] : [408 as const, 413 as const, 415 as const]),
    ...(schema['params'] ? [414 as const] : []),
  );
  const problems = Object.entries(refusals).map(([status, { [PROBLEMS]: of }]) => [status, of]);
  const response = { ...own };
  // A problem that is a page for people, too, has its route's own media types beside ours.
  for (const [status, refusal] of Object.entries(refusals)) {
    const content = { ...refusal.content, ...own[status]?.content };
    response[status] = { ...own[status], ...refusal, content };
  }
  const told: Route = {
    hasOptionalBody: route.config?.optionalBody === true,
    problems: Object.fromEntries(problems) as Route['problems'],
  };
  const marked = markNamed({ ...bodyContent(schema), response });
  return { schema: { ...(marked as typeof schema), [ROUTE]: told }, url };
};

interface Draft extends Operation {
  [ROUTE]?: Route;
  requestBody?: Body & { required?: boolean };
}

/** All that follows from the statuses of an operation: headers, texts, examples. */
function complete(
  method: string,
  operation: Draft,
  { publicUrl, details = {} }: ServiceDescription,
  examples: Example[],
): void {
  const { [ROUTE]: told, requestBody, responses } = operation;
  delete operation[ROUTE];
  if (told?.hasOptionalBody && requestBody) requestBody.required = false;
  const statuses = new Set(Object.keys(responses));
  const parameters = [...(operation.parameters ?? []), ...requestHeaders(statuses)];
  if (parameters.length > 0) operation.parameters = parameters;
  for (const [status, response] of Object.entries(responses)) {
    const implied = headersNamed(...impliedHeaders(method, status, statuses));
    response.headers = { ...implied, ...response.headers };
    const slugs = told?.problems[status];
    if (status === '304') response[SHARED] = 'NotModified';
    if (!slugs) continue;
    response[SHARED] = responseName(slugs);
    response['description'] = explained(`${response['description']}`, slugs);
    const content = response['content'] as Record<string, object>;
    Object.assign(content['application/problem+json'] ?? {}, {
      examples: examplesOf(slugs, publicUrl, details),
    });
  }
  showExamples(operation, operation.operationId, examples);
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/** A copy in which nothing is the same object twice: YAML would write an alias. */
const writtenOut = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Completes what the library has made of the routes, and shares what they have in common. */
const finish =
  (service: ServiceDescription): Options['transformObject'] =>
  (document) => {
    if (!('openapiObject' in document)) return document.swaggerObject;
    // The media types of a body are one object; each gets its own, for its own examples.
    const { components = {}, ...rest } = writtenOut(
      document.openapiObject as typeof document.openapiObject & { webhooks?: object },
    );
    const operations = Object.values(rest.paths ?? {}).flatMap((path) =>
      Object.entries(path as Record<string, Draft>).filter(([method]) => METHODS.includes(method)),
    );
    const { examples } = service;
    const unused = new Set(Object.keys(examples));
    for (const [method, operation] of operations) {
      complete(method, operation, service, examples[operation.operationId] ?? []);
      unused.delete(operation.operationId);
    }
    if (unused.size > 0) throw new Error(`No operation has the examples of ${[...unused]}.`);
    const { schemas = {}, ...others } = components;
    const shared: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(schemas))
      shared[name] = shareSchemas(schema, shared);
    const paths = shareSchemas(rest.paths, shared) as typeof rest.paths;
    const webhooks = shareSchemas(rest.webhooks, shared) as typeof rest.webhooks;
    mapDiscriminators(shared);
    const all = Object.values(paths ?? {}).flatMap(
      (path) => Object.values(path as object) as Operation[],
    );
    return writtenOut({
      ...rest,
      paths,
      ...(webhooks && { webhooks }),
      components: {
        ...others,
        schemas: sorted(shared),
        ...shareAmong(all),
      },
    } as typeof document.openapiObject);
  };

export interface ServiceDescription {
  /** Origin of the pages that explain problems. */
  publicUrl: string;
  openapi: OpenApi;
  examples: Examples;
  details?: Details;
}

/** Collects the routes of `app`, and nobody else's, for the document `name`. */
export async function describeService(
  app: FastifyInstance,
  documents: Documents,
  name: string,
  service: ServiceDescription,
): Promise<void> {
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', ...service.openapi },
    transform: describeRoute,
    transformObject: finish(service),
    refResolver: { buildLocalReference: (json) => json['$id'] as string },
  });
  documents.set(name, { title: `${service.openapi.info?.title}`, service: app });
}

export const documentText = ({ service }: ServiceDocument, yaml: boolean): string =>
  yaml ? service.swagger({ yaml: true }) : `${JSON.stringify(service.swagger(), null, 2)}\n`;
