import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors, type InteractionResults } from 'oidc-provider';
import { type PagesOptions, sessionOf } from './context.ts';

/** What `form-action` and a person are told of where a redirect leads. */
function destinationOf(redirectUri: unknown): { target?: string; name: string } {
  const url = URL.parse(String(redirectUri));
  if (!url) return { name: 'the application' };
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb
    ? { target: url.origin, name: url.host }
    : { target: url.protocol, name: `the application (${url.protocol})` };
}

/**
 * The interaction that this browser is in, with what its pages show. Throws SessionNotFound where
 * it is over, or is another browser's.
 */
export async function openInteraction(
  { provider }: PagesOptions,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const interaction = await provider().interactionDetails(request.raw, reply.raw);
  const { uid } = request.params as { uid: string };
  if (interaction.uid !== uid) throw new errors.SessionNotFound('another interaction');
  const client = await provider().Client.find(String(interaction.params['client_id']));
  if (!client) throw new errors.SessionNotFound('the client is gone');
  const destination = destinationOf(interaction.params['redirect_uri']);
  return {
    interaction,
    client,
    destination,
    path: `/oauth/interaction/${uid}`,
    clientName: client.clientName ?? client.clientId,
    page: { formTarget: destination.target },
  };
}

export type Opened = Awaited<ReturnType<typeof openInteraction>>;

/** Hands the result to the library, and the browser back to it. */
export async function finish(
  { interaction }: Opened,
  result: InteractionResults,
  reply: FastifyReply,
): Promise<FastifyReply> {
  interaction.result = 'error' in result ? result : { ...interaction.lastSubmission, ...result };
  await interaction.persist();
  return reply.redirect(interaction.returnTo, 303);
}

/** The same for one who has signed in; whoever was signed in before in this browser is no more. */
export async function finishSignIn(
  { provider }: PagesOptions,
  opened: Opened,
  accountId: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { interaction } = opened;
  if (interaction.session && interaction.session.accountId !== accountId) {
    const session = await sessionOf(provider(), request, reply);
    await session.destroy();
    delete interaction.session;
  }
  return finish(opened, { login: { accountId, amr: ['pwd'] } }, reply);
}

/** Of the scopes that were asked for, those that exist and that the client may have. */
export function requestedScopes({ interaction, client }: Opened): string[] {
  const allowed = new Set(client.scope?.split(' '));
  const { scope } = interaction.params;
  return (typeof scope === 'string' ? scope : '').split(' ').filter((each) => allowed.has(each));
}

/** A field of the form that was sent; empty where it is missing. */
export function fieldOf({ body }: FastifyRequest, name: string): string {
  const value = (body as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' ? value : '';
}

export const REFUSED = { error: 'access_denied', error_description: 'the user refused' };
