import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { execFile } from 'node:child_process'
import process from 'node:process'

const { resolve } = createRequire(import.meta.url)

/** wrangler's program, to be run by Node.js itself: npx takes half a second for each start. */
export const wranglerPath = join(dirname(resolve('wrangler/package.json')), 'bin/wrangler.js')

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

export interface DatabaseBinding {
  readonly binding: string
  readonly name: string
}

/** The lines in which the databases of an environment, or of the top, stand in `wrangler.toml`. */
interface Place {
  readonly start: number
  /** Exclusive. */
  readonly end: number
}

const entryPattern = /binding = "(DB\d*)"[\s,]+database_name = "([^"]+)"/g

/** The databases in the text of `wrangler.toml`, at its top or of an environment; none where they are not found. */
export function readDatabases(toml: string, env: string | undefined): DatabaseBinding[] {
  const lines = toml.split('\n')
  const place = findPlace(lines, env)
  if (place === null) return []
  const text = lines.slice(place.start, place.end).join('\n')
  return [...text.matchAll(entryPattern)].map(([, binding = '', name = '']) => ({ binding, name }))
}

/**
 * Adds `count` databases, DB2 and so on, whose names are that of the first with a number. Returns the new text and what
 * was added; null where the databases are not written as this project writes them.
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

function findPlace(lines: readonly string[], env: string | undefined): Place | null {
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

/** The service starts without OPERATOR_TOKEN, but then has no /status when something goes wrong. */
const requiredSecrets = ['JWT_SECRET', 'ENCRYPTION_KEY', 'OPERATOR_TOKEN']

const listFormat = new Intl.ListFormat('en-GB')

/**
 * What to do about required secrets that are not `present`; null if none is missing. Cloudflare shows no secret again,
 * so each command keeps a copy, in a file that git ignores and other users cannot read.
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
