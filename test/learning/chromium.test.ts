import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ENGINE } from '../harness.ts';
import { startPublicApp } from '../oauth/browser.ts';
import {
  CHROMIUM,
  expectFits,
  launch,
  openPage,
  PHONE,
  shoot,
  violationsOf,
} from '../oauth/chromium.ts';

// The page is the same on both engines; once is enough. A machine without Chromium skips it.
const canRun = ENGINE === 'embedded' && (existsSync(CHROMIUM) || process.env['CI'] !== undefined);

describe.runIf(canRun)('the landing page in Chromium', () => {
  test('fits, loads nothing, runs nothing, and axe finds nothing', async () => {
    await using t = await startPublicApp();
    const browser = await launch();
    try {
      for (const [name, options] of [
        ['desktop-light', {}],
        ['desktop-dark', { colorScheme: 'dark' }],
        ['phone-light', { viewport: PHONE }],
        ['phone-dark', { viewport: PHONE, colorScheme: 'dark' }],
      ] as const) {
        const watched = await openPage(browser, [t.url], options);
        const { page } = watched;
        await page.goto(t.url);
        expect(await page.title()).toBe('Four demo APIs that are real · Quartet');
        for (const service of ['Train Travel', 'Petstore', 'Museum', 'Learning'])
          await page.getByRole('link', { name: `Docs of ${service}` }).waitFor();
        await shoot(watched, `landing-${name}`);
        await expectFits(watched);
        expect(await violationsOf(watched), name).toEqual([]);
        expect(watched.complaints).toEqual([]);
        expect(watched.strays).toEqual([]);
        await watched.close();
      }
    } finally {
      await browser.close();
    }
  });
});
