// `node tools/docs-picture.mjs [url]`: makes docs/images/docs.png anew, of a server that runs there.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { PNG } from 'pngjs';

const [, , url = 'http://127.0.0.1:3000'] = process.argv;
const root = path.resolve(import.meta.dirname, '..');

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});
const page = await browser.newPage({
  viewport: { width: 1280, height: 800 },
  colorScheme: 'light',
  reducedMotion: 'reduce',
});
await page.goto(`${url}/docs#train/tag/bookings/POST/bookings`);
await page.getByRole('button', { name: 'Test Request (post /bookings)' }).waitFor();
await page.evaluate(() => document.fonts.ready);
await page.waitForTimeout(1500); // until what is loaded lazily has moved nothing for a while
const picture = PNG.sync.read(await page.screenshot());
// Flat colours: without a filter and without transparency it is smallest.
const small = PNG.sync.write(picture, {
  colorType: 2,
  filterType: 0,
  deflateLevel: 9,
  deflateStrategy: 0,
});
writeFileSync(path.join(root, 'docs/images/docs.png'), small);
await browser.close();
