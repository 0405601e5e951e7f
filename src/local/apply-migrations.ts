import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { readDatabases, wranglerPath } from './wrangler.ts'

export const migrationFiles = () => globSync('migrations/*.sql').sort()

/** Returns the SQL of migrations. Records each like wrangler. */
export function migrationsText(files: readonly string[]): string {
  const statements = files.map(
    (file) => `${readFileSync(file, 'utf8')};\nINSERT INTO d1_migrations (name) VALUES ('${basename(file)}');\n`,
  )
  const table = `CREATE TABLE IF NOT EXISTS d1_migrations (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
  );\n`
  return table + statements.join('')
}

/** Describes the applied migrations and the database files. Ignores a file of the runtime in the same folder. */
function describe(bindings: readonly string[], folder: string): string {
  const migrations = migrationFiles().map((file) => basename(file))
  const files = globSync('*.sqlite', { cwd: folder }).filter((name) => name !== 'metadata.sqlite')
  return JSON.stringify({ migrations, bindings, files: files.sort() })
}

/** Returns true if a local database has a migration that no longer exists. New migrations cannot be applied to it. */
export function isOutdated(state: string): boolean {
  const names = new Set(migrationFiles().map((file) => basename(file)))
  const folder = join(state, 'v3', 'd1', 'miniflare-D1DatabaseObject')
  return globSync('*.sqlite', { cwd: folder }).some((file) => {
    const database = new DatabaseSync(join(folder, file), { readOnly: true })
    const tables = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'd1_migrations'").all()
    const applied = tables.length === 0 ? [] : database.prepare('SELECT name FROM d1_migrations').all()
    database.close()
    return applied.some(({ name }) => !names.has(String(name)))
  })
}

/** Applies missing migrations to the local databases below `state`. `run` runs a Node.js script. */
export async function applyMigrations(
  run: (args: readonly string[]) => Promise<void>,
  config: string,
  state: string,
): Promise<void> {
  const databases = join(state, 'v3', 'd1')
  const folder = join(databases, 'miniflare-D1DatabaseObject')
  const record = join(databases, 'applied.json')
  const bindings = readDatabases(readFileSync(config, 'utf8'), undefined).map(({ binding }) => binding)
  if (existsSync(record) && readFileSync(record, 'utf8') === describe(bindings, folder)) return
  const isNew = !existsSync(databases)
  const all = join(tmpdir(), `migrations-${process.pid}.sql`)
  // wrangler starts a runtime per migration, so new databases get all migrations as one file.
  if (isNew) writeFileSync(all, migrationsText(migrationFiles()))
  for (const binding of bindings) {
    const where = [binding, '--local', '--config', config, '--persist-to', state]
    if (isNew) await run([wranglerPath, 'd1', 'execute', ...where, '--file', all])
    else await run([wranglerPath, 'd1', 'migrations', 'apply', ...where])
  }
  if (isNew) rmSync(all)
  if (process.exitCode === undefined) writeFileSync(record, describe(bindings, folder))
}
