import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { longestFirst } from '../longest-first.ts'

// Before any worker begins, since they take the environment along.
process.env['NEW_STATE'] = join(tmpdir(), `garment-tagging-state-${process.pid}`)

/** Runs in Node.js, against a real `wrangler dev` for each file. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: ['./test/e2e/support/pack-client.ts', './test/e2e/support/create-state.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Most of the time goes by in waiting, for a rate limit or a retry for instance.
    maxWorkers: 3,
    sequence: {
      // The first one waits a minute for a rate limit.
      sequencer: longestFirst([
        'commands.test',
        'deploy.test',
        'deploy-databases',
        'import.test',
        'restore',
        'service',
      ]),
    },
    disableConsoleIntercept: true,
  },
})
