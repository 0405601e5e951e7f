/**
 * The build command in wrangler.toml: prepares a checkout for `wrangler dev`. Creates `.dev.vars` with secrets if there is
 * none, and applies the migrations to the local database. Runs in Node.js.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import process from 'node:process'

// Other commands, such as `wrangler deploy` and `wrangler types`, must not create or change anything.
if (process.env['WRANGLER_COMMAND'] !== 'dev') process.exit()

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
