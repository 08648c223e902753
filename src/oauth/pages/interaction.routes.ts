import type { FastifyInstance } from 'fastify';
import { errors } from 'oidc-provider';
import { findAccount } from '../accounts.queries.ts';
import { addConsent } from '../consents.queries.ts';
import { type PagesOptions, sessionOf } from './context.ts';
import { fieldOf, finish, openInteraction, REFUSED, requestedScopes } from './interaction.ts';
import { sendPage } from '../../platform/pages/layout.ts';
import { showSignIn } from './sign-in.routes.ts';
import { consentPage } from './views.ts';

/** What the library asks a person before it answers an authorization request. */
export async function interactionRoutes(
  app: FastifyInstance,
  options: PagesOptions,
): Promise<void> {
  const { db, csrf, provider, withDemo } = options;

  app.get('/oauth/interaction/:uid', async (request, reply) => {
    const opened = await openInteraction(options, request, reply);
    const { interaction, path, clientName, destination, page } = opened;
    if (interaction.prompt.name === 'login') return showSignIn(options, opened, request, reply);
    const accountId = interaction.session?.accountId;
    const account = accountId && (await findAccount(db, accountId, withDemo));
    if (!account) throw new errors.SessionNotFound('the account is gone');
    const form = {
      path,
      csrf: csrf.field(request, reply),
      clientName,
      destination: destination.name,
      email: account.email,
      scopes: requestedScopes(opened),
    };
    return sendPage(reply, consentPage(form), page);
  });

  app.post('/oauth/interaction/:uid/consent', async (request, reply) => {
    csrf.check(request);
    const opened = await openInteraction(options, request, reply);
    const { interaction, client } = opened;
    if (fieldOf(request, 'decision') !== 'allow') return finish(opened, REFUSED, reply);
    const accountId = interaction.session?.accountId;
    if (accountId === undefined || interaction.prompt.name !== 'consent')
      throw new errors.SessionNotFound('nobody was asked');
    const scopes = requestedScopes(opened);
    await addConsent(db, { accountId, clientId: client.clientId, scopes });
    return finish(opened, { consent: {} }, reply);
  });

  /** Signs out, and begins the same authorization request anew. */
  app.post('/oauth/interaction/:uid/switch', async (request, reply) => {
    csrf.check(request);
    const { interaction } = await openInteraction(options, request, reply);
    const session = await sessionOf(provider(), request, reply);
    await session.destroy();
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(interaction.params))
      for (const each of [value].flat()) if (typeof each === 'string') params.append(name, each);
    return reply.redirect(`/oauth/authorize?${params}`, 303);
  });
}
