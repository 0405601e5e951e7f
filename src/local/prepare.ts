/**
 * The build command in wrangler.toml. Builds the documentation, and prepares a checkout for `wrangler dev`: creates
 * `.dev.vars` with secrets if there is none, and applies the migrations to the local databases. Runs in Node.js.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { readDatabases } from './database-bindings.ts'

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

const buildDocs = async () => await run('node', ['docs/site/build.ts'])

async function applyMigrations(): Promise<void> {
  const persistTo = process.env['PERSIST_TO']
  const state = persistTo === undefined ? [] : ['--persist-to', persistTo]
  const config = process.env['WRANGLER_CONFIG'] ?? 'wrangler.toml'
  for (const { binding } of readDatabases(readFileSync(config, 'utf8'), undefined))
    await run('npx', ['wrangler', 'd1', 'migrations', 'apply', binding, '--local', '--config', config, ...state])
}

const command = process.env['WRANGLER_COMMAND']
if (command === 'dev') {
  if (!existsSync('.dev.vars')) makeSecrets()
  await Promise.all([buildDocs(), applyMigrations()])
} else if (command !== 'types') await buildDocs()
