import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { RuntimeOutput } from './test/support/runtime-output.ts'
import { sortTestFiles } from './test/support/sort-test-files.ts'
import { timeouts } from './test/support/timeouts.ts'

// Otherwise wrangler prints where it found local secrets.
process.env['WRANGLER_LOG'] ??= 'warn'
const { cloudflareTest, readD1Migrations } = await import('@cloudflare/vitest-pool-workers')

/** Test tenants spread over DB, DB2 and DB3. With DATABASES=1 there is only DB. */
const databases = Number(process.env['DATABASES'] ?? 3)
const more = Array.from({ length: databases - 1 }, (_, i) => `DB${i + 2}`)
const empty = Array.from({ length: 4 }, (_, i) => `EMPTY_DB_${i + 1}`)

// In workerd, Uint8Array has toBase64 already.
setFlagsFromString('--js-base-64')

const pattern = process.env['LONG'] === undefined ? 'test/**/*.test.ts' : 'test/**/*.long.ts'
const files = sortTestFiles(pattern, ['test/e2e/**', 'test/browser/**'])

/** Gives the network in Node.js what Workers provide: WebAssembly modules and static assets. */
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
  testTimeout: timeouts.test,
  hookTimeout: timeouts.test,
  expect: { poll: { timeout: timeouts.wait } },
  // Files share loaded modules. In workerd, which takes seconds to start, they also share storage, so each test
  // creates its own tenants.
  isolate: false,
  // With interception, vitest fails a run if work that a test left running logs after its file has ended.
  disableConsoleIntercept: true,
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    // The failures themselves come last.
    reporters: [new RuntimeOutput(), 'default'],
    // A queue message or an alarm may arrive between two files, when vitest cannot tell workerd where the Worker's
    // module is. The event is repeated, as after any failure.
    onUnhandledError: ({ message }) => message !== '[vitest-worker]: Closing rpc while "resolve" was pending',
    projects: [
      {
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: './wrangler.toml' },
            remoteBindings: false,
            miniflare: {
              // Spare databases are for tests with several databases. Each empty one is for a single test that measures
              // its size or applies other migrations.
              d1Databases: Object.fromEntries([...more, 'SPARE2', 'SPARE3', ...empty].map((name) => [name, name])),
              bindings: {
                JWT_SECRET: 'for tests only, for tests only, for tests only',
                ENCRYPTION_KEY: 'dGVzdHMgb25seSwgdGVzdHMgb25seSwgdGVzdHMgb24=',
                ALLOW_LOCAL_TARGETS: 'true',
                // Test files share databases, and many store rows dated 1970. No sweep of another file may remove them.
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
          // So that the plugin handles its WebAssembly import.
          server: { deps: { inline: ['@jsquash/webp'] } },
        },
      },
    ],
  },
})
