import { resolve } from 'node:path'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { longestFirst } from '../longest-first.ts'

// Set before workers start, because they copy the environment.
process.env['NODE_COMPILE_CACHE'] ??= resolve('.wrangler/compile-cache')

export default defineConfig({
  test: {
    include: [`test/browser/**/*.${process.env['LONG'] === undefined ? 'test' : 'long'}.ts`],
    globalSetup: ['test/browser/support/start.ts'],
    environment: 'node',
    // Two workers keep a small machine busy, because each drives a browser.
    maxWorkers: 2,
    // With isolation, each file would spend two seconds loading the browser's driver.
    isolate: false,
    sequence: { sequencer: longestFirst(['pages.test', 'edit.test', 'docs.test', 'states.test']) },
    testTimeout: 900_000,
    // Limits only tests that hang. A busy machine is slow.
    expect: { poll: { timeout: 300_000, interval: 250 } },
    hookTimeout: 900_000,
  },
})
