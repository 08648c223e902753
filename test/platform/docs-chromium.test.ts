import type { Browser, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMO_USER, startPublicApp } from '../oauth/browser.ts';
import {
  expectFits,
  expectQuiet,
  hasChromium,
  launch,
  look,
  openPage,
  shoot,
  VIEWS,
  type Watched,
} from '../chromium.ts';

describe.runIf(hasChromium)('in Chromium', () => {
  let t: Awaited<ReturnType<typeof startPublicApp>>;
  let browser: Browser;
  beforeAll(async () => {
    t = await startPublicApp();
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await t[Symbol.asyncDispose]();
  });

  const open = (options: Parameters<typeof openPage>[2] = {}) =>
    openPage(browser, [t.url], options);

  const shown = ({ page }: Watched, heading: string) =>
    page.getByRole('heading', { name: heading, exact: true }).first().waitFor();

  /** Opens the window for the operation that `hash` leads to, and sends its example. */
  async function tryOut(watched: Watched, hash: string, request: string): Promise<Response> {
    const { page } = watched;
    await page.goto(`${t.url}/docs#${hash}`);
    await page.getByRole('button', { name: `Test Request (${request})` }).click();
    const client = page.getByRole('dialog', { name: 'API Client' });
    const [, path = ''] = request.split(' ');
    const [response] = await Promise.all([
      page.waitForResponse((each) => new URL(each.url()).pathname.endsWith(path)),
      client.locator('[data-addressbar-action="send"]:visible').click(),
    ]);
    await client.getByText(`${response.status()} `).first().waitFor();
    return response;
  }

  describe.each(VIEWS)('%s', (name, options) => {
    test('every page fits, loads nothing of others, and axe finds nothing', async () => {
      const watched = await open(options);
      for (const [path, heading] of [
        ['/login', 'Sign in'],
        ['/problems', 'Problem types'],
        ['/problems/invalid-request', 'The request is not valid'],
        ['/docs', 'Train Travel API'],
        ['/docs?api=petstore', 'Petstore'],
        ['/docs?api=museum', 'Museum API'],
        ['/docs?api=learning', 'Learning'],
      ] as const) {
        await watched.page.goto(t.url + path);
        await shown(watched, heading);
        if (path.startsWith('/docs'))
          await watched.page.locator('.references-rendered h2').first().waitFor();
        await look(watched, `${name}${path.replaceAll(/[/?=]/g, '-')}`);
      }
      expectQuiet(watched);
      await watched.close();
    });
  });

  test('sign in on the page, and the token is sent', async () => {
    const watched = await open();
    const { page } = watched;
    await page.goto(`${t.url}/docs`);
    const [popup] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('button', { name: 'Authorize' }).click(),
    ]);
    await popup.getByLabel('Email').fill(DEMO_USER.email);
    await popup.getByLabel('Password').fill(DEMO_USER.password);
    const [token] = await Promise.all([
      page.waitForResponse(`${t.url}/oauth/token`),
      popup.getByRole('button', { name: 'Sign in' }).click(),
    ]);
    expect(token.status()).toBe(200);
    const { access_token, scope } = await token.json();
    expect(scope).toBe('read write');
    const sent = await tryOut(watched, 'train/tag/bookings/GET/bookings', 'get /bookings');
    expect(sent.status()).toBe(200);
    expect(await sent.request().headerValue('authorization')).toBe(`Bearer ${access_token}`);
    expect(popup.isClosed()).toBe(true);
    await look(watched, 'docs-client');
    expectQuiet(watched);
    await watched.close();
  });

  test('client credentials, and before there is a token none is sent', async () => {
    const watched = await open();
    const { page } = watched;
    const unsigned = await tryOut(watched, 'train/tag/stations/GET/stations', 'get /stations');
    expect(unsigned.status()).toBe(200);
    expect(await unsigned.request().headerValue('authorization')).toBeNull();
    // What is optional is sent when it is asked for: else every visitor would have the same key.
    expect(new URL(unsigned.url()).search).toBe('');
    const activity = 'learning/tag/activities/POST/activities';
    const recorded = await tryOut(watched, activity, 'post /activities');
    expect(await recorded.request().headerValue('idempotency-key')).toBeNull();
    await page.goto('about:blank');
    await page.goto(`${t.url}/docs`);
    await page.getByText('clientCredentials').first().click();
    const [token] = await Promise.all([
      page.waitForResponse(`${t.url}/oauth/token`),
      page.getByRole('button', { name: 'Authorize' }).click(),
    ]);
    expect(token.status()).toBe(200);
    expect((await token.json()).scope).toBe('read write');
    expectQuiet(watched);
    await watched.close();
  });

  test.each([
    [
      'museum/tag/events/GET/special-events',
      'get /special-events',
      'authorization',
      'Basic Y3VyYXRvcjpkZW1v',
    ],
    ['petstore/tag/store/GET/store/inventory', 'get /store/inventory', 'api_key', 'special-key'],
    ['learning/tag/quizzes/GET/quizzes', 'get /quizzes', 'imf-key', 'demo-imf-key'],
  ])('%s works as it opens', async (hash, request, header, value) => {
    const watched = await open();
    const sent = await tryOut(watched, hash, request);
    expect([sent.status(), await sent.request().headerValue(header)]).toEqual([200, value]);
    expectQuiet(watched);
    await watched.close();
  });

  test('a session of the petstore: who has logged in may log out', async () => {
    const watched = await open();
    await watched.page.goto(`${t.url}/docs`);
    const login = await watched.page.evaluate(async () =>
      (await fetch('/v3/user/login?username=user1&password=demo')).text(),
    );
    expect(login).toContain('logged in user session:');
    const logout = await tryOut(watched, 'petstore/tag/user/GET/user/logout', 'get /user/logout');
    expect(logout.status()).toBe(200);
    expectQuiet(watched);
    await watched.close();
  });

  test('search, another document, dark mode, and a link to an operation that survives', async () => {
    const watched = await open();
    const { page } = watched;
    await page.goto(`${t.url}/docs?api=train`);
    await shown(watched, 'Train Travel API');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /search/i }).fill('payment');
    await page.getByRole('option', { name: /pay/i }).first().waitFor();
    await look(watched, 'docs-search');
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Train Travel API' }).click();
    await page.getByRole('option', { name: 'Museum API' }).click();
    await shown(watched, 'Museum API');
    expect(page.url()).toBe(`${t.url}/docs#museum`);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /search/i }).fill('list special events');
    await page.getByRole('option', { name: /List special events/ }).click();
    await page.waitForURL(/#museum\/tag\/events\/GET\/special-events$/);
    await page.reload();
    await shown(watched, 'Museum API');
    expect(page.url()).toMatch(/#museum\/tag\/events\/GET\/special-events$/);
    expect(await page.title()).toBe('List special events · Museum API · Quartet');
    await page.locator('code .hljs-attr').first().waitFor();

    await page.getByRole('button', { name: 'Set dark mode' }).click();
    await page.locator('body.dark-mode').waitFor();
    await look(watched, 'docs-dark-chosen');
    expectQuiet(watched);
    await watched.close();
  });

  test('without JavaScript there are the documents', async () => {
    const watched = await open({ javaScriptEnabled: false });
    await watched.page.goto(`${t.url}/docs`);
    await watched.page.getByRole('link', { name: 'JSON of Petstore' }).waitFor();
    await shoot(watched, 'docs-without-script');
    await expectFits(watched);
    await watched.close();
  });
});
