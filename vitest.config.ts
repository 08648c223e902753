import { defineConfig } from 'vitest/config';

/** One project an engine; PostgreSQL joins where TEST_DATABASE_URL names a server. */
const engine = (name: 'embedded' | 'postgresql') => ({
  extends: true as const,
  test: { name, env: { TEST_ENGINE: name }, globalSetup: `test/setup-${name}.ts` },
});

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: 'test/setup-conformance.ts',
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: process.env['TEST_DATABASE_URL']
      ? [engine('embedded'), engine('postgresql')]
      : [engine('embedded')],
  },
});
