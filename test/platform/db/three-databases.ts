import { applyD1Migrations, createExecutionContext, waitOnExecutionContext, type D1Migration } from 'cloudflare:test'
import { app } from '../../../src/app.ts'
import { createApiKey } from '../../../src/accounts/api-keys.ts'
import { accountDatabase, getDatabase, newTenantId } from '../../../src/platform/db/databases.ts'
import { tenants, tenantState } from '../../../src/platform/db/schema.ts'
import { openGate } from '../../../src/accounts/tenant.ts'
import { bindings, newMerchant, someone } from '../../service.ts'
import { wrapDatabase } from '../../support/wrap-database.ts'

interface Spare {
  readonly SPARE2: D1Database
  readonly SPARE3: D1Database
  readonly TEST_MIGRATIONS: D1Migration[]
}

const { SPARE2, SPARE3, TEST_MIGRATIONS } = bindings as Env & Spare
for (const database of [SPARE2, SPARE3]) await applyD1Migrations(database, TEST_MIGRATIONS)

/** A service with three databases, however many the tests run with. */
export const threeDatabases = { ...bindings, DB2: SPARE2, DB3: SPARE3 }

const failing = (database: D1Database) =>
  wrapDatabase(database, async () => await Promise.reject(new Error('D1_ERROR: Network connection lost.')))

/** The same, of which the second one is down. */
export const secondIsDown = { ...threeDatabases, DB2: failing(SPARE2) }

/** The same, of which the first one is down, which has the accounts. */
export const firstIsDown = { ...threeDatabases, DB: failing(bindings.DB) }

/** The same service without and with that fault. Its accounts are its own, which no other test's sweep writes. */
export const ofItsOwn = {
  up: { ...threeDatabases, DB: SPARE3, DB3: bindings.DB },
  down: { ...secondIsDown, DB: SPARE3, DB3: bindings.DB },
}

/** A merchant with a tenant in this database, and a live key. */
export async function newTenantIn(number: number) {
  const merchant = await newMerchant()
  const accounts = accountDatabase(threeDatabases)
  const tenantId = newTenantId(number)
  const domain = `${tenantId}.example`
  const names = { name: 'Shop', description: '', settings: {}, createdAt: Date.now() }
  await getDatabase(threeDatabases, number)
    .insert(tenantState)
    .values({ tenantId, domain: 'shop.example', createdAt: Date.now() })
    .onConflictDoNothing()
  await accounts.insert(tenants).values({ id: tenantId, merchantId: merchant.id, domain, ...names })
  const { key } = await createApiKey(
    { db: accounts, gate: openGate(bindings, domain) },
    tenantId,
    'key',
    Date.now(),
    someone,
  )
  return { merchant, tenantId, domain, auth: { 'API-KEY': key, DOMAIN: domain } }
}

/** Sends a request to a service with these bindings, and waits for what it does in the background. */
export async function request(
  env: Env,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
) {
  const ctx = createExecutionContext()
  const json = body === undefined ? {} : { body: JSON.stringify(body) }
  const init = { method, headers: { ...headers, 'Content-Type': 'application/json' }, ...json }
  const response = await app.fetch(new Request(`http://s.test${path}`, init), env, ctx)
  await waitOnExecutionContext(ctx)
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: response.status, body: (await response.json()) as { readonly data: any; readonly code?: string } }
}
