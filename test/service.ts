import { runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { scryptSync } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { hashApiKey, newApiKey, prefixLength } from '../src/accounts/api-keys.ts'
import type { Actor } from '../src/accounts/audit.ts'
import { newId, openDatabase } from '../src/platform/db/database.ts'
import { firstDatabase, getDatabase, listDatabases, newTenantId, tenantDatabase } from '../src/platform/db/databases.ts'
import { apiKeys, members, merchants, tenants, tenantState } from '../src/platform/db/schema.ts'
import { issueToken } from '../src/accounts/token.ts'
import { throttleOf } from '../src/platform/limits/throttle.ts'
import { quotasOf } from '../src/accounts/quotas.ts'
import { settingsOf } from '../src/settings.ts'
import { minuteMs } from '../src/time.ts'
import { newTenantSchema } from '../src/accounts/tenant.ts'
import { sendJson, type Answer } from './support/api-client.ts'

export const bindings = env as unknown as Env

/** Has garments tagged in the background, as in a deployed service, until the running test ends. */
export function tagInBackground(): void {
  globalThis.tagsInBackground = true
  onTestFinished(() => void (globalThis.tagsInBackground = undefined))
}

/** The database that holds what belongs to a tenant. */
export const databaseOf = (tenantId: string) => tenantDatabase(bindings, tenantId)

export const everyDatabase = () => listDatabases(bindings).map((number) => getDatabase(bindings, number))

/** The bindings of all databases, each replaced. */
export const replaceDatabases = <T>(replace: (database: D1Database) => T): { readonly DB: T } => ({
  DB: replace(bindings.DB),
  ...Object.fromEntries(
    listDatabases(bindings)
      .slice(1)
      .map((number) => [`DB${number}`, replace(getDatabase(bindings, number).$client)]),
  ),
})

/** For `uploadGarment`, as the settings have them. */
export const uploadLimits = { maxWaiting: 1000, quotas: quotasOf(settingsOf(bindings), 0) }

export const origin = 'http://service.test'
const worker = exports as unknown as { default: Fetcher }

export async function raw(method: string, path: string, headers: Record<string, string> = {}, body?: BodyInit) {
  return await worker.default.fetch(origin + path, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  })
}

export async function call(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<Answer> {
  return await sendJson((url, init) => worker.default.fetch(url, init), method, origin + path, headers, body)
}

/** Author of changes in tests for which the author does not matter. */
export const someone: Actor = { kind: 'member', id: 'ann', name: 'Ann' }

/** Counts `count` requests of a subject, in one call of its object. */
export async function fillThrottle(subject: string, count: number, windowMs = minuteMs) {
  await runInDurableObject(throttleOf(bindings, subject), async (throttle) => {
    for (let i = 0; i < count; i++) await throttle.enter(Infinity, windowMs)
  })
}

let made = 0

export const password = 'correct horse battery staple'

/** A hash with a low cost, because a hash of full cost takes longer than most tests. Each hash contains its cost. */
const cheapHash = [
  'scrypt',
  2,
  1,
  1,
  btoa('salt'),
  scryptSync(password, 'salt', 32, { N: 2, r: 1, p: 1 }).toString('base64'),
].join('$')

export async function newMerchant() {
  const [id, email, createdAt] = [crypto.randomUUID(), `merchant-${++made}@example.com`, Date.now()]
  const person = { email, emailKey: email, name: 'Ann', passwordHash: cheapHash }
  const owner = { id, merchantId: id, role: 'owner', ...person, createdAt } as const
  const db = openDatabase(bindings.DB)
  await db.batch([db.insert(merchants).values({ id, company: '', createdAt }), db.insert(members).values(owner)])
  const token = await issueToken({ id, memberId: id, sessionVersion: 0 }, settingsOf(bindings), Date.now())
  return { id, email, bearer: { Authorization: `Bearer ${token}` } }
}

/** A further member of a merchant, with the same password. */
export async function newMember(merchantId: string, role: 'owner' | 'editor' | 'reviewer') {
  const email = `member-${++made}@example.com`
  const member = {
    id: crypto.randomUUID(),
    merchantId,
    role,
    email,
    emailKey: email,
    name: `Bob ${made}`,
    passwordHash: cheapHash,
    createdAt: Date.now(),
  }
  await openDatabase(bindings.DB).insert(members).values(member)
  const holder = { id: merchantId, memberId: member.id, sessionVersion: 0 }
  const token = await issueToken(holder, settingsOf(bindings), Date.now())
  return { ...member, bearer: { Authorization: `Bearer ${token}` } }
}

/**
 * A merchant with a tenant and a live key, as the API stores them; `auth` are the headers of garment requests. Stored
 * here, because most tests make one, and the requests for it take longer than their own.
 */
export async function newTenant() {
  const merchant = await newMerchant()
  const [domain, createdAt, apiKey] = [`shop-${made}.example.com`, Date.now(), newApiKey()]
  const numbers = listDatabases(bindings)
  const tenantId = newTenantId(numbers[made % numbers.length] ?? firstDatabase)
  const key = { id: newId(), tenantId, name: 'test', prefix: apiKey.slice(0, prefixLength), hash: hashApiKey(apiKey) }
  const { name, description, settings } = newTenantSchema.parse({ name: 'Shop', domain })
  const tenant = { id: tenantId, merchantId: merchant.id, name, domain, description, settings, createdAt }
  const accounts = openDatabase(bindings.DB)
  await databaseOf(tenantId).insert(tenantState).values({ tenantId, domain, createdAt })
  await accounts.batch([
    accounts.insert(tenants).values(tenant),
    accounts.insert(apiKeys).values({ ...key, createdAt }),
  ])
  return { merchant, domain, tenantId, keyId: key.id, apiKey, auth: { 'API-KEY': apiKey, DOMAIN: domain } }
}
