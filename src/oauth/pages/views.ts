import { type Html, html } from '../../platform/pages/html.ts';
import type { Page } from '../../platform/pages/layout.ts';
import { SCOPE_MEANINGS } from '../resources.ts';

/** What is wrong with a form: of the whole, or by the name of a field. */
export interface Faults {
  form?: string | undefined;
  fields?: Record<string, string>;
}

export interface CredentialsForm {
  /** Path of the interaction, which the forms are under. */
  path: string;
  csrf: Html;
  clientName: string;
  email?: string | undefined;
  faults?: Faults;
}

interface Field {
  name: string;
  label: string;
  type: string;
  autocomplete: string;
  value?: string | undefined;
  hint?: string;
  fault?: string | undefined;
  focus: boolean;
}

/** A field whose fault or hint is read out with it. */
function field({ name, label, type, autocomplete, value, hint, fault, focus }: Field): Html {
  const note = fault !== undefined || hint !== undefined ? `${name}-note` : undefined;
  return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required${
    name === 'email' ? html` autocapitalize="none" spellcheck="false"` : undefined
  }${value === undefined ? undefined : html` value="${value}"`}${
    note === undefined ? undefined : html` aria-describedby="${note}"`
  }${fault === undefined ? undefined : html` aria-invalid="true"`}${
    focus ? html` autofocus` : undefined
  }>${note === undefined ? undefined : html`<p class="${fault === undefined ? 'hint' : 'fault'}" id="${note}">${fault ?? hint}</p>`}`;
}

const alert = (message: string | undefined): Html | undefined =>
  message === undefined ? undefined : html`<p class="alert" role="alert">${message}</p>`;

const hasFaults = ({ form, fields }: Faults = {}): boolean =>
  form !== undefined || Object.keys(fields ?? {}).length > 0;

/** Email and password, faults shown, the first field to mend focused. */
function credentials(form: CredentialsForm, isNew: boolean): Html {
  const faults = form.faults?.fields ?? {};
  const focused = (faults['email'] ?? !form.email) ? 'email' : 'password';
  return html`${field({
    name: 'email',
    label: 'Email',
    type: 'email',
    autocomplete: 'username',
    value: form.email,
    fault: faults['email'],
    focus: focused === 'email',
  })}${field({
    name: 'password',
    label: 'Password',
    type: 'password',
    autocomplete: isNew ? 'new-password' : 'current-password',
    ...(isNew && { hint: 'At least 8 characters. A sentence is better than a word.' }),
    fault: faults['password'],
    focus: focused === 'password',
  })}`;
}

export function signInPage(form: CredentialsForm & { allowSignUp: boolean }): Page {
  const { path, csrf, clientName, faults, allowSignUp } = form;
  return {
    title: 'Sign in',
    isFault: hasFaults(faults),
    body: html`<p class="soft">to continue to <strong>${clientName}</strong></p>
${alert(faults?.form)}
<form method="post" action="${path}/login">${csrf}${credentials(form, false)}
<div class="actions"><button>Sign in</button></div></form>
<form method="post" action="${path}/cancel">${csrf}<div class="actions"><button class="quiet">Cancel</button></div></form>
${allowSignUp ? html`<p class="aside">New here? <a href="${path}/signup">Create an account</a></p>` : undefined}`,
  };
}

export function signUpPage(form: CredentialsForm): Page {
  const { path, csrf, clientName, faults } = form;
  return {
    title: 'Create an account',
    isFault: hasFaults(faults),
    body: html`<p class="soft">to continue to <strong>${clientName}</strong></p>
${alert(faults?.form)}
<form method="post" action="${path}/signup">${csrf}${credentials(form, true)}
<div class="actions"><button>Create account</button></div></form>
<p class="aside">Have an account? <a href="${path}">Sign in</a></p>`,
  };
}

const ORDER = Object.keys(SCOPE_MEANINGS);
const inOrder = (scopes: readonly string[]): string[] =>
  scopes.toSorted((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other));

export const scopeList = (scopes: readonly string[]): Html =>
  html`<ul class="scopes">${inOrder(scopes).map(
    (scope) => html`<li><span>${SCOPE_MEANINGS[scope] ?? scope}</span><code>${scope}</code></li>`,
  )}</ul>`;

export interface ConsentForm {
  path: string;
  csrf: Html;
  clientName: string;
  /** Where the browser goes next, as the person should recognise it. */
  destination: string;
  email: string;
  scopes: readonly string[];
}

export const consentPage = (form: ConsentForm): Page => ({
  title: 'Allow access?',
  body: html`<p class="soft"><strong>${form.clientName}</strong> asks for access to your Quartet account. It may then:</p>
${scopeList(form.scopes)}
<p class="hint">You go on to <strong>${form.destination}</strong>. You can take access back at any time.</p>
<form method="post" action="${form.path}/consent">${form.csrf}
<div class="actions"><button name="decision" value="allow">Allow</button><button class="quiet" name="decision" value="deny">Deny</button></div></form>
<form method="post" action="${form.path}/switch" class="aside">${form.csrf}<span class="who soft">Signed in as ${form.email}. </span><button class="link">Use another account</button></form>`,
});

export interface GrantsView {
  csrf: Html;
  email: string;
  grants: { clientId: string; name: string; scopes: string[]; grantedAt: Date }[];
  /** Name of the application whose access was just taken back. */
  revoked?: string | undefined;
}

const dateOf = (date: Date): Html =>
  html`<time datetime="${date.toISOString()}">${date.toISOString().slice(0, 10)}</time>`;

export const grantsPage = ({ csrf, email, grants, revoked }: GrantsView): Page => ({
  title: 'Who has access',
  wide: true,
  body: html`<p class="soft who">Applications that may act for ${email}.</p>
${revoked === undefined ? undefined : html`<p role="status"><strong>${revoked}</strong> has no access any more. A token that it holds already ends within ten minutes.</p>`}
${
  grants.length === 0
    ? html`<p>You have let no application in.</p>`
    : grants.map(
        ({ clientId, name, scopes, grantedAt }) => html`<section class="grant"><h2>${name}</h2>
<p class="soft">Since ${dateOf(grantedAt)}</p>${scopeList(scopes)}
<form method="post" action="/oauth/grants/revoke">${csrf}<input type="hidden" name="client_id" value="${clientId}">
<div class="actions left"><button class="danger" aria-label="Revoke access of ${name}">Revoke access</button></div></form></section>`,
      )
}
<p class="aside"><a href="/login">Get a token</a> · <a href="/logout">Sign out</a></p>`,
});

/** A page that says one thing and leads on. */
export const messagePage = (title: string, message: string, link?: [string, string]): Page => ({
  title,
  body: html`<p>${message}</p>${
    link && html`<div class="actions left"><a class="button" href="${link[1]}">${link[0]}</a></div>`
  }`,
});

export const errorPage = (message: string, code: string): Page => ({
  title: 'This request cannot be completed',
  body: html`<p role="alert">${message}</p><p class="soft"><code>${code}</code></p>`,
});

export const signOutPage = (csrf: Html, email: string): Page => ({
  title: 'Sign out?',
  body: html`<p class="soft who">You are signed in as ${email}.</p>
<form method="post" action="/logout">${csrf}<div class="actions"><button>Sign out</button><a class="button quiet" href="/oauth/grants">Stay signed in</a></div></form>`,
});

/** `form` is the library's: hidden fields under the id `op.logoutForm`. */
export const logoutPage = (form: Html): Page => ({
  title: 'Sign out?',
  body: html`${form}<div class="actions"><button form="op.logoutForm" value="yes" name="logout">Sign out</button><button class="quiet" form="op.logoutForm">Stay signed in</button></div>`,
});

export const signedOutPage = (): Page =>
  messagePage('You are signed out', 'You can close this page.', ['Sign in again', '/login']);
