import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { ENGINE } from './harness.ts';

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };

/** What pages are looked at with; both show the other colours, too. */
export const VIEWS = [
  ['desktop', {}],
  ['phone', { viewport: PHONE, colorScheme: 'dark' }],
] as const;

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

type Scheme = 'light' | 'dark';

export interface Watched {
  page: Page;
  /** The colour scheme that it was opened with, and that it goes back to. */
  scheme: Scheme;
  otherScheme: Scheme;
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
    colorScheme?: Scheme;
    javaScriptEnabled?: boolean;
  } = {},
): Promise<Watched> {
  const context = await browser.newContext({ viewport: DESKTOP, ...options });
  const page = await context.newPage();
  const scheme = options.colorScheme ?? 'light';
  const watched: Watched = {
    page,
    scheme,
    otherScheme: scheme === 'light' ? 'dark' : 'light',
    complaints: [],
    strays: [],
    close: () => context.close(),
  };
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

/** What axe finds against WCAG and its own best practices; `ofColours`: against those on colours. */
export async function violationsOf({ page }: Watched, ofColours = false) {
  await animationsEnd(page);
  // Through the debugger, which the pages' own policy against scripts does not bind.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const options = {
    resultTypes: ['violations'],
    ...(ofColours && { runOnly: ['color-contrast', 'link-in-text-block'] }),
  };
  return page.evaluate(async (asked) => {
    const { axe: run } = globalThis as unknown as {
      axe: {
        run(given: typeof asked): Promise<{
          violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
        }>;
      };
    };
    return (await run.run(asked)).violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`),
    }));
  }, options);
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

/**
 * Looks at the page as it is: it fits, and axe finds nothing; nor in the other colour scheme, which
 * changes nothing but colours.
 */
export async function look(watched: Watched, name: string): Promise<void> {
  const { page, scheme, otherScheme } = watched;
  await shoot(watched, `${name}-${scheme}`);
  await expectFits(watched);
  expect(await violationsOf(watched), `${name}-${scheme}`).toEqual([]);
  await page.emulateMedia({ colorScheme: otherScheme });
  await shoot(watched, `${name}-${otherScheme}`);
  expect(await violationsOf(watched, true), `${name}-${otherScheme}`).toEqual([]);
  await page.emulateMedia({ colorScheme: scheme });
}

/** The browser complained about nothing, and asked nobody else. */
export function expectQuiet({ complaints, strays }: Watched): void {
  expect(complaints).toEqual([]);
  expect(strays).toEqual([]);
}
