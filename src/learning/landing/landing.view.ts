import { type Html, html } from '../../platform/pages/html.ts';
import type { Page } from '../../platform/pages/layout.ts';
import { DEMO_KEY } from '../examples.ts';
import type { LandingConfig, Service } from './services.ts';

const line = (id: string, label: string, command: string): Html =>
  html`<h3 id="${id}">${label}</h3><pre class="words" tabindex="0" role="group" aria-labelledby="${id}">${command}</pre>`;

const card = ({ name, description, base, document, docs }: Service): Html =>
  html`<li><h3>${name}</h3><p>${description}</p><p><code>${base}</code></p><p><a href="${docs}">Docs<span class="unseen"> of ${name}</span></a> · <a href="${document}">OpenAPI<span class="unseen"> document of ${name}</span></a></p></li>`;

/** Lines that work as they stand; demo credentials only where they exist. */
function lines(config: LandingConfig): Html[] {
  const { PUBLIC_URL, TRAIN_BASE_PATH, LEARNING_BASE_PATH } = config;
  const station = line(
    'station',
    'Find a station, without credentials',
    `curl -s '${PUBLIC_URL}${TRAIN_BASE_PATH}/stations?search=berlin'`,
  );
  if (config.NODE_ENV === 'production') return [station];
  const user = line(
    'user',
    'See what a learner has done, with the demo key',
    `curl -s -H 'IMF-KEY: ${DEMO_KEY}' ${PUBLIC_URL}${LEARNING_BASE_PATH}/users/abc123`,
  );
  if (config.OAUTH_ISSUER !== undefined) return [station, user];
  const token = line(
    'token',
    'Get a token to book with, for the demo client',
    `curl -s -u quartet-demo:demo-secret -d grant_type=client_credentials -d 'scope=read write' ${PUBLIC_URL}/oauth/token`,
  );
  return [station, user, token];
}

/** What a person sees who opens the server in a browser. */
export const landingPage = (config: LandingConfig, services: Service[]): Page => ({
  title: 'Four demo APIs that are real',
  wide: true,
  body: html`<p class="soft">Train Travel, Petstore, Museum and Learning, as complete, stateful services. What you book expires, what you pay is confirmed, scores are computed, tokens are verified and limits count: something real to build and test clients, SDKs, gateways and courses against.</p>
<h2>Try it</h2>${lines(config)}
<h2>The services</h2>
<ul class="services">${services.map(card)}</ul>
<p class="aside"><a href="${config.PUBLIC_URL}/docs">All docs</a> · <a href="${config.PUBLIC_URL}/login">Sign in and get a token</a></p>`,
});
