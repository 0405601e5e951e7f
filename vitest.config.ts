import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { RuntimeOutput } from './test/support/runtime-output.ts'

// Else it tells where it found local secrets, among the tests.
process.env['WRANGLER_LOG'] ??= 'warn'
const { cloudflareTest, readD1Migrations } = await import('@cloudflare/vitest-pool-workers')

/** With DATABASES=3, the tests run with DB, DB2 and DB3, over which their tenants spread. */
const databases = Number(process.env['DATABASES'] ?? 1)
const more = Array.from({ length: databases - 1 }, (_, i) => `DB${i + 2}`)
const empty = Array.from({ length: 4 }, (_, i) => `EMPTY_DB_${i + 1}`)

export default defineConfig({
  plugins: [
    cloudflareTest(async () => ({
      wrangler: { configPath: './wrangler.toml' },
      remoteBindings: false,
      miniflare: {
        // The spare ones are for tests of a service with several databases. An empty one is for one test that measures
        // its size, or applies other migrations.
        d1Databases: Object.fromEntries([...more, 'SPARE2', 'SPARE3', ...empty].map((name) => [name, name])),
        bindings: {
          JWT_SECRET: 'for tests only, for tests only, for tests only',
          ENCRYPTION_KEY: 'dGVzdHMgb25seSwgdGVzdHMgb25seSwgdGVzdHMgb24=',
          ALLOW_LOCAL_TARGETS: 'true',
          // Test files share databases, and many tests store rows of 1970, which no sweep of another file may remove.
          RETENTION_DAYS: 36_500,
          TEST_GARMENTS: Number(process.env['GARMENTS'] ?? 20_000),
          TEST_MIGRATIONS: await readD1Migrations('./migrations'),
        },
      },
    })),
  ],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**', 'test/browser/**'],
    globalSetup: ['./test/support/start-http-host.ts'],
    setupFiles: ['./test/support/prepare-runtime.ts', './test/support/quiet-requests.ts'],
    // Bounds for a test that hangs, not measurements: a busy machine is slow.
    testTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // A start of workerd costs seconds, so test files share it and its storage: each test makes tenants of its own.
    isolate: false,
    maxWorkers: 2,
    // A message of a queue or an alarm may come while one file ends and the next one begins: vitest cannot tell workerd
    // then where the Worker's module is. The event is repeated, as after any failure.
    onUnhandledError: ({ message }) => message !== '[vitest-worker]: Closing rpc while "resolve" was pending',
    // In this order, so that the failures themselves come last.
    reporters: [new RuntimeOutput(), 'default'],
    // Work that a test leaves running may log after its file has ended; with interception, vitest fails a run for that.
    disableConsoleIntercept: true,
  },
})
