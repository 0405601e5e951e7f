/** Calls Cloudflare's API directly, because wrangler takes seconds per database and stops at the first failure. */
import { basename } from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { sleep } from '../time.ts'
import { migrationFiles, migrationsText } from './apply-migrations.ts'
import { OperatorError, say, wrangler } from './wrangler.ts'

const apiUrl = process.env['CLOUDFLARE_API_BASE_URL'] ?? 'https://api.cloudflare.com/client/v4'

/** Five minutes in total, after which Cloudflare's rate limit has passed. */
const pausesMs = [5000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000, 60_000]

const timeoutMs = 60_000
const atOnce = 4
const pageSize = 100
const databasesPath = '/d1/database'

const answerSchema = z.object({
  success: z.boolean(),
  errors: z.array(z.object({ code: z.number(), message: z.string() })),
  result: z.unknown(),
})
const databaseSchema = z.object({ uuid: z.string(), name: z.string() })
const rowsSchema = z.array(z.object({ results: z.array(z.object({ name: z.string() })) }))

interface NamedDatabase {
  readonly name: string
  /** Present only if `wrangler.toml` contains it. */
  readonly id?: string | undefined
}

export type Call = (method: string, path: string, body?: object) => Promise<unknown>

class ApiError extends OperatorError {
  readonly codes: readonly number[]

  constructor(message: string, codes: readonly number[] = []) {
    super(message)
    this.codes = codes
  }
}

const loginAdvice =
  'Cloudflare rejected the request: run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN to a token that may edit ' +
  'Workers, D1, R2 and Queues.'

async function readToken(): Promise<string> {
  const token = process.env['CLOUDFLARE_API_TOKEN']
  if (token !== undefined) return token
  const login = await wrangler('auth', 'token', '--json')
  return z.object({ token: z.string().default('') }).parse(login.ok ? JSON.parse(login.stdout) : {}).token
}

export async function openApi(accountId: string | undefined): Promise<Call> {
  const token = await readToken()
  const call: Call = async (method, path, body) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    for (const pauseMs of [...pausesMs, null]) {
      const response = await fetch(apiUrl + path, { ...init, signal: AbortSignal.timeout(timeoutMs) }).catch(
        unreachable,
      )
      if (response.status === 429 && pauseMs !== null) {
        await response.body?.cancel()
        await sleep(Number(response.headers.get('retry-after') ?? pauseMs / 1000) * 1000)
        continue
      }
      const answer = answerSchema.safeParse(await response.json().catch(() => null))
      if (!answer.success) throw new ApiError(`Cloudflare's API answered HTTP ${response.status} without a result.`)
      const { success, errors, result } = answer.data
      if (success) return result
      const problem = errors.map(({ message }) => message).join('; ')
      const codes = errors.map(({ code }) => code)
      throw new ApiError(response.status === 403 ? `${loginAdvice}\n${problem}` : problem, codes)
    }
    throw new ApiError("Cloudflare's API rejected requests for five minutes because of its rate limit.")
  }
  const account = `/accounts/${accountId ?? process.env['CLOUDFLARE_ACCOUNT_ID'] ?? (await findAccount(call))}`
  return async (method, path, body) => await call(method, account + path, body)
}

/** Throws one sentence for a network failure, which `fetch` reports with a stack trace. */
function unreachable(error: unknown): never {
  const cause = error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : String(error)
  throw new ApiError(`Cloudflare's API at ${apiUrl} cannot be reached (${cause}). Check the network and try again.`)
}

async function findAccount(call: Call): Promise<string> {
  const accounts = z.array(z.object({ id: z.string() })).parse(await call('GET', '/accounts'))
  const [only] = accounts
  if (only === undefined || accounts.length > 1)
    throw new OperatorError('The login has access to several accounts or to none. Set CLOUDFLARE_ACCOUNT_ID.')
  return only.id
}

const hasCode = (error: unknown, code: number) => error instanceof ApiError && error.codes.includes(code)

/** Creates a bucket or queue unless it exists. `existsCode` is the API's error code if it exists. */
export async function ensure(call: Call, what: string, [path, body]: [string, object], existsCode: number) {
  try {
    await call('POST', path, body)
    say(`The ${what} was created.`)
  } catch (error) {
    if (!hasCode(error, existsCode)) throw new OperatorError(`The ${what} could not be created.\n${String(error)}`)
    say(`The ${what} exists.`)
  }
}

const noWorker = 10007

export async function listSecrets(call: Call, worker: string): Promise<string[]> {
  const names = z.array(z.object({ name: z.string() }))
  try {
    return names.parse(await call('GET', `/workers/scripts/${worker}/secrets`)).map(({ name }) => name)
  } catch (error) {
    if (hasCode(error, noWorker)) return []
    throw error
  }
}

async function listIds(call: Call): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (let page = 1; ; page++) {
    const found = z.array(databaseSchema).parse(await call('GET', `${databasesPath}?page=${page}&per_page=${pageSize}`))
    for (const { uuid, name } of found) ids.set(name, uuid)
    if (found.length < pageSize) return ids
  }
}

/** Creates missing databases near `region`, applies missing migrations and turns on replication. Safe to repeat. */
export async function prepareDatabases(
  call: Call,
  databases: readonly NamedDatabase[],
  region: unknown,
): Promise<void> {
  const ids = await listIds(call)
  const hint = typeof region === 'string' ? { primary_location_hint: region } : {}
  const failures: string[] = []
  const waiting = [...databases]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      try {
        say(await prepareDatabase(call, { name: next.name, id: next.id ?? ids.get(next.name), hint }))
      } catch (error) {
        failures.push(`${next.name}: ${error instanceof Error ? error.message : String(error)}`)
      }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  if (failures.length > 0)
    throw new OperatorError(`Not all databases are ready; run the command again.\n${failures.join('\n')}`)
}

async function prepareDatabase(
  call: Call,
  { name, id, hint }: NamedDatabase & { readonly hint: object },
): Promise<string> {
  const uuid = id ?? databaseSchema.parse(await call('POST', databasesPath, { name, ...hint })).uuid
  const applied = id === undefined ? [] : await listApplied(call, uuid)
  const missing = migrationFiles().filter((file) => !applied.includes(basename(file)))
  if (missing.length > 0) await call('POST', `${databasesPath}/${uuid}/query`, { sql: migrationsText(missing) })
  await call('PUT', `${databasesPath}/${uuid}`, { read_replication: { mode: 'auto' } })
  return `The database ${name} ${id === undefined ? 'was created' : 'exists'}; migrations applied: ${missing.length}.`
}

async function listApplied(call: Call, uuid: string): Promise<string[]> {
  try {
    const answers = rowsSchema.parse(
      await call('POST', `${databasesPath}/${uuid}/query`, { sql: 'SELECT name FROM d1_migrations' }),
    )
    return answers.flatMap(({ results }) => results.map(({ name }) => name))
  } catch (error) {
    if (error instanceof ApiError && error.message.includes('no such table')) return []
    throw error
  }
}
