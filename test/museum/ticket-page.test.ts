import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { CURATOR, MERMAIDS } from '../given.ts';
import { startPublicApp } from '../oauth/browser.ts';
import {
  expectQuiet,
  hasChromium,
  launch,
  look,
  openPage,
  VIEWS,
  type Watched,
} from '../chromium.ts';

let t: Awaited<ReturnType<typeof startPublicApp>>;
beforeAll(async () => {
  t = await startPublicApp({ env: { MUSEUM_BASE_PATH: '/v1.1' } });
});
afterAll(() => t[Symbol.asyncDispose]());

const EVENT = { ticketType: 'event', eventId: MERMAIDS, ticketDate: '2023-09-05' };
const HOSTILE = '<script>alert(1)</script> & "Café" '.repeat(5).trim();

async function bought(payload: object = EVENT): Promise<string> {
  const answer = await t.inject({ method: 'POST', url: '/v1.1/tickets', payload });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json().ticketId;
}

/** A ticket for an event of a name that nobody would choose. */
async function boughtHostile(): Promise<{ ticketId: string; eventUrl: string }> {
  const event = { name: HOSTILE, location: HOSTILE, eventDescription: HOSTILE, price: 1 };
  const payload = { ...event, dates: ['2028-02-29'] };
  const options = { method: 'POST', headers: CURATOR, payload } as const;
  const { eventId } = (await t.inject({ ...options, url: '/v1.1/special-events' })).json();
  const ticketId = await bought({ ticketType: 'event', eventId, ticketDate: '2028-02-29' });
  return { ticketId, eventUrl: `/v1.1/special-events/${eventId}` };
}

const get = (ticketId: string, accept?: string) =>
  t.inject({ url: `/v1.1/tickets/${ticketId}`, headers: accept === undefined ? {} : { accept } });

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test.each([
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['application/json, text/html', 'application/json'],
  ['text/html;q=0.4, application/json;q=0.5', 'application/json'],
  ['text/html;q=0, */*', 'application/json'],
  [BROWSER, 'text/html'],
  ['text/html', 'text/html'],
  ['application/json;q=0.4, text/html;q=0.5', 'text/html'],
])('Accept: %s gets %s', async (accept, type) => {
  const answer = await get(await bought(), accept);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`);
  expect(answer.headers['vary']).toBe('Origin, Accept');
  expect(answer.headers['cache-control']).toBe('private, no-cache');
});

it('the page is text, and its headers let nothing else in', async () => {
  const { ticketId } = await boughtHostile();
  const { body, headers } = await get(ticketId, BROWSER);
  expect(body).not.toContain('<script');
  expect(body).toContain('&lt;script&gt;');
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(headers).toMatchObject({
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  });
});

it('an address that is no ticket has a page too, for browsers only', async () => {
  for (const [id, status] of [
    ['0194a1f0-7a00-7000-8000-000000000000', 404],
    ['mine', 400],
  ] as const) {
    const page = await get(id, BROWSER);
    expect([page.statusCode, page.headers['content-type']]).toEqual([
      status,
      'text/html; charset=utf-8',
    ]);
    expect(page.body).toContain('There is no such ticket');
    expect(page.headers['cache-control']).toBe('no-store');
    const problem = await get(id);
    expect([problem.statusCode, problem.headers['content-type']]).toEqual([
      status,
      'application/problem+json',
    ]);
    expect(problem.headers['vary']).toBe('Origin, Accept');
  }
  expect((await get(await bought(), 'image/png')).statusCode).toBe(406);
});

describe.runIf(hasChromium)('in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  const open = (options: Parameters<typeof openPage>[2] = {}) =>
    openPage(browser, [t.url], options);
  const show = (watched: Watched, ticketId: string) =>
    watched.page.goto(`${t.url}/v1.1/tickets/${ticketId}`);

  test('the ticket shows what it is for, and goes into a wallet', async () => {
    const watched = await open();
    const { page } = watched;
    await show(watched, await bought());
    expect(await page.title()).toBe(
      'Mermaid Treasure Identification and Analysis · Quartet Museum',
    );
    const text = await page.getByRole('main').innerText();
    for (const part of [
      'Tuesday, September 5, 2023',
      '09:00–18:00',
      'Room Sea-12',
      'ticket-event-',
    ])
      expect(text).toContain(part);
    await page.getByRole('img', { name: 'QR code of this ticket' }).waitFor();
    const link = page.getByRole('link', { name: 'Add to Apple Wallet' });
    const pass = await fetch(String(await link.getAttribute('href')));
    expect([pass.status, pass.headers.get('content-type')]).toEqual([
      200,
      'application/vnd.apple.pkpass',
    ]);
    expectQuiet(watched);
    await watched.close();
  });

  test.each(VIEWS)('%s: each page fits, and axe finds nothing', async (name, options) => {
    const watched = await open(options);
    const { page } = watched;
    await show(watched, await bought());
    await look(watched, `${name}-ticket`);
    await show(watched, await bought({ ticketType: 'general', ticketDate: '2027-12-25' }));
    expect(await page.getByRole('heading').innerText()).toBe('General admission');
    await look(watched, `${name}-general`);
    const { ticketId, eventUrl } = await boughtHostile();
    await show(watched, ticketId);
    expect(await page.getByRole('heading').innerText()).toBe(HOSTILE);
    await look(watched, `${name}-hostile`);
    await t.inject({ method: 'DELETE', url: eventUrl, headers: CURATOR });
    await page.reload();
    expect(await page.getByRole('status').innerText()).toContain('cancelled');
    expect(await page.getByRole('link').count()).toBe(0);
    expect(await page.getByRole('img').count()).toBe(0);
    await look(watched, `${name}-void`);
    expectQuiet(watched);
    await show(watched, '0194a1f0-7a00-7000-8000-000000000000');
    await look(watched, `${name}-none`);
    expect(watched.strays).toEqual([]);
    await watched.close();
  });
});
