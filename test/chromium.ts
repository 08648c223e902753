import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { ENGINE } from './harness.ts';

const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 360, height: 740 };

/** Debian's Chromium, unless the environment names another. */
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** The pages are the same on both engines; once is enough. A machine without Chromium skips it. */
export const hasChromium =
  ENGINE === 'embedded' && (existsSync(CHROMIUM) || process.env['CI'] !== undefined);

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });

export interface Watched {
  page: Page;
  /** What the browser complained about. */
  complaints: string[];
  /** Requests that went to another origin than `allowed`. */
  strays: string[];
  close(): Promise<void>;
}

/** A page of its own profile, watched for console errors and for requests to elsewhere. */
export async function openPage(
  browser: Browser,
  allowed: string[],
  options: {
    viewport?: typeof PHONE;
    colorScheme?: 'light' | 'dark';
    javaScriptEnabled?: boolean;
  } = {},
): Promise<Watched> {
  const context = await browser.newContext({ viewport: DESKTOP, ...options });
  const page = await context.newPage();
  const watched: Watched = { page, complaints: [], strays: [], close: () => context.close() };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) watched.complaints.push(message.text());
  });
  page.on('pageerror', (error) => watched.complaints.push(error.message));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && !allowed.includes(url.origin)) watched.strays.push(url.href);
  });
  return watched;
}

interface Animations {
  document: {
    getAnimations(): {
      effect: { getComputedTiming(): { endTime: number } } | null;
      finished: Promise<unknown>;
    }[];
  };
}

/** What is half faded in has no contrast yet. */
const animationsEnd = (page: Page) =>
  page.evaluate(async () => {
    const { document } = globalThis as unknown as Animations;
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });

/** What axe finds against WCAG and its own best practices. */
export async function violationsOf({ page }: Watched) {
  await animationsEnd(page);
  // Through the debugger, which the pages' own policy against scripts does not bind.
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: run } = globalThis as unknown as {
      axe: {
        run(options: { resultTypes: string[] }): Promise<{
          violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
        }>;
      };
    };
    return (await run.run({ resultTypes: ['violations'] })).violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`),
    }));
  });
}

/** Fails where something is wider than the screen. */
export async function expectFits({ page }: Watched): Promise<void> {
  const [content, screen] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = (
      globalThis as unknown as {
        document: { documentElement: { scrollWidth: number; clientWidth: number } };
      }
    ).document.documentElement;
    return [scrollWidth, clientWidth];
  });
  expect(content, `${page.url()} is wider than the screen`).toBeLessThanOrEqual(screen ?? 0);
}

/** Keeps a picture where SCREENSHOTS names a directory: somebody should look at the pages. */
export async function shoot({ page }: Watched, name: string): Promise<void> {
  const directory = process.env['SCREENSHOTS'];
  if (directory) await page.screenshot({ path: `${directory}/${name}.png`, fullPage: true });
}

/** Looks at the page as it is: it fits, and axe finds nothing. */
export async function look(watched: Watched, name: string): Promise<void> {
  await shoot(watched, name);
  await expectFits(watched);
  expect(await violationsOf(watched), name).toEqual([]);
}

/** The browser complained about nothing, and asked nobody else. */
export function expectQuiet({ complaints, strays }: Watched): void {
  expect(complaints).toEqual([]);
  expect(strays).toEqual([]);
}
