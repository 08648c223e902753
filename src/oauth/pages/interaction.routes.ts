import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errors, type InteractionResults } from 'oidc-provider';
import { addressKey } from '../../platform/rate-limit.ts';
import { accountFaults } from '../accounts.ts';
import { findAccount } from '../accounts.queries.ts';
import { addConsent } from '../consents.queries.ts';
import { type PagesOptions, sessionOf } from './context.ts';
import { sendPage } from './layout.ts';
import { consentPage, type Faults, signInPage, signUpPage } from './views.ts';

/** What `form-action` and a person are told of where a redirect leads. */
function destinationOf(redirectUri: unknown): { target?: string; name: string } {
  const url = URL.parse(String(redirectUri));
  if (!url) return { name: 'the application' };
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb
    ? { target: url.origin, name: url.host }
    : { target: url.protocol, name: `the application (${url.protocol})` };
}

const text = ({ body }: FastifyRequest, name: string): string => {
  const value = (body as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' ? value : '';
};

const minutes = (seconds: number): string =>
  seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : 'a minute';

/** The pages between an authorization request and its answer: sign in, sign up, consent. */
export async function interactionRoutes(app: FastifyInstance, options: PagesOptions) {
  const { db, csrf, accounts, provider, allowSignUp, withDemo } = options;

  /** The interaction that this browser is in; throws SessionNotFound where that is over. */
  async function open(request: FastifyRequest, reply: FastifyReply) {
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
  type Opened = Awaited<ReturnType<typeof open>>;

  /** Hands the result to the library, and the browser back to it. */
  async function finish({ interaction }: Opened, result: InteractionResults, reply: FastifyReply) {
    interaction.result = 'error' in result ? result : { ...interaction.lastSubmission, ...result };
    await interaction.persist();
    return reply.redirect(interaction.returnTo, 303);
  }

  async function finishSignIn(
    opened: Opened,
    accountId: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const { interaction } = opened;
    if (interaction.session && interaction.session.accountId !== accountId) {
      const session = await sessionOf(provider(), request, reply);
      await session.destroy();
      delete interaction.session;
    }
    return finish(opened, { login: { accountId, amr: ['pwd'] } }, reply);
  }

  interface Shown {
    status?: number;
    email?: string;
    faults?: Faults;
  }
  function showSignIn(opened: Opened, request: FastifyRequest, reply: FastifyReply, shown: Shown) {
    const { path, clientName, page, interaction } = opened;
    const { status = 200, email, faults = {} } = shown;
    const hint = interaction.params['login_hint'];
    const form = {
      path,
      clientName,
      csrf: csrf.field(request, reply),
      email: email ?? (typeof hint === 'string' ? hint : undefined),
      faults,
      allowSignUp,
    };
    return sendPage(reply, signInPage(form), { status, ...page });
  }
  function showSignUp(opened: Opened, request: FastifyRequest, reply: FastifyReply, shown: Shown) {
    const { path, clientName, page } = opened;
    const { status = 200, email, faults = {} } = shown;
    const form = { path, clientName, csrf: csrf.field(request, reply), email, faults };
    return sendPage(reply, signUpPage(form), { status, ...page });
  }
  const tooMany = (waitSeconds: number, reply: FastifyReply, email: string): Shown => {
    reply.header('retry-after', String(waitSeconds));
    const form = `Too many attempts. Try again in ${minutes(waitSeconds)}.`;
    return { status: 429, email, faults: { form } };
  };

  app.get('/oauth/interaction/:uid', async (request, reply) => {
    const opened = await open(request, reply);
    const { interaction, path, clientName, destination, page } = opened;
    if (interaction.prompt.name === 'login') return showSignIn(opened, request, reply, {});
    const account = await findAccount(db, interaction.session?.accountId ?? '', withDemo);
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

  app.post('/oauth/interaction/:uid/login', async (request, reply) => {
    csrf.check(request);
    const opened = await open(request, reply);
    const [email, password] = [text(request, 'email').trim(), text(request, 'password')];
    const account = await accounts.signIn(email, password, addressKey(request.ip));
    if (!account) {
      const faults = { form: 'That email and password do not belong together.' };
      return showSignIn(opened, request, reply, { status: 400, email, faults });
    }
    if ('waitSeconds' in account)
      return showSignIn(opened, request, reply, tooMany(account.waitSeconds, reply, email));
    return finishSignIn(opened, account.id, request, reply);
  });

  app.post('/oauth/interaction/:uid/cancel', async (request, reply) => {
    csrf.check(request);
    return finish(await open(request, reply), refusal, reply);
  });

  if (allowSignUp) {
    app.get('/oauth/interaction/:uid/signup', async (request, reply) =>
      showSignUp(await open(request, reply), request, reply, {}),
    );
    app.post('/oauth/interaction/:uid/signup', async (request, reply) => {
      csrf.check(request);
      const opened = await open(request, reply);
      const [email, password] = [text(request, 'email').trim(), text(request, 'password')];
      const fields = accountFaults(email, password);
      if (Object.keys(fields).length > 0)
        return showSignUp(opened, request, reply, { status: 400, email, faults: { fields } });
      const id = await accounts.signUp(email, password, addressKey(request.ip));
      if (id === undefined) {
        const taken = { email: 'There is an account with this address. Sign in instead.' };
        return showSignUp(opened, request, reply, {
          status: 400,
          email,
          faults: { fields: taken },
        });
      }
      if (typeof id !== 'string')
        return showSignUp(opened, request, reply, tooMany(id.waitSeconds, reply, email));
      return finishSignIn(opened, id, request, reply);
    });
  }

  app.post('/oauth/interaction/:uid/consent', async (request, reply) => {
    csrf.check(request);
    const opened = await open(request, reply);
    if (text(request, 'decision') !== 'allow') return finish(opened, refusal, reply);
    const { interaction, client } = opened;
    const accountId = interaction.session?.accountId;
    if (accountId === undefined) throw new errors.SessionNotFound('nobody is signed in');
    const scopes = requestedScopes(opened);
    await addConsent(db, { accountId, clientId: client.clientId, scopes });
    return finish(opened, { consent: {} }, reply);
  });

  /** Signs out, and begins the same authorization request anew. */
  app.post('/oauth/interaction/:uid/switch', async (request, reply) => {
    csrf.check(request);
    const { interaction } = await open(request, reply);
    const session = await sessionOf(provider(), request, reply);
    await session.destroy();
    const params = Object.entries(interaction.params).flatMap(([name, value]) =>
      [value]
        .flat()
        .filter((each) => typeof each === 'string')
        .map((each) => [name, each] as [string, string]),
    );
    return reply.redirect(`/oauth/authorize?${new URLSearchParams(params)}`, 303);
  });
}

const refusal = { error: 'access_denied', error_description: 'the user refused' };

/** Of the scopes that were asked for, those that exist and that the client may have. */
function requestedScopes({
  interaction,
  client,
}: {
  interaction: { params: Record<string, unknown> };
  client: { scope?: string | undefined };
}): string[] {
  const allowed = new Set(client.scope?.split(' '));
  const scope = interaction.params['scope'];
  return (typeof scope === 'string' ? scope : '').split(' ').filter((scope) => allowed.has(scope));
}
