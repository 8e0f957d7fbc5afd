import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/hill/global-setup.ts'],
    pool: 'forks',
    // A worker loads Hill once and not for each of its files: no module of Hill's keeps state that a file could leave behind.
    isolate: false,
    maxWorkers: 2,
    // Some tests start real servers or push thousands of nights through one database.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
  },
});
