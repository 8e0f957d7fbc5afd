import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/hill/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // Some tests start real servers or push thousands of nights through one database.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
  },
});
