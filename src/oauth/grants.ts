import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import type { Db } from '../platform/database/database.ts';
import { addConsent, findConsentedScopes } from './consents.queries.ts';

const scopesOf = (ctx: KoaContextWithOIDC): string[] => [...ctx.oidc.requestParamScopes];

/**
 * The scopes that need no question: what the user agreed to before, and all for a client of ours.
 * `prompt=consent` is asked nevertheless, and answered before this is called again.
 */
async function agreedScopes(db: Db, ctx: KoaContextWithOIDC, accountId: string): Promise<string[]> {
  const { client, prompts } = ctx.oidc;
  const clientId = client?.clientId ?? '';
  const requested = scopesOf(ctx);
  const agreed = new Set(await findConsentedScopes(db, { accountId, clientId }));
  const missing = requested.filter((scope) => !agreed.has(scope));
  if (client?.['is_first_party'] && missing.length > 0 && !prompts.has('consent')) {
    // Written down, so that its user sees it and can take it back.
    await addConsent(db, { accountId, clientId, scopes: missing });
    return requested;
  }
  return requested.filter((scope) => agreed.has(scope));
}

/**
 * Finds or makes the grant of this session and client, with the scopes that were asked for now and
 * agreed to at any time. Consent outlives grants: one that a replay ended is simply made anew.
 */
export function loadGrant(db: Db): NonNullable<Configuration['loadExistingGrant']> {
  return async function loadExistingGrant(ctx) {
    const { account, client, session, provider, resourceServers } = ctx.oidc;
    if (!account || !client) return undefined;
    const { accountId } = account;
    const agreed = new Set(await agreedScopes(db, ctx, accountId));
    if (agreed.size === 0) return undefined;
    const grantId = session?.grantIdFor(client.clientId);
    const existing = grantId === undefined ? undefined : await provider.Grant.find(grantId);
    const grant =
      existing?.accountId === accountId
        ? existing
        : new provider.Grant({ accountId, clientId: client.clientId });
    const known = JSON.stringify([grant.openid, grant.resources]);
    const oidc = [...ctx.oidc.requestParamOIDCScopes].filter((scope) => agreed.has(scope));
    if (oidc.length > 0) grant.addOIDCScope(oidc);
    for (const [indicator, server] of Object.entries(resourceServers ?? {})) {
      const scopes = server.scope.split(' ').filter((scope) => agreed.has(scope));
      if (scopes.length > 0) grant.addResourceScope(indicator, scopes);
    }
    if (JSON.stringify([grant.openid, grant.resources]) !== known) await grant.save();
    return grant;
  };
}
