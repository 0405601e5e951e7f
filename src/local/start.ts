/**
 * `npm start`: the service on this machine, by `wrangler dev`, of whose output only that is shown which a user needs.
 * Options go to wrangler. Runs in Node.js.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { isOutdated } from './apply-migrations.ts'
import { createQuietFilter } from './quiet-output.ts'

// The migrations go where wrangler keeps its state.
const { values } = parseArgs({ strict: false, options: { 'persist-to': { type: 'string' } } })
const state = values['persist-to']
const folder = typeof state === 'string' ? state : '.wrangler/state'
if (isOutdated(folder)) {
  process.stderr.write(`The local databases are of an earlier version: delete ${folder} and start again.\n`)
  process.exit(1)
}
process.stdout.write('Starting. The first time this takes up to a minute.\n')
const args = ['node_modules/wrangler/bin/wrangler.js', 'dev', ...process.argv.slice(2)]
const env = typeof state === 'string' ? { ...process.env, PERSIST_TO: state } : process.env
const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env })

for (const { from, to } of [
  { from: child.stdout, to: process.stdout },
  { from: child.stderr, to: process.stderr },
]) {
  const isWorthShowing = createQuietFilter()
  createInterface({ input: from }).on('line', (line) => {
    if (isWorthShowing(line)) to.write(`${line}\n`)
    const [, url] = /Ready on (http\S+)/.exec(line) ?? []
    if (url !== undefined) to.write(`Dashboard: ${url}/dashboard\nDocumentation: ${url}/docs/\nCtrl+C ends it.\n`)
  })
}

// Ctrl+C reaches wrangler by itself, which then ends in its own time.
process.on('SIGINT', () => {})
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
const [status] = (await once(child, 'close')) as [number | null]
process.exitCode = status ?? 0
