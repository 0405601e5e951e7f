/**
 * The build command in wrangler.toml. Builds the documentation, and prepares a checkout for `wrangler dev`: creates
 * `.dev.vars` with secrets if there is none, and applies the migrations to the local database. Runs in Node.js.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import process from 'node:process'

const command = process.env['WRANGLER_COMMAND']
if (command !== 'types') execFileSync('node', ['src/docs/build.ts'], { stdio: ['ignore', 'ignore', 'inherit'] })

// `wrangler deploy` and others need nothing local.
if (command !== 'dev') process.exit()

if (!existsSync('.dev.vars')) {
  const secret = () => randomBytes(32).toString('base64')
  const lines = [`JWT_SECRET="${secret()}"`, `ENCRYPTION_KEY="${secret()}"`, 'ALLOW_LOCAL_TARGETS="true"', '']
  writeFileSync('.dev.vars', lines.join('\n'), { mode: 0o600 })
}

const persistTo = process.env['PERSIST_TO']
execFileSync(
  'npx',
  [
    'wrangler',
    'd1',
    'migrations',
    'apply',
    'DB',
    '--local',
    ...(persistTo === undefined ? [] : ['--persist-to', persistTo]),
  ],
  { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, CI: 'true' } },
)
