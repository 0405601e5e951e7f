import { defineConfig } from 'vitest/config'

/** Runs in Node.js, against a real `wrangler dev` for each file. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: ['./test/e2e/pack-client.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Most of the time goes by in waiting, for a rate limit for instance.
    maxWorkers: 2,
    disableConsoleIntercept: true,
  },
})
