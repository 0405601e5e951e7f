/** D1's part of Cloudflare's API. wrangler makes dozens of calls for a database, and ends at the first that fails. */
import { basename } from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { sleep } from '../time.ts'
import { migrationFiles, migrationsText } from './apply-migrations.ts'
import { OperatorError, say, wrangler } from './wrangler.ts'

const apiUrl = process.env['CLOUDFLARE_API_BASE_URL'] ?? 'https://api.cloudflare.com/client/v4'

/** Five minutes in all, after which the limit of the API has ended. */
const pausesMs = [5000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000, 60_000]

const timeoutMs = 60_000
const atOnce = 4
const pageSize = 100

const answerSchema = z.object({
  success: z.boolean(),
  errors: z.array(z.object({ message: z.string() })),
  result: z.unknown(),
})
const databaseSchema = z.object({ uuid: z.string(), name: z.string() })
const rowsSchema = z.array(z.object({ results: z.array(z.object({ name: z.string() })) }))

interface NamedDatabase {
  readonly name: string
  /** If `wrangler.toml` has it. */
  readonly id?: string | undefined
}

type Call = (method: string, path: string, body?: object) => Promise<unknown>

class ApiError extends Error {}

const loginAdvice =
  'Cloudflare rejected the request: run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN to a token that may edit ' +
  'Workers, D1, R2 and Queues.'

/** Calls the API with the operator's login, and waits where it answers 429. */
async function openApi(): Promise<Call> {
  const login = await wrangler('auth', 'token', '--json')
  const { token } = z.object({ token: z.string().default('') }).parse(login.ok ? JSON.parse(login.stdout) : {})
  return async (method, path, body) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    for (const pauseMs of [...pausesMs, null]) {
      const response = await fetch(apiUrl + path, { ...init, signal: AbortSignal.timeout(timeoutMs) })
      if (response.status === 429 && pauseMs !== null) {
        await response.body?.cancel()
        await sleep(Number(response.headers.get('retry-after') ?? pauseMs / 1000) * 1000)
        continue
      }
      const { success, errors, result } = answerSchema.parse(await response.json())
      if (success) return result
      const problem = errors.map(({ message }) => message).join('; ')
      throw new ApiError(response.status === 403 ? `${loginAdvice}\n${problem}` : problem)
    }
    throw new ApiError('The limit of the API was exceeded for too long.')
  }
}

async function findAccount(call: Call, accountId: string | undefined): Promise<string> {
  const named = accountId ?? process.env['CLOUDFLARE_ACCOUNT_ID']
  if (named !== undefined) return named
  const accounts = z.array(z.object({ id: z.string() })).parse(await call('GET', '/accounts'))
  const [only] = accounts
  if (only === undefined || accounts.length > 1)
    throw new OperatorError('The login can see several accounts, or none: set CLOUDFLARE_ACCOUNT_ID.')
  return only.id
}

async function listIds(call: Call): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  for (let page = 1; ; page++) {
    const found = z.array(databaseSchema).parse(await call('GET', `?page=${page}&per_page=${pageSize}`))
    for (const { uuid, name } of found) ids.set(name, uuid)
    if (found.length < pageSize) return ids
  }
}

/**
 * Creates those of these databases that do not exist, near `region`, applies the migrations that each lacks in one
 * call, and has copies of it kept in other regions. What one fails to do, a later run does.
 */
export async function prepareDatabases(
  databases: readonly NamedDatabase[],
  { region, accountId }: { readonly region: unknown; readonly accountId: string | undefined },
): Promise<void> {
  const api = await openApi()
  const account = await findAccount(api, accountId)
  const call: Call = async (method, path, body) => await api(method, `/accounts/${account}/d1/database${path}`, body)
  const ids = await listIds(call).catch((error: unknown) => {
    throw error instanceof ApiError ? new OperatorError(error.message) : error
  })
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
  const uuid = id ?? databaseSchema.parse(await call('POST', '', { name, ...hint })).uuid
  const applied = id === undefined ? [] : await listApplied(call, uuid)
  const missing = migrationFiles().filter((file) => !applied.includes(basename(file)))
  if (missing.length > 0) await call('POST', `/${uuid}/query`, { sql: migrationsText(missing) })
  await call('PUT', `/${uuid}`, { read_replication: { mode: 'auto' } })
  return `The database ${name} ${id === undefined ? 'was created' : 'exists'}; migrations applied: ${missing.length}.`
}

async function listApplied(call: Call, uuid: string): Promise<string[]> {
  try {
    const answers = rowsSchema.parse(await call('POST', `/${uuid}/query`, { sql: 'SELECT name FROM d1_migrations' }))
    return answers.flatMap(({ results }) => results.map(({ name }) => name))
  } catch (error) {
    if (error instanceof ApiError && error.message.includes('no such table')) return []
    throw error
  }
}
