import { resolve } from 'node:path'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { longestFirst } from '../longest-first.ts'
import { timeouts } from '../support/timeouts.ts'

// Set before workers start, because they inherit the environment.
process.env['NODE_COMPILE_CACHE'] ??= resolve('.wrangler/compile-cache')

export default defineConfig({
  test: {
    include: [`test/browser/**/*.${process.env['LONG'] === undefined ? 'test' : 'long'}.ts`],
    globalSetup: ['test/browser/support/start.ts'],
    environment: 'node',
    maxWorkers: 2,
    // Otherwise each file would load Playwright again, which takes two seconds.
    isolate: false,
    sequence: { sequencer: longestFirst(['pages.test', 'edit.test', 'docs.test', 'states.test']) },
    testTimeout: timeouts.test,
    hookTimeout: timeouts.test,
    expect: { poll: { timeout: timeouts.wait, interval: 250 } },
  },
})
