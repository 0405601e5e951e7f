import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { RuntimeOutput } from './test/support/runtime-output.ts'
import { sortTestFiles } from './test/support/sort-test-files.ts'

// Else it tells where it found local secrets, among the tests.
process.env['WRANGLER_LOG'] ??= 'warn'
const { cloudflareTest, readD1Migrations } = await import('@cloudflare/vitest-pool-workers')

/** The tests' tenants spread over DB, DB2 and DB3. With DATABASES=1 there is only DB. */
const databases = Number(process.env['DATABASES'] ?? 3)
const more = Array.from({ length: databases - 1 }, (_, i) => `DB${i + 2}`)
const empty = Array.from({ length: 4 }, (_, i) => `EMPTY_DB_${i + 1}`)

// In workerd, Uint8Array has toBase64 already.
setFlagsFromString('--js-base-64')

const pattern = process.env['LONG'] === undefined ? 'test/**/*.test.ts' : 'test/**/*.long.ts'
const files = sortTestFiles(pattern, ['test/e2e/**', 'test/browser/**'])

/** What the network gets from the platform, in Node.js: a module of WebAssembly, and static assets. */
const workerModules: Plugin = {
  name: 'worker-modules',
  enforce: 'pre',
  resolveId: (id) => (id === 'cloudflare:workers' ? `\0${id}` : null),
  load(id) {
    const imported = "import { readFileSync } from 'node:fs'\n"
    if (id.endsWith('.wasm'))
      return `${imported}export default new WebAssembly.Module(readFileSync(${JSON.stringify(id)}))`
    if (id !== '\0cloudflare:workers') return null
    const read = "readFileSync('src/dashboard/public' + new URL(url).pathname)"
    return `${imported}export const env = { ASSETS: { fetch: async (url) => new Response(${read}) } }`
  },
}

const shared = {
  globalSetup: ['./test/support/start-http-host.ts'],
  // Bounds for a test that hangs, not measurements: a busy machine is slow.
  testTimeout: 900_000,
  hookTimeout: 900_000,
  expect: { poll: { timeout: 300_000 } },
  // Files share what they have loaded; in workerd, whose start costs seconds, the storage too: each test makes tenants
  // of its own.
  isolate: false,
  // Work that a test leaves running may log after its file has ended; with interception, vitest fails a run for that.
  disableConsoleIntercept: true,
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    // In this order, so that the failures themselves come last.
    reporters: [new RuntimeOutput(), 'default'],
    // A message of a queue or an alarm may come while one file ends and the next one begins: vitest cannot tell workerd
    // then where the Worker's module is. The event is repeated, as after any failure.
    onUnhandledError: ({ message }) => message !== '[vitest-worker]: Closing rpc while "resolve" was pending',
    projects: [
      {
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: './wrangler.toml' },
            remoteBindings: false,
            miniflare: {
              // The spare ones are for tests of a service with several databases. An empty one is for one test that
              // measures its size, or applies other migrations.
              d1Databases: Object.fromEntries([...more, 'SPARE2', 'SPARE3', ...empty].map((name) => [name, name])),
              bindings: {
                JWT_SECRET: 'for tests only, for tests only, for tests only',
                ENCRYPTION_KEY: 'dGVzdHMgb25seSwgdGVzdHMgb25seSwgdGVzdHMgb24=',
                ALLOW_LOCAL_TARGETS: 'true',
                // Test files share databases, and many store rows of 1970, which no sweep of another file may remove.
                RETENTION_DAYS: 36_500,
                TEST_GARMENTS: Number(process.env['GARMENTS'] ?? 20_000),
                TEST_MIGRATIONS: await readD1Migrations('./migrations'),
              },
            },
          })),
        ],
        test: {
          ...shared,
          name: 'workerd',
          include: files.workerd ?? [],
          setupFiles: ['./test/support/prepare-runtime.ts'],
        },
      },
      {
        plugins: [workerModules],
        test: {
          ...shared,
          name: 'node',
          include: files.node ?? [],
          setupFiles: ['./test/support/prepare-node.ts'],
          pool: 'threads',
          // So that its import of WebAssembly comes to the plugin.
          server: { deps: { inline: ['@jsquash/webp'] } },
        },
      },
    ],
  },
})
