import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { longestFirst } from '../longest-first.ts'
import { timeouts } from '../support/timeouts.ts'

// Set before workers start, because they inherit the environment.
process.env['NEW_STATE'] = join(tmpdir(), `garment-tagging-state-${process.pid}`)
// Compiles wrangler once, although tests start it about sixty times.
process.env['NODE_COMPILE_CACHE'] ??= resolve('.wrangler/compile-cache')

/** Runs in Node.js, against a real `wrangler dev` that all files share, or one that a file starts itself. */
export default defineConfig({
  test: {
    include: [`test/e2e/**/*.${process.env['LONG'] === undefined ? 'test' : 'long'}.ts`],
    globalSetup: [
      './test/e2e/support/pack-client.ts',
      './test/e2e/support/create-state.ts',
      './test/e2e/support/start-shared-service.ts',
    ],
    testTimeout: timeouts.test,
    hookTimeout: timeouts.test,
    expect: { poll: { timeout: timeouts.wait, interval: 200 } },
    // More than processors, because these tests spend much of their time waiting.
    maxWorkers: 3,
    // Otherwise each file would load the same modules again.
    isolate: false,
    sequence: {
      sequencer: longestFirst(['deploy', 'upload-csv', 'examples.test', 'service']),
    },
    disableConsoleIntercept: true,
  },
})
