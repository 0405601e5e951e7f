import { resolve } from 'node:path'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { longestFirst } from '../longest-first.ts'

// Before any worker begins, since they take the environment along.
process.env['NODE_COMPILE_CACHE'] ??= resolve('.wrangler/compile-cache')

export default defineConfig({
  test: {
    include: [`test/browser/**/*.${process.env['LONG'] === undefined ? 'test' : 'long'}.ts`],
    globalSetup: ['test/browser/support/start.ts'],
    environment: 'node',
    // Each worker drives a browser, so two keep a small machine busy.
    maxWorkers: 2,
    // Each file would load the driver of the browser again, which takes two seconds.
    isolate: false,
    sequence: { sequencer: longestFirst(['pages.test', 'edit.test', 'docs.test', 'states.test']) },
    testTimeout: 900_000,
    // Bounds for what hangs, not measurements: a busy machine is slow.
    expect: { poll: { timeout: 300_000, interval: 250 } },
    hookTimeout: 900_000,
  },
})
