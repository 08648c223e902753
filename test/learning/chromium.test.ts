import { describe, expect, test } from 'vitest';
import { startPublicApp } from '../oauth/browser.ts';
import { expectQuiet, hasChromium, launch, look, openPage, VIEWS } from '../chromium.ts';

describe.runIf(hasChromium)('the landing page in Chromium', () => {
  test('fits, loads nothing, runs nothing, and axe finds nothing', async () => {
    await using t = await startPublicApp();
    const browser = await launch();
    try {
      for (const [name, options] of VIEWS) {
        const watched = await openPage(browser, [t.url], options);
        const { page } = watched;
        await page.goto(t.url);
        expect(await page.title()).toBe('Four demo APIs that are real · Quartet');
        for (const service of ['Train Travel', 'Petstore', 'Museum', 'Learning'])
          await page.getByRole('link', { name: `Docs of ${service}` }).waitFor();
        await look(watched, `landing-${name}`);
        expectQuiet(watched);
        await watched.close();
      }
    } finally {
      await browser.close();
    }
  });
});
