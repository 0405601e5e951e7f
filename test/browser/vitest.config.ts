import { defineConfig } from 'vitest/config'
import { longestFirst } from '../longest-first.ts'

export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/browser/support/start.ts'],
    environment: 'node',
    // Each worker drives a browser, so two keep a small machine busy.
    maxWorkers: 2,
    sequence: { sequencer: longestFirst(['pages.test', 'docs.test', 'day.test', 'edit.test', 'states.test']) },
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
})
