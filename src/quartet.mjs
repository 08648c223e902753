import { existsSync } from 'node:fs';

const [major] = process.versions.node.split('.');
if (Number(major) >= 24) {
  if (existsSync('.env')) process.loadEnvFile('.env');
  await import('./quartet.ts');
} else {
  process.stderr.write(
    `Quartet needs Node 24 or newer; this is ${process.version}. "npm run quartet" brings its own.\n`,
  );
  process.exitCode = 1;
}
