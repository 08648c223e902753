import { createHash, randomBytes } from 'node:crypto';
import { type StartOptions, startApp, type TestApp } from '../harness.ts';
import { freePort } from '../processes.ts';

interface Request {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Form {
  action: string;
  fields: Record<string, string>;
}

export interface Answer {
  status: number;
  url: string;
  headers: Headers;
  body: string;
  /** The text of the main part, tags gone. */
  text: string;
  forms: Form[];
}

const unescape = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescape(value);
};

const formsOf = (body: string): Form[] =>
  [...body.matchAll(/<form[^>]*>.*?<\/form>/gs)].map(([form]) => ({
    action: attribute(form, 'action') ?? '',
    fields: Object.fromEntries(
      [...form.matchAll(/<input[^>]*>/g)].map(([input]) => [
        attribute(input, 'name') ?? '',
        attribute(input, 'value') ?? '',
      ]),
    ),
  }));

/**
 * A browser without script: keeps cookies by path, follows redirects within `base`, fills forms.
 * A redirect to elsewhere is not followed: `url` is where it leads.
 */
export function createBrowser(base: string, extra: Record<string, string> = {}) {
  const jar = new Map<string, { value: string; path: string }>();

  function remember(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/; */);
      const name = pair.slice(0, pair.indexOf('='));
      const path = /^path=(.*)$/i.exec(attributes.find((each) => /^path=/i.test(each)) ?? '')?.[1];
      const isGone = attributes.some((each) => /expires=Thu, 01 Jan 1970|max-age=0/i.test(each));
      const key = `${name} ${path}`;
      if (isGone) jar.delete(key);
      else jar.set(key, { value: pair, path: path ?? '/' });
    }
  }
  const cookieFor = (path: string) =>
    [...jar.values()]
      .filter((cookie) => `${path}/`.startsWith(`${cookie.path}/`.replace('//', '/')))
      .map(({ value }) => value)
      .join('; ');

  async function go(url: string, init: Request = {}): Promise<Answer> {
    const target = new URL(url, base);
    if (target.origin !== base)
      return { status: 0, url: target.href, headers: new Headers(), body: '', text: '', forms: [] };
    const response = await fetch(target, {
      ...init,
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        cookie: cookieFor(target.pathname),
        ...extra,
        ...init.headers,
      },
    });
    remember(response.headers);
    const location = response.headers.get('location');
    if (location !== null) {
      await response.arrayBuffer();
      return go(new URL(location, target).href);
    }
    const body = await response.text();
    const main = /<main.*<\/main>/s.exec(body)?.[0] ?? body;
    const text = unescape(main.replace(/<[^>]*>/g, ' '))
      .replace(/\s+/g, ' ')
      .trim();
    const { status, headers } = response;
    return { status, url: target.href, headers, body, text, forms: formsOf(body) };
  }

  return {
    jar,
    go: (url: string, headers: Record<string, string> = {}) => go(url, { headers }),
    /** Fills and sends the form of `page` whose action ends in `action`. */
    submit(
      page: Answer,
      action: string,
      fields: Record<string, string> = {},
      headers: Record<string, string> = {},
    ) {
      const form = page.forms.find((each) => each.action.endsWith(action));
      if (!form) throw new Error(`No form ends in ${action}: ${page.status} ${page.text}`);
      return go(form.action, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: new URLSearchParams({ ...form.fields, ...fields }).toString(),
      });
    },
  };
}
export type Browser = ReturnType<typeof createBrowser>;

/** The application, listening where its PUBLIC_URL says. */
export async function startPublicApp(
  options: StartOptions = {},
): Promise<TestApp & { url: string }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const t = await startApp({ ...options, env: { PUBLIC_URL: url, ...options.env } });
  await t.app.listen({ host: '127.0.0.1', port });
  return { ...t, url, [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]() };
}

export const CALLBACK = 'http://127.0.0.1:4711/callback';

export interface Pkce {
  verifier: string;
  challenge: string;
}
export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export const authorizeUrl = (pkce: Pkce, changes: Record<string, string> = {}): string => {
  const params = {
    client_id: 'quartet-demo',
    response_type: 'code',
    redirect_uri: CALLBACK,
    scope: 'read write',
    state: 'the-state',
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
    ...changes,
  };
  const set = Object.entries(params).filter(([, value]) => value !== '');
  return `/oauth/authorize?${new URLSearchParams(set)}`;
};

export const DEMO_USER = { email: 'demo@example.com', password: 'demo' };

/** Signs in and agrees wherever it is asked; answers where the browser is sent with the code. */
export async function authorize(
  browser: Browser,
  pkce: Pkce,
  changes: Record<string, string> = {},
): Promise<URLSearchParams> {
  let page = await browser.go(authorizeUrl(pkce, changes));
  if (page.forms.some(({ action }) => action.endsWith('/login')))
    page = await browser.submit(page, '/login', DEMO_USER);
  if (page.forms.some(({ action }) => action.endsWith('/consent')))
    page = await browser.submit(page, '/consent', { decision: 'allow' });
  const url = new URL(page.url);
  if (page.status !== 0) throw new Error(`not sent back: ${page.status} ${page.text}`);
  return url.searchParams;
}
