import type { FastifyInstance } from 'fastify';
import type { ProtectedResource } from './resources.ts';

/** RFC 9728: where a client that met a 401 learns which server issues tokens, and for what. */
export function serveProtectedResources(
  app: FastifyInstance,
  issuer: string,
  resources: ProtectedResource[],
): void {
  for (const { identifier, path, name, scopes } of resources) {
    app.get(`/.well-known/oauth-protected-resource${path}`, async (_request, reply) =>
      reply.header('cache-control', 'public, max-age=3600').send({
        resource: identifier,
        authorization_servers: [issuer],
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
        resource_name: name,
      }),
    );
  }
}
