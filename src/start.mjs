import { existsSync } from 'node:fs';

const [major] = process.versions.node.split('.');
if (Number(major) >= 24) {
  if (existsSync('.env')) process.loadEnvFile('.env');
  await import('./main.ts');
} else {
  process.stderr.write(
    `Quartet needs Node 24 or newer; this is ${process.version}. "npm start" brings its own.\n`,
  );
  process.exitCode = 1;
}
