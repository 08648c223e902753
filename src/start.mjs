import { existsSync } from 'node:fs';
import * as module from 'node:module';
import { fileURLToPath } from 'node:url';

const [major] = process.versions.node.split('.');
if (Number(major) >= 24) {
  // Compiled code is kept between starts, which are then faster and take less memory.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)));
  if (existsSync('.env')) process.loadEnvFile('.env');
  await import('./main.ts');
} else {
  process.stderr.write(
    `Quartet needs Node 24 or newer; this is ${process.version}. "npm start" brings its own.\n`,
  );
  process.exitCode = 1;
}
