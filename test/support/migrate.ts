import { applyD1Migrations, type D1Migration } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { getDatabase, listDatabases } from '../../src/db/databases/find-database.ts'

declare global {
  /** Test files share their runtime and its databases. */
  var isMigrated: true | undefined
}

const bindings = env as unknown as Env & { readonly TEST_MIGRATIONS: D1Migration[] }
if (globalThis.isMigrated === undefined)
  for (const number of listDatabases(bindings))
    await applyD1Migrations(getDatabase(bindings, number).$client, bindings.TEST_MIGRATIONS)
globalThis.isMigrated = true
