import { LOGIN_CLIENT } from './login-client.ts';
import { type Html, html } from '../../platform/pages/html.ts';
import type { Page } from '../../platform/pages/layout.ts';
import { scopeList } from './views.ts';

export interface TokenView {
  csrf: Html;
  accessToken: string;
  refreshToken: string | undefined;
  scopes: string[];
  expiresAt: Date;
  trainUrl: string;
  tokenUrl: string;
}

/** Text to copy: one click selects all of it, and Tab reaches it. */
const copyable = (label: string, text: string, id: string): Html =>
  html`<h2 id="${id}">${label}</h2><pre${id === 'token' ? undefined : html` class="line"`} tabindex="0" role="group" aria-labelledby="${id}">${text}</pre>`;

/** Where a sign-in at /login ends: the token, what it is good for, and lines that use it. */
export function tokenPage(view: TokenView): Page {
  const { csrf, accessToken, refreshToken, scopes, expiresAt, trainUrl } = view;
  const bearer = `-H 'Authorization: Bearer ${accessToken}'`;
  const time = expiresAt.toISOString();
  return {
    title: 'Your access token',
    wide: true,
    body: html`<p class="soft">Valid until <time datetime="${time}">${time.slice(11, 19)} UTC</time>, ten minutes from now. A click selects all of a box.</p>
${copyable('Access token', accessToken, 'token')}
<h2>It may</h2>
${scopeList(scopes)}
${copyable('List your bookings', `curl -s ${trainUrl}/bookings ${bearer}`, 'bookings')}
${
  refreshToken === undefined
    ? undefined
    : copyable(
        'Get a new one, once, while you are signed in',
        `curl -s ${view.tokenUrl} -d grant_type=refresh_token -d client_id=${LOGIN_CLIENT.client_id} -d refresh_token=${refreshToken}`,
        'refresh',
      )
}
<p class="aside"><a href="/oauth/grants">Who has access to your account</a></p>
<form method="post" action="/logout">${csrf}<div class="actions left"><button class="quiet">Sign out</button></div></form>`,
  };
}
