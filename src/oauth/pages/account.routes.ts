import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findAccount } from '../accounts.queries.ts';
import { deleteSessionGrants } from '../artifacts.queries.ts';
import { hashId } from '../adapter.ts';
import { listConsents, revokeConsent } from '../consents.queries.ts';
import { type PagesOptions, sessionOf } from './context.ts';
import { sendPage } from '../../platform/pages/layout.ts';
import { grantsPage, messagePage, signedOutPage, signOutPage } from './views.ts';

/** What a signed-in person sees of the account: who has access, and the way out. */
export async function accountRoutes(app: FastifyInstance, options: PagesOptions) {
  const { db, csrf, provider, sessionCookie, withDemo } = options;

  async function whoIsSignedIn(request: FastifyRequest, reply: FastifyReply) {
    const { accountId } = await sessionOf(provider(), request, reply);
    return accountId === undefined ? undefined : findAccount(db, accountId, withDemo);
  }
  const askToSignIn = (reply: FastifyReply) =>
    sendPage(
      reply,
      messagePage('You are not signed in', 'Sign in to see which applications have access.', [
        'Sign in',
        '/login',
      ]),
    );

  async function showGrants(request: FastifyRequest, reply: FastifyReply, revoked?: string) {
    const account = await whoIsSignedIn(request, reply);
    if (!account) return askToSignIn(reply);
    const consents = await listConsents(db, account.id);
    const grants = consents.map((consent) => ({
      clientId: consent.client_id,
      name: consent.name,
      scopes: consent.scopes,
      grantedAt: consent.granted_at,
    }));
    const field = csrf.field(request, reply);
    return sendPage(reply, grantsPage({ csrf: field, email: account.email, grants, revoked }));
  }

  app.get('/oauth/grants', (request, reply) => showGrants(request, reply));

  app.post('/oauth/grants/revoke', async (request, reply) => {
    csrf.check(request);
    const account = await whoIsSignedIn(request, reply);
    if (!account) return askToSignIn(reply);
    const clientId = (request.body as { client_id?: unknown }).client_id;
    const consents = await listConsents(db, account.id);
    const consent = consents.find((each) => each.client_id === clientId);
    if (consent) await revokeConsent(db, { accountId: account.id, clientId: consent.client_id });
    return showGrants(request, reply, consent?.name);
  });

  app.get('/logout', async (request, reply) => {
    const account = await whoIsSignedIn(request, reply);
    if (!account) return sendPage(reply, signedOutPage());
    return sendPage(reply, signOutPage(csrf.field(request, reply), account.email));
  });

  app.post('/logout', async (request, reply) => {
    csrf.check(request);
    const session = await sessionOf(provider(), request, reply);
    // What was granted for this session only; `offline_access` outlives it, until it is revoked.
    const grants = Object.values(session.authorizations ?? {})
      .filter(({ grantId, persistsLogout }) => grantId !== undefined && !persistsLogout)
      .map(({ grantId = '' }) => hashId(grantId));
    await deleteSessionGrants(db, grants);
    if (session.accountId !== undefined) await session.destroy();
    reply.clearCookie(sessionCookie.name, sessionCookie.options);
    return sendPage(reply, signedOutPage());
  });
}
