/**
 * Makes a checkout ready for `wrangler dev`, which runs this before it starts: secrets are made once into `.dev.vars`,
 * and the migrations are applied to the local database. Run by Node.js, not by the Worker.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import process from 'node:process'

// Wrangler runs this before its other commands too.
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
