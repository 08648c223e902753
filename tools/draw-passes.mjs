// `npx node tools/draw-passes.mjs` makes the PNGs of the wallet passes from the SVGs beside them, in
// the three densities that devices have. Needs Chromium; run it after a change of an SVG.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { chromium } from 'playwright-core';

const root = new URL('../src/', import.meta.url).pathname;
const directories = ['museum/pass', 'train/pass'].map((path) => join(root, path));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
for (const density of [1, 2, 3]) {
  const page = await browser.newPage({ deviceScaleFactor: density });
  const suffix = density === 1 ? '' : `@${density}x`;
  for (const directory of directories)
    for (const file of readdirSync(directory).filter((name) => name.endsWith('.svg'))) {
      await page.setContent(
        `<style>body { margin: 0 } svg { display: block }</style>${readFileSync(join(directory, file))}`,
      );
      await page.locator('svg').screenshot({
        path: join(directory, `${basename(file, '.svg')}${suffix}.png`),
        omitBackground: true,
      });
    }
  await page.close();
}
await browser.close();
