/** `npm start`: runs the service on this machine with `wrangler dev`, and shows only the output that its user needs. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { isOutdated } from './apply-migrations.ts'
import { createQuietFilter, findSettingsProblems } from './quiet-output.ts'
import { wranglerPath } from './wrangler.ts'

const defaultState = '.wrangler/state'

const help = `Usage: npm start -- [options]

Runs the service on this machine, for development.

  --port PORT          port to listen on; by default 8787
  --var NAME:VALUE     changes a setting; can be repeated. docs/operations/settings.md lists all settings
  --persist-to FOLDER  folder for databases, pictures and queues; by default ${defaultState}

Secrets are created once, in .dev.vars. To reset the service, stop it and delete the data folder.
All other options are passed to "wrangler dev".`

const { values } = parseArgs({
  strict: false,
  options: { help: { type: 'boolean', short: 'h' }, 'persist-to': { type: 'string' } },
})
if (values.help === true) {
  process.stdout.write(`${help}\n`)
  process.exit(0)
}
const persistTo = values['persist-to']
const state = typeof persistTo === 'string' ? persistTo : defaultState
if (isOutdated(state)) {
  process.stderr.write(`The local databases belong to an earlier version. Delete ${state} and start again.\n`)
  process.exit(1)
}
process.stdout.write('Starting. The first time, this takes up to a minute.\n')
// The build command applies the migrations to the same folder.
const env = typeof persistTo === 'string' ? { ...process.env, PERSIST_TO: persistTo } : process.env
const child = spawn(process.execPath, [wranglerPath, 'dev', ...process.argv.slice(2)], {
  stdio: ['ignore', 'pipe', 'pipe'],
  env,
  // Creates a process group, so that wrangler's own children can be stopped too.
  detached: true,
})

const settingsProblems: string[] = []
for (const { from, to } of [
  { from: child.stdout, to: process.stdout },
  { from: child.stderr, to: process.stderr },
]) {
  const isWorthShowing = createQuietFilter()
  createInterface({ input: from }).on('line', (line) => {
    settingsProblems.push(...findSettingsProblems(line))
    // The runtime repeats the problem with stack traces. It is shown once, at the end.
    if (settingsProblems.length === 0 && isWorthShowing(line)) to.write(`${line}\n`)
    const [, url] = /Ready on (http\S+)/.exec(line) ?? []
    if (url !== undefined) to.write(`Dashboard: ${url}/dashboard\nDocumentation: ${url}/docs/\nCtrl+C stops it.\n`)
  })
}

function signalGroup(signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // The group has ended already.
  }
}

const maxStopMs = 5000

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    signalGroup(signal)
    setTimeout(signalGroup, maxStopMs, 'SIGKILL').unref()
  })

const [status] = (await once(child, 'close')) as [number | null]
signalGroup('SIGKILL')
const [problem] = settingsProblems
if (problem !== undefined) process.stderr.write(`${problem}\n`)
process.exitCode = problem === undefined ? (status ?? 0) : 1
