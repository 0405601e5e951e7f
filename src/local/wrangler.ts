import { execFile } from 'node:child_process'
import process from 'node:process'
import { wranglerPath } from './wrangler-path.ts'

/** A problem that the operator can solve. */
export class OperatorError extends Error {}

interface Result {
  readonly ok: boolean
  readonly stdout: string
  readonly output: string
}

export async function wrangler(...args: string[]): Promise<Result> {
  return await new Promise((resolve) =>
    execFile(process.execPath, [wranglerPath, ...args], { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ ok: error === null, stdout, output: stdout + stderr }),
    ),
  )
}

export const say = (text: string) => void process.stdout.write(`${text}\n`)

/** Runs a command and shows its output. Throws `problem` with it if it fails. */
export async function runStep(problem: string, args: readonly string[]): Promise<void> {
  const { ok, output } = await wrangler(...args)
  if (!ok) throw new OperatorError(`${problem}\n${output}`)
  say(output.trim())
}

/** Applies the migrations that the database of this binding lacks. An empty `env` is the top of `wrangler.toml`. */
export async function applyMigrations(binding: string, env: string): Promise<void> {
  const problem = `The migrations of ${binding} could not be applied. When they can be, npm run deploy applies them.`
  await runStep(problem, ['d1', 'migrations', 'apply', binding, '--remote', '--env', env])
}

/** Runs a command that creates something. `existsCode` in its output means that it already exists. */
export async function ensure(what: string, args: readonly string[], existsCode: string): Promise<void> {
  const { ok, output } = await wrangler(...args)
  if (!ok && !output.includes(existsCode)) throw new OperatorError(`The ${what} could not be created.\n${output}`)
  say(`The ${what} ${ok ? 'was created' : 'exists'}.`)
}

/** Creates those of the databases that do not exist, near `region`. */
export async function ensureDatabases(names: readonly string[], region: unknown): Promise<void> {
  const list = await wrangler('d1', 'list', '--json')
  if (!list.ok)
    throw new OperatorError(
      'Cloudflare rejected the request: run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN to a token that may edit ' +
        `Workers, D1, R2 and Queues.\n${list.output}`,
    )
  const existing = new Set((JSON.parse(list.stdout) as { name: string }[]).map(({ name }) => name))
  const hint = typeof region === 'string' ? ['--location', region] : []
  for (const name of names)
    if (existing.has(name)) say(`The database ${name} exists.`)
    else await ensure(`database ${name}`, ['d1', 'create', name, ...hint, '--update-config', 'false'], 'already exists')
}

/** Runs a script, and ends it with one sentence about a problem that the operator can solve. */
export async function runToEnd(script: () => Promise<void>): Promise<void> {
  try {
    await script()
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
