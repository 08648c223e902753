import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { MULTIPART, OCTETS } from './media-types.ts';
import { isFile, type Schema } from './shape.ts';

type Options = Required<FastifyDynamicSwaggerOptions>;

const OPTIONAL_BODY = 'x-optional-body';

/** How a route's body stands in the document, where that is not one schema for all media types. */
export const documentRoute: Options['transform'] = ({ schema, url, route }) => {
  const { consumes = [], body } = schema;
  const described = { ...schema, ...(route.config?.optionalBody && { [OPTIONAL_BODY]: true }) };
  if (!consumes.includes(OCTETS)) return { schema: described, url };
  // A file alone is the whole body.
  const { properties = {} } = body as Schema;
  const file = Object.values(properties).find(isFile) ?? {};
  const media = (type: string) => (type === MULTIPART ? body : file);
  const content = Object.fromEntries(consumes.map((type) => [type, { schema: media(type) }]));
  return { schema: { ...described, body: { content } }, url };
};

/** Every body is required, says the library; those that are not say so here. */
export const documentBodies: Options['transformObject'] = (document) => {
  if (!('openapiObject' in document)) return document.swaggerObject;
  const { openapiObject } = document;
  for (const path of Object.values(openapiObject.paths ?? {}))
    for (const operation of Object.values(path ?? {}) as Record<string, unknown>[]) {
      if (!operation[OPTIONAL_BODY]) continue;
      delete operation[OPTIONAL_BODY];
      operation['requestBody'] = { ...(operation['requestBody'] as object), required: false };
    }
  // What media types share is the same object: YAML would write it as an alias.
  return JSON.parse(JSON.stringify(openapiObject)) as typeof openapiObject;
};
