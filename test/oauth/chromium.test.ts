import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authorizeUrl, DEMO_USER, newPkce, startPublicApp } from './browser.ts';
import {
  expectQuiet,
  hasChromium,
  launch,
  look,
  openPage,
  VIEWS,
  violationsOf,
} from '../chromium.ts';
import { postForm } from './tokens.ts';

describe.runIf(hasChromium)('in Chromium', () => {
  let t: Awaited<ReturnType<typeof startPublicApp>>;
  let browser: Browser;
  let callback: string;

  /** The application that asks for access. */
  const application = createServer((_request, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end('<title>App</title><link rel="icon" href="data:,">');
  });

  beforeAll(async () => {
    t = await startPublicApp();
    browser = await launch();
    await new Promise<void>((resolve) => void application.listen(0, '127.0.0.1', resolve));
    callback = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`;
  });
  afterAll(async () => {
    await browser.close();
    application.close();
    await t[Symbol.asyncDispose]();
  });

  const open = (options: Parameters<typeof openPage>[2] = {}) =>
    openPage(browser, [t.url, new URL(callback).origin], options);

  test('sign in, agree, token, call, refresh, who has access, sign out', async () => {
    const watched = await open();
    const { page } = watched;
    const { verifier, challenge } = newPkce();
    const url = authorizeUrl({ verifier, challenge }, { redirect_uri: callback });
    await page.goto(t.url + url);
    await page.getByLabel('Email').fill(DEMO_USER.email);
    await page.getByLabel('Password').fill(DEMO_USER.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${callback}?**`);
    const code = new URL(page.url()).searchParams.get('code') ?? '';
    const form = {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: callback,
    };
    const tokens = (await postForm(t.app, '/oauth/token', form)).json();
    const authorization = `Bearer ${tokens.access_token}`;
    expect((await fetch(`${t.url}/bookings`, { headers: { authorization } })).status).toBe(200);
    const renew = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect((await postForm(t.app, '/oauth/token', renew)).statusCode).toBe(200);

    await page.goto(`${t.url}/login`);
    expect(await page.title()).toBe('Your access token · Quartet');
    const token = await page.getByRole('group', { name: 'Access token' }).textContent();
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${t.url}/bookings`, { headers })).status).toBe(200);

    await page.getByRole('link', { name: 'Who has access' }).click();
    await page.getByRole('button', { name: 'Revoke access of Quartet demo' }).click();
    expect(await page.getByRole('status').textContent()).toContain('Quartet demo');
    await page.getByRole('link', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(await page.title()).toBe('You are signed out · Quartet');
    expectQuiet(watched);
    await watched.close();
  });

  test('an answer by form_post arrives: its script is the one that may run', async () => {
    const watched = await open();
    const { page } = watched;
    const changes = {
      client_id: 'quartet-docs',
      redirect_uri: callback,
      response_mode: 'form_post',
    };
    await page.goto(t.url + authorizeUrl(newPkce(), changes));
    await page.getByLabel('Email').fill(DEMO_USER.email);
    await page.getByLabel('Password').fill(DEMO_USER.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(callback);
    expectQuiet(watched);
    await watched.close();
  });

  test('the checker is awake: it finds a field without a label', async () => {
    const watched = await open();
    await watched.page.setContent('<input>');
    expect((await violationsOf(watched)).map(({ id }) => id)).toContain('label');
    await watched.close();
  });

  test('without script, by keyboard alone', async () => {
    const watched = await open({ javaScriptEnabled: false });
    const { page } = watched;
    await page.goto(t.url + authorizeUrl(newPkce(), { redirect_uri: callback, prompt: 'consent' }));
    // The first field has the focus.
    await page.locator('#email:focus').waitFor();
    await page.keyboard.type(DEMO_USER.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type('not the password');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    // The address is kept, and the field to mend has the focus.
    await page.locator('#password:focus').waitFor();
    await page.keyboard.type(DEMO_USER.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${callback}?code=**`);
    expect(watched.strays).toEqual([]);
    await watched.close();
  });

  test('a fault is announced: in the title, as an alert, and with its field', async () => {
    const watched = await open();
    const { page } = watched;
    await page.goto(`${t.url}/login`);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password').fill('short');
    await page.getByRole('button', { name: 'Create account' }).click();
    expect(await page.title()).toBe('Error: Create an account · Quartet');
    const password = page.getByLabel('Password');
    expect(await password.getAttribute('aria-invalid')).toBe('true');
    const note = await password.getAttribute('aria-describedby');
    expect(await page.locator(`#${note}`).textContent()).toContain('at least 8 characters');
    expect(await password.evaluate((field) => field.matches(':focus'))).toBe(true);
    await look(watched, 'signup-fault');
    await watched.close();
  });

  describe.each(VIEWS)('%s', (name, options) => {
    test('every page fits, and axe finds nothing', async () => {
      const watched = await open(options);
      const { page } = watched;
      await page.goto(
        t.url +
          authorizeUrl(newPkce(), {
            redirect_uri: callback,
            prompt: 'consent',
            scope: 'openid offline_access read write read:pets write:pets',
          }),
      );
      await look(watched, `${name}-sign-in`);
      await page.getByLabel('Email').fill(DEMO_USER.email);
      await page.getByLabel('Password').fill('wrong');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
      await look(watched, `${name}-sign-in-fault`);
      await page.getByRole('link', { name: 'Create an account' }).click();
      await look(watched, `${name}-sign-up`);
      await page.getByRole('link', { name: 'Sign in' }).click();
      await page.getByLabel('Email').fill(DEMO_USER.email);
      await page.getByLabel('Password').fill(DEMO_USER.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
      await look(watched, `${name}-consent`);
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.goto(`${t.url}/login`);
      await look(watched, `${name}-token`);
      await page.goto(`${t.url}/oauth/grants`);
      await look(watched, `${name}-grants`);
      await page.goto(`${t.url}/logout`);
      await look(watched, `${name}-sign-out`);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await look(watched, `${name}-signed-out`);
      await page.goto(`${t.url}/oauth/authorize?client_id=nobody`);
      await look(watched, `${name}-error`);
      expect(watched.strays).toEqual([]);
      await watched.close();
    });
  });
});
