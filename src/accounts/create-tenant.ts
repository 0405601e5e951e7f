import { eq, or } from 'drizzle-orm'
import type { z } from 'zod'
import {
  accountDatabase,
  databaseNumberOf,
  getDatabase,
  listDatabases,
  maxDatabaseBytes,
  maxSweepAgeMs,
  newTenantId,
  takesTenants,
} from '../platform/db/databases.ts'
import { databases, merchants, tenants, tenantState } from '../platform/db/schema.ts'
import { type Actor, recordEntry } from './audit.ts'
import { confirmMerchant } from './merchant.ts'
import { type Database, runBatch, selectValues } from '../platform/db/database.ts'
import { ApiError, invalidToken } from '../platform/http/errors.ts'
import { log } from '../log.ts'
import { throttleOf } from '../platform/limits/throttle.ts'
import { dayMs } from '../time.ts'
import { creationsPerDay, noRoomForTenant, tooManyTenants } from './account-errors.ts'
import type { newTenantSchema } from './tenant.ts'

/** Databases whose sizes differ by less than this number of bytes count as equally full. */
const stepBytes = maxDatabaseBytes / 100

type DatabaseState = typeof databases.$inferSelect

/**
 * Returns the databases that may get a new tenant, most room first and those with a late sweep last. `random` orders
 * databases with the same room. A database that was never swept is new and empty.
 */
export function rankDatabases(
  numbers: readonly number[],
  states: readonly DatabaseState[],
  { nowMs, random }: { readonly nowMs: number; readonly random: () => number },
): number[] {
  const known = new Map(states.map((state) => [state.number, state]))
  return numbers
    .filter((number) => takesTenants(number, known.get(number)?.bytes ?? 0, numbers))
    .map((number) => {
      const { bytes = 0, sweptAt = nowMs } = known.get(number) ?? {}
      const isLate = nowMs - sweptAt > maxSweepAgeMs
      return { number, isLate, steps: Math.floor(bytes / stepBytes), draw: random() }
    })
    .sort((a, b) => Number(a.isLate) - Number(b.isLate) || a.steps - b.steps || a.draw - b.draw)
    .map(({ number }) => number)
}

export type NewTenant = z.infer<typeof newTenantSchema>

/** Number of databases to try. Merchants can start while one database is down. */
const maxTries = 2

/**
 * Creates a tenant. Throws 400 if the domain is taken, 409 if the merchant has another tenant, 429 if it has created 10
 * within a day, and 507 if no database takes new tenants.
 *
 * The daily limit keeps merchants from replacing full tenants faster than the sweep removes their rows. The row in the
 * tenant's database is stored before the account's, so that an interruption leaves only an unused row.
 */
export async function createTenant(
  env: Pick<Env, 'DB' | 'THROTTLE'>,
  merchantId: string,
  tenant: NewTenant,
  nowMs: number,
  by: Actor,
) {
  const creations = throttleOf(env, `tenant-creations:${merchantId}`)
  const accounts = accountDatabase(env)
  const [place, { conflicts, states }] = await Promise.all([
    creations.reserve(creationsPerDay, dayMs),
    runBatch(accounts, {
      conflicts: findConflicts(accounts, merchantId, tenant.domain),
      states: accounts.select().from(databases),
    }),
  ])
  try {
    throwIfTaken(conflicts, tenant.domain)
    if (!place.ok) throw tooManyTenants(place.retryAfterMs)
    return await storeTenant(env, merchantId, tenant, states, nowMs, by)
  } catch (error) {
    if (place.ok) await creations.release(place.at)
    throw error
  }
}

async function storeTenant(
  env: Pick<Env, 'DB'>,
  merchantId: string,
  tenant: NewTenant,
  states: readonly DatabaseState[],
  nowMs: number,
  by: Actor,
) {
  const accounts = accountDatabase(env)
  const ranked = rankDatabases(listDatabases(env), states, { nowMs, random: Math.random })
  const id = await hostTenant(env, ranked.slice(0, maxTries), tenant.domain, nowMs)
  const row = { id, merchantId, ...tenant, hasGate: false, rateLimitPerMinute: null, createdAt: nowMs }
  const ifMerchantExists = accounts
    .select(selectValues(tenants, row))
    .from(merchants)
    .where(eq(merchants.id, merchantId))
  // No check first: the unique indexes on domain and merchant reject duplicates.
  const entry = { holderId: merchantId, action: 'tenant.created', subject: tenant.domain } as const
  const { inserted } = await runBatch(accounts, {
    inserted: accounts.insert(tenants).select(ifMerchantExists).onConflictDoNothing().returning(),
    entry: recordEntry(accounts, entry, { by, at: nowMs }),
    confirmed: confirmMerchant(accounts, merchantId),
  })
  if (inserted[0] !== undefined) return inserted[0]
  await getDatabase(env, databaseNumberOf(id)).delete(tenantState).where(eq(tenantState.tenantId, id))
  throwIfTaken(await findConflicts(accounts, merchantId, tenant.domain), tenant.domain)
  // The account was deleted concurrently.
  throw invalidToken()
}

const findConflicts = (accounts: Database, merchantId: string, domain: string) =>
  accounts
    .select({ domain: tenants.domain })
    .from(tenants)
    .where(or(eq(tenants.domain, domain), eq(tenants.merchantId, merchantId)))

function throwIfTaken(conflicts: readonly { readonly domain: string }[], newDomain: string): void {
  if (conflicts.some(({ domain }) => domain === newDomain)) throw new ApiError('domain_taken')
  if (conflicts.length > 0) throw new ApiError('tenant_exists')
}

async function hostTenant(
  env: Pick<Env, 'DB'>,
  numbers: readonly number[],
  domain: string,
  nowMs: number,
): Promise<string> {
  const [number, ...others] = numbers
  if (number === undefined) {
    log('error', 'no database has room for tenants', { remedy: 'npm run databases' })
    throw noRoomForTenant()
  }
  const tenantId = newTenantId(number)
  try {
    await getDatabase(env, number).insert(tenantState).values({ tenantId, domain, createdAt: nowMs })
    return tenantId
  } catch (error) {
    if (others.length === 0) throw error
    log('error', 'database takes no tenant', { database: number, error })
    return await hostTenant(env, others, domain, nowMs)
  }
}
