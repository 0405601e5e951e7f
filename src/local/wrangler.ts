import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { execFile } from 'node:child_process'
import process from 'node:process'

const { resolve } = createRequire(import.meta.url)

/** The path of wrangler's script. Running it directly saves the half second that npx takes. */
export const wranglerPath = join(dirname(resolve('wrangler/package.json')), 'bin/wrangler.js')

/** A problem that the operator can solve. Its message is shown without a stack trace. */
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

export async function runStep(problem: string, args: readonly string[]): Promise<void> {
  const { ok, output } = await wrangler(...args)
  if (!ok) throw new OperatorError(`${problem}\n${output}`)
  say(output.trim())
}

export async function runToEnd(script: () => Promise<void>): Promise<void> {
  try {
    await script()
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

export interface DatabaseBinding {
  readonly binding: string
  readonly name: string
}

interface LineRange {
  readonly start: number
  readonly end: number
}

const entryPattern = /binding = "(DB\d*)"[\s,]+database_name = "([^"]+)"/g

/** Returns the databases of an environment. Without `env`, returns the databases at the top of the file. */
export function readDatabases(toml: string, env: string | undefined): DatabaseBinding[] {
  const lines = toml.split('\n')
  const place = findPlace(lines, env)
  if (place === null) return []
  const text = lines.slice(place.start, place.end).join('\n')
  return [...text.matchAll(entryPattern)].map(([, binding = '', name = '']) => ({ binding, name }))
}

/**
 * Adds databases with the next free bindings, such as DB2. Returns null if the file lists no database in the usual
 * form.
 */
export function addDatabases(toml: string, env: string | undefined, count: number) {
  const lines = toml.split('\n')
  const place = findPlace(lines, env)
  const known = readDatabases(toml, env)
  const first = known.find(({ binding }) => binding === 'DB')
  if (place === null || first === undefined) return null
  const last = Math.max(...known.map(({ binding }) => Number(binding.slice(2) || 1)))
  const added = Array.from({ length: count }, (_, i) => {
    const number = last + i + 1
    return { binding: `DB${number}`, name: `${first.name}-${number}` }
  })
  const replaced =
    env === undefined
      ? [...lines.slice(place.start, place.end), ...added.flatMap((each) => ['', ...blockOf(each)])]
      : ['d1_databases = [', ...[...known, ...added].map(entryOf), ']']
  return { toml: lines.toSpliced(place.start, place.end - place.start, ...replaced).join('\n'), added }
}

function findPlace(lines: readonly string[], env: string | undefined): LineRange | null {
  if (env === undefined) {
    const [start, lastBlock] = [lines.indexOf('[[d1_databases]]'), lines.lastIndexOf('[[d1_databases]]')]
    const end = lines.indexOf('', lastBlock)
    return start === -1 ? null : { start, end: end === -1 ? lines.length : end }
  }
  const section = lines.indexOf(`[env.${env}]`)
  const start = lines.findIndex((line, i) => i > section && line.startsWith('d1_databases = ['))
  const next = lines.findIndex((line, i) => i > section && line.startsWith('['))
  const end = lines.findIndex((line, i) => i >= start && line.endsWith(']')) + 1
  const isInSection = section !== -1 && start !== -1 && (next === -1 || start < next)
  return isInSection && end > start ? { start, end } : null
}

const entryOf = ({ binding, name }: DatabaseBinding) =>
  `  { binding = "${binding}", database_name = "${name}", migrations_dir = "migrations" },`

const blockOf = ({ binding, name }: DatabaseBinding) => [
  '[[d1_databases]]',
  `binding = "${binding}"`,
  `database_name = "${name}"`,
  'migrations_dir = "migrations"',
]

/** OPERATOR_TOKEN is optional for the service, but without it there is no /status when something goes wrong. */
const requiredSecrets = ['JWT_SECRET', 'ENCRYPTION_KEY', 'OPERATOR_TOKEN']

const listFormat = new Intl.ListFormat('en-GB')

/**
 * Describes how to set required secrets that are missing, or returns null. Cloudflare never shows a secret again, so
 * each command also writes it to a file that git ignores and other users cannot read.
 */
export function describeMissingSecrets(present: readonly string[], env: string): string | null {
  const missing = requiredSecrets.filter((name) => !present.includes(name))
  if (missing.length === 0) return null
  const commands = missing.map(
    (name) =>
      `(umask 077; openssl rand -base64 32 | tee ${env}.${name}.secret | npx wrangler secret put ${name} --env ${env})`,
  )
  return [
    `Missing ${missing.length === 1 ? 'secret' : 'secrets'}: ${listFormat.format(missing)}. Set them, move the files *.secret to a safe place, then deploy again:`,
    ...commands,
  ].join('\n')
}
