/**
 * The build command in wrangler.toml. Builds the documentation, and prepares a checkout for `wrangler dev`: creates
 * `.dev.vars` with secrets if there is none, and applies the migrations to the local databases. Runs in Node.js.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { readDatabases } from './database-bindings.ts'
import { wranglerPath } from './wrangler-path.ts'

const docsFolder = 'src/dashboard/public/docs'

/** Runs a program and shows only its errors. */
async function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, CI: 'true' } })
  const [status] = (await once(child, 'exit')) as [number | null]
  if (status !== 0) process.exitCode = 1
}

function makeSecrets(): void {
  const secret = () => randomBytes(32).toString('base64')
  const lines = [`JWT_SECRET="${secret()}"`, `ENCRYPTION_KEY="${secret()}"`, 'ALLOW_LOCAL_TARGETS="true"', '']
  writeFileSync('.dev.vars', lines.join('\n'), { mode: 0o600 })
}

const buildDocs = async () => await run(process.execPath, ['docs/site/build.ts'])

/** When the documentation was last built here. */
const docsBuilt = '.wrangler/docs-built'
const docsSources = ['docs/**/*.*', 'src/**/*.*', 'CHANGELOG.md', 'package-lock.json']

/** Builds it only if something of it has changed since, because that takes seconds. */
async function buildChangedDocs(): Promise<void> {
  const startedAt = new Date()
  const builtAt = existsSync(join(docsFolder, 'index.html'))
    ? statSync(docsBuilt, { throwIfNoEntry: false })?.mtimeMs
    : 0
  const sources = globSync(docsSources, { exclude: (name) => name === docsFolder })
  if (sources.every((source) => statSync(source).mtimeMs < (builtAt ?? 0))) return
  await buildDocs()
  if (process.exitCode !== undefined) return
  mkdirSync('.wrangler', { recursive: true })
  writeFileSync(docsBuilt, '')
  utimesSync(docsBuilt, startedAt, startedAt)
}

/**
 * wrangler starts a runtime for each migration, which takes ten seconds in all. New databases get all migrations as one
 * file; with the same records, so that any that are added later are applied by wrangler.
 */
function writeMigrations(path: string): void {
  const statements = globSync('migrations/*.sql')
    .sort()
    .map((file) => `${readFileSync(file, 'utf8')};\nINSERT INTO d1_migrations (name) VALUES ('${basename(file)}');\n`)
  const table = `CREATE TABLE d1_migrations (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
  );\n`
  writeFileSync(path, table + statements.join(''))
}

async function applyMigrations(): Promise<void> {
  const config = process.env['WRANGLER_CONFIG'] ?? 'wrangler.toml'
  // Where wrangler keeps its state: beside its configuration, unless it is told otherwise.
  const state = process.env['PERSIST_TO'] ?? join(dirname(config), '.wrangler/state')
  const isNew = !existsSync(join(state, 'v3', 'd1'))
  const all = join(tmpdir(), `migrations-${process.pid}.sql`)
  if (isNew) writeMigrations(all)
  for (const { binding } of readDatabases(readFileSync(config, 'utf8'), undefined)) {
    const where = [binding, '--local', '--config', config, '--persist-to', state]
    if (isNew) await run(process.execPath, [wranglerPath, 'd1', 'execute', ...where, '--file', all])
    else await run(process.execPath, [wranglerPath, 'd1', 'migrations', 'apply', ...where])
  }
  if (isNew) rmSync(all)
}

const command = process.env['WRANGLER_COMMAND']
if (command === 'dev') {
  if (!existsSync('.dev.vars')) makeSecrets()
  await Promise.all([buildChangedDocs(), applyMigrations()])
} else if (command !== 'types') await buildDocs()
