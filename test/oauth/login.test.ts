import { afterAll, expect, test } from 'vitest';
import { createBrowser, DEMO_USER, startPublicApp } from './browser.ts';

const t = await startPublicApp();
afterAll(() => t[Symbol.asyncDispose]());

const unescape = (text: string) =>
  text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
/** The text of each box that is there to be copied. */
const boxes = (body: string) =>
  [...body.matchAll(/<pre[^>]*>(.*?)<\/pre>/gs)].map(([, text = '']) => unescape(text));

async function signIn(browser = createBrowser(t.url)) {
  let page = await browser.go('/login');
  if (page.forms.some(({ action }) => action.endsWith('/login')))
    page = await browser.submit(page, '/login', DEMO_USER);
  return { browser, page };
}

test('/login ends on a token with scopes, expiry and lines that work', async () => {
  const { browser, page } = await signIn();
  expect(page.status).toBe(200);
  expect(page.text).toMatch(/^Your access token Valid until \d\d:\d\d:\d\d UTC/);
  for (const scope of ['read', 'write', 'read:pets', 'write:pets'])
    expect(page.text).toContain(` ${scope} `);
  const [token = '', bookings = '', renew = ''] = boxes(page.body);
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${t.url}/bookings`, { headers })).status).toBe(200);
  expect(bookings).toBe(`curl -s ${t.url}/bookings -H 'Authorization: Bearer ${token}'`);

  const form = [...renew.matchAll(/-d (\S+)/g)].map(([, pair = '']) => pair).join('&');
  const renewed = await fetch(`${t.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  expect(renewed.status).toBe(200);

  expect((await signIn(browser)).page.text).toMatch(/^Your access token/);
  const out = await browser.submit(page, '/logout');
  expect(out.text).toMatch(/^You are signed out/);
  expect((await browser.go('/login')).text).toMatch(/^Sign in/);
});

test('reloading the page of a token asks to sign in again, and ends nothing', async () => {
  const { browser, page } = await signIn();
  const again = await browser.go(page.url);
  expect([again.status, again.text]).toEqual([400, expect.stringContaining('used before')]);
  const [token = ''] = boxes(page.body);
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${t.url}/bookings`, { headers })).status).toBe(200);
});

test.each([
  [
    'of another issuer',
    (url: URL) => url.searchParams.set('iss', 'https://evil.example'),
    'does not come from this server',
  ],
  [
    'without an issuer',
    (url: URL) => url.searchParams.delete('iss'),
    'does not come from this server',
  ],
  ['with another state', (url: URL) => url.searchParams.set('state', 'x'), 'another browser'],
  ['without a state', (url: URL) => url.searchParams.delete('state'), 'another browser'],
  ['with another code', (url: URL) => url.searchParams.set('code', 'x'), 'used before'],
])('an answer %s is refused', async (_name, change, message) => {
  const { browser } = await signIn();
  const start = await fetch(`${t.url}/login`, {
    redirect: 'manual',
    headers: { cookie: [...browser.jar.values()].map(({ value }) => value).join('; ') },
  });
  const sent = start.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
  const cookie = [...sent, ...[...browser.jar.values()].map(({ value }) => value)].join('; ');
  const authorized = await fetch(start.headers.get('location') ?? '', {
    redirect: 'manual',
    headers: { cookie },
  });
  const url = new URL(authorized.headers.get('location') ?? '');
  expect(url.pathname).toBe('/login/callback');
  change(url);
  const answer = await fetch(url, { headers: { cookie } });
  expect(answer.status).toBe(400);
  const body = await answer.text();
  expect(body).toContain(message);
  expect(boxes(body)).toEqual([]);
});

test('the link of one browser signs no other in', async () => {
  const { page } = await signIn();
  const stranger = createBrowser(t.url);
  await stranger.go('/login');
  const answer = await stranger.go(page.url);
  expect(answer.status).toBe(400);
  expect(boxes(answer.body)).toEqual([]);
});

test('cancelled: the page says so', async () => {
  const browser = createBrowser(t.url);
  const cancelled = await browser.submit(await browser.go('/login'), '/cancel');
  expect(cancelled.text).toMatch(/^You are not signed in You cancelled, so there is no token\./);
});

test('on https every cookie is for https, and for this host only', async () => {
  await using secure = await startPublicApp({ env: { PUBLIC_URL: 'https://api.example.com' } });
  const answer = await secure.app.inject('/login');
  const cookies = [answer.headers['set-cookie']].flat();
  expect(cookies).toHaveLength(2);
  for (const cookie of cookies)
    expect(cookie).toMatch(/^__Host-.*Path=\/;.*HttpOnly; Secure; SameSite=Lax/);
  const location = new URL(String(answer.headers.location));
  expect(location.origin).toBe('https://api.example.com');
  const asked = await secure.app.inject(location.pathname + location.search);
  const names = [asked.headers['set-cookie']].flat().map((cookie) => cookie?.split('=')[0]);
  expect(names).toEqual(['__Secure-quartet-interaction', '__Secure-quartet-resume']);
});
