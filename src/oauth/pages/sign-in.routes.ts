import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressKey } from '../../platform/http/rate-limit.ts';
import { accountFaults } from '../accounts.ts';
import type { PagesOptions } from './context.ts';
import {
  fieldOf,
  finish,
  finishSignIn,
  type Opened,
  openInteraction,
  REFUSED,
} from './interaction.ts';
import { sendPage } from '../../platform/pages/layout.ts';
import { type Faults, signInPage, signUpPage } from './views.ts';

/** What a form shows when it comes back. */
interface Shown {
  status?: number;
  email?: string;
  faults?: Faults;
}

function tooMany(waitSeconds: number, reply: FastifyReply, email: string): Shown {
  reply.header('retry-after', String(waitSeconds));
  const wait = waitSeconds > 90 ? `${Math.ceil(waitSeconds / 60)} minutes` : 'a minute';
  return { status: 429, email, faults: { form: `Too many attempts. Try again in ${wait}.` } };
}

const fault = (email: string, faults: Faults): Shown => ({ status: 400, email, faults });

export function showSignIn(
  { csrf, allowSignUp }: PagesOptions,
  { path, clientName, page, interaction }: Opened,
  request: FastifyRequest,
  reply: FastifyReply,
  { status = 200, email, faults = {} }: Shown = {},
): FastifyReply {
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

function showSignUp(
  { csrf }: PagesOptions,
  { path, clientName, page }: Opened,
  request: FastifyRequest,
  reply: FastifyReply,
  { status = 200, email, faults = {} }: Shown = {},
): FastifyReply {
  const form = { path, clientName, csrf: csrf.field(request, reply), email, faults };
  return sendPage(reply, signUpPage(form), { status, ...page });
}

const credentialsOf = (request: FastifyRequest): [email: string, password: string] => [
  fieldOf(request, 'email').trim(),
  fieldOf(request, 'password'),
];

/** Who somebody is: by an account that there is, or by one that is made now. */
export async function signInRoutes(app: FastifyInstance, options: PagesOptions): Promise<void> {
  const { csrf, accounts, allowSignUp } = options;

  app.post('/oauth/interaction/:uid/login', async (request, reply) => {
    csrf.check(request);
    const opened = await openInteraction(options, request, reply);
    const show = (shown: Shown) => showSignIn(options, opened, request, reply, shown);
    const [email, password] = credentialsOf(request);
    const account = await accounts.signIn(email, password, addressKey(request.ip));
    if (!account)
      return show(fault(email, { form: 'That email and password do not belong together.' }));
    if ('waitSeconds' in account) return show(tooMany(account.waitSeconds, reply, email));
    return finishSignIn(options, opened, account.id, request, reply);
  });

  app.post('/oauth/interaction/:uid/cancel', async (request, reply) => {
    csrf.check(request);
    return finish(await openInteraction(options, request, reply), REFUSED, reply);
  });

  if (!allowSignUp) return;

  app.get('/oauth/interaction/:uid/signup', async (request, reply) =>
    showSignUp(options, await openInteraction(options, request, reply), request, reply),
  );

  app.post('/oauth/interaction/:uid/signup', async (request, reply) => {
    csrf.check(request);
    const opened = await openInteraction(options, request, reply);
    const show = (shown: Shown) => showSignUp(options, opened, request, reply, shown);
    const [email, password] = credentialsOf(request);
    const fields = accountFaults(email, password);
    if (Object.keys(fields).length > 0) return show(fault(email, { fields }));
    const id = await accounts.signUp(email, password, addressKey(request.ip));
    if (id === undefined) {
      const taken = 'There is an account with this address. Sign in instead.';
      return show(fault(email, { fields: { email: taken } }));
    }
    if (typeof id !== 'string') return show(tooMany(id.waitSeconds, reply, email));
    return finishSignIn(options, opened, id, request, reply);
  });
}
