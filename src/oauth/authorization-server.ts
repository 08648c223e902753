import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, HTTPMethods, RouteHandlerMethod } from 'fastify';
import { keepOpener } from '../platform/pages/layout.ts';
import { toPublicHost } from '../platform/pages/public-host.ts';
import { ROUTES } from './provider.ts';

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

const MACHINE_ROUTES: { url: string; method: HTTPMethods; cacheControl?: string }[] = [
  { url: ROUTES.token, method: 'POST' },
  { url: ROUTES.revocation, method: 'POST' },
  { url: ROUTES.introspection, method: 'POST' },
  // A minute: a new key is published longer than that before it signs.
  { url: ROUTES.jwks, method: 'GET', cacheControl: 'public, max-age=60' },
  ...['openid-configuration', 'oauth-authorization-server'].map((name) => ({
    url: `/.well-known/${name}`,
    method: 'GET' as const,
    cacheControl: 'public, max-age=3600',
  })),
];

const PAGE_ROUTES: { url: string; method: HTTPMethods }[] = [
  { url: ROUTES.authorization, method: 'GET' },
  { url: `${ROUTES.authorization}/:uid`, method: 'GET' },
  { url: ROUTES.end_session, method: 'GET' },
  { url: `${ROUTES.end_session}/confirm`, method: 'POST' },
  { url: `${ROUTES.end_session}/success`, method: 'GET' },
];

/**
 * Mounts the library's handler on `app`, which must be a plugin of its own: it loses its body
 * parsers. `publicUrl` decides every address that the library writes, not what the request says.
 */
export function mountAuthorizationServer(
  app: FastifyInstance,
  publicUrl: string,
  handle: NodeHandler,
): void {
  const { host, protocol } = new URL(publicUrl);
  // The library reads bodies itself.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));

  const handler = (cacheControl = 'no-store'): RouteHandlerMethod =>
    function passOn({ raw }, reply) {
      reply.hijack();
      const response = reply.raw;
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) response.setHeader(name, value);
      response.setHeader('cache-control', cacheControl);
      // As it was sent, with a host maybe; the library would build its addresses on that.
      Object.assign(raw, { originalUrl: raw.url });
      raw.headers.host = host;
      raw.headers['x-forwarded-host'] = host;
      raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
      handle(raw, response);
    };

  for (const { url, method, cacheControl } of MACHINE_ROUTES)
    app.route({ url, method: [method, 'OPTIONS'], handler: handler(cacheControl) });
  const onRequest = [keepOpener, toPublicHost(publicUrl)];
  for (const { url, method } of PAGE_ROUTES)
    app.route({ url, method, onRequest, handler: handler() });
}
