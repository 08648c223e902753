import { existsSync } from 'node:fs';
import * as module from 'node:module';
import { fileURLToPath } from 'node:url';

/** Runs what `load` imports; `command` is named where node is too old for it, as it brings its own. */
export async function launch(load, command) {
  const [major] = process.versions.node.split('.');
  if (Number(major) < 24) {
    process.stderr.write(
      `Quartet needs Node 24 or newer; this is ${process.version}. "${command}" brings its own.\n`,
    );
    process.exitCode = 1;
    return;
  }
  // Compiled code is kept between starts, which are then faster and take less memory.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)));
  if (existsSync('.env')) process.loadEnvFile('.env');
  await load();
}
