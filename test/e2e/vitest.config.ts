import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { longestFirst } from '../longest-first.ts'

// Before any worker begins, since they take the environment along.
process.env['NEW_STATE'] = join(tmpdir(), `garment-tagging-state-${process.pid}`)
// wrangler is started some sixty times, and compiled only once.
process.env['NODE_COMPILE_CACHE'] ??= resolve('.wrangler/compile-cache')

/** Runs in Node.js, against a real `wrangler dev`: that of all files, or one of a file's own. */
export default defineConfig({
  test: {
    include: [`test/e2e/**/*.${process.env['LONG'] === undefined ? 'test' : 'long'}.ts`],
    globalSetup: [
      './test/e2e/support/pack-client.ts',
      './test/e2e/support/create-state.ts',
      './test/e2e/support/start-shared-service.ts',
    ],
    testTimeout: 900_000,
    // Bounds for what hangs, not measurements: a busy machine is slow.
    expect: { poll: { timeout: 300_000, interval: 200 } },
    hookTimeout: 900_000,
    // Much of the time goes by in waiting, for a retry for instance.
    maxWorkers: 3,
    // Each file would load the same modules again.
    isolate: false,
    sequence: {
      sequencer: longestFirst(['deploy', 'upload-csv', 'examples.test', 'service']),
    },
    disableConsoleIntercept: true,
  },
})
