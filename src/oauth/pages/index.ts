import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import { errors } from 'oidc-provider';
import { toProblem } from '../../platform/http/errors.ts';
import { Problem } from '../../platform/problems/problems.ts';
import { accountRoutes } from './account.routes.ts';
import type { PagesOptions } from './context.ts';
import { interactionRoutes } from './interaction.routes.ts';
import { forOurOriginOnly, keepOpener, sendPage } from '../../platform/pages/layout.ts';
import { loginRoutes } from './login.routes.ts';
import { toPublicHost } from '../../platform/pages/public-host.ts';
import { signInRoutes } from './sign-in.routes.ts';
import { errorPage } from './views.ts';

/** Errors of these routes are pages, since a person reads them. */
function showErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const problem =
      error instanceof errors.SessionNotFound
        ? new Problem(
            'invalid-request',
            'This sign-in is over, or was begun in another browser. Go back to the application and start again.',
          )
        : toProblem(error);
    if (problem.status >= 500) request.log.error({ err: error }, 'page failed');
    reply.headers(problem.headers);
    return sendPage(reply, errorPage(problem.message, problem.slug), { status: problem.status });
  });
}

/** Every page that a person sees; the library's own pages look the same. */
export async function pages(app: FastifyInstance, options: PagesOptions): Promise<void> {
  await app.register(cookie);
  await app.register(formbody, { bodyLimit: 16_384 });
  app.addHook('onRequest', keepOpener);
  app.addHook('onRequest', toPublicHost(options.publicUrl));
  showErrors(app);
  app.addHook('onSend', forOurOriginOnly);
  await app.register(interactionRoutes, options);
  await app.register(signInRoutes, options);
  await app.register(accountRoutes, options);
  await app.register(loginRoutes, options);
}
