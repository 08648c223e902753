// `npm run check`: every check in turn, also after one failed, so that one run shows them all.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

const checks = {
  format: 'biome format',
  types: 'tsc --noEmit',
  lint: 'oxlint',
  'planted violations': 'node test/lint/planted.mjs',
  'dead code': 'knip',
};

const root = path.resolve(import.meta.dirname, '..');
const bin = path.join(root, 'node_modules/.bin');
const options = {
  cwd: root,
  env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` },
  stdio: 'inherit',
  shell: true,
};

const summary = [];
let failed = 0;
for (const [name, command] of Object.entries(checks)) {
  console.log(`\n> ${command}`);
  const begin = performance.now();
  const passed = spawnSync(command, options).status === 0;
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  if (!passed) failed += 1;
  summary.push(`${passed ? 'passed' : 'FAILED'}  ${name} (${seconds} s)`);
}
console.log(`\n${summary.join('\n')}`);

// Where CI reads how many checks there were.
const passed = summary.length - failed;
if (process.env.CHECK_COUNTS) writeFileSync(process.env.CHECK_COUNTS, `${passed} ${failed}\n`);
process.exitCode = failed > 0 ? 1 : 0;
