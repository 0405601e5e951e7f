/**
 * Build command in wrangler.toml. Builds the documentation. For `wrangler dev`, it also creates `.dev.vars` with
 * secrets if it does not exist, and applies the migrations to the local databases.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { applyMigrations } from './apply-migrations.ts'

const docsFolder = 'src/dashboard/public/docs'

async function run(args: readonly string[]): Promise<void> {
  const env = { ...process.env, CI: 'true' }
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], env })
  const [status] = (await once(child, 'exit')) as [number | null]
  if (status !== 0) process.exitCode = 1
}

function makeSecrets(): void {
  const secret = () => randomBytes(32).toString('base64')
  const lines = [`JWT_SECRET="${secret()}"`, `ENCRYPTION_KEY="${secret()}"`, 'ALLOW_LOCAL_TARGETS="true"', '']
  writeFileSync('.dev.vars', lines.join('\n'), { mode: 0o600 })
}

const buildDocs = async () => await run(['docs/site/build.ts'])

/** The file's time is the start of the last build of the documentation. */
const docsBuilt = '.wrangler/docs-built'
const docsSources = ['docs/**/*.*', 'src/**/*.*', 'CHANGELOG.md', 'package-lock.json']

/** Builds the documentation only if a source has changed, because a build takes seconds. */
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

const command = process.env['WRANGLER_COMMAND']
if (command === 'dev') {
  if (!existsSync('.dev.vars')) makeSecrets()
  const config = process.env['WRANGLER_CONFIG'] ?? 'wrangler.toml'
  // By default, wrangler keeps its state beside its configuration file.
  const state = process.env['PERSIST_TO'] ?? join(dirname(config), '.wrangler/state')
  await Promise.all([buildChangedDocs(), applyMigrations(run, config, state)])
} else if (command !== 'types') await buildDocs()
