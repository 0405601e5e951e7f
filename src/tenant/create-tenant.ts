import { eq, or } from 'drizzle-orm'
import type { z } from 'zod'
import { recordEntry, type Actor } from '../audit/record-entry.ts'
import type { Database } from '../db/client.ts'
import { newTenantId } from '../db/databases/database-number.ts'
import { accountDatabase, getDatabase, listDatabases } from '../db/databases/find-database.ts'
import { databases, tenantState, merchants, tenants } from '../db/schema.ts'
import { selectValues } from '../db/select-values.ts'
import { invalidToken } from '../http/common-errors.ts'
import { log } from '../log.ts'
import { throttleOf } from '../rate-limit/throttle.ts'
import { dayMs } from '../time.ts'
import { creationsPerDay, domainTaken, noRoomForTenant, tenantExists, tooManyTenants } from './errors.ts'
import type { newTenantSchema } from './fields.ts'
import { rankDatabases } from './rank-databases.ts'

export type NewTenant = z.infer<typeof newTenantSchema>

/** Databases that are asked to take a tenant, so that one that is down keeps no merchant from starting. */
const maxTries = 2

/**
 * Throws 400 if the domain is taken by anyone, 409 if the merchant has another tenant, 429 if it has created 10 within
 * a day, and 503 if every database is nearly full.
 *
 * The limit keeps a merchant from deleting a full tenant for one with empty quotas, again and again, faster than the
 * sweep removes what the former ones have stored. Only tenants that are created count.
 *
 * The row in the tenant's database comes first. If the account is not stored after it, nobody knows the tenant's id,
 * and the sweep removes that row.
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
  const [place, [conflicts, states]] = await Promise.all([
    creations.reserve(creationsPerDay, dayMs),
    accounts.batch([findConflicts(accounts, merchantId, tenant.domain), accounts.select().from(databases)]),
  ])
  try {
    throwIfTaken(conflicts, tenant.domain)
    if (!place.ok) throw tooManyTenants(place.retryAfterMs)
    return await storeTenant(env, merchantId, tenant, states, nowMs, by)
  } catch (error) {
    if (place.ok) await creations.reportResult(place.at, 'abandoned', false)
    throw error
  }
}

async function storeTenant(
  env: Pick<Env, 'DB'>,
  merchantId: string,
  tenant: NewTenant,
  states: readonly (typeof databases.$inferSelect)[],
  nowMs: number,
  by: Actor,
) {
  const accounts = accountDatabase(env)
  const ranked = rankDatabases(listDatabases(env), states, { nowMs, random: Math.random })
  const id = await hostTenant(env, ranked.slice(0, maxTries), nowMs)
  const row = { id, merchantId, ...tenant, createdAt: nowMs }
  const ifMerchantExists = accounts
    .select(selectValues(tenants, row))
    .from(merchants)
    .where(eq(merchants.id, merchantId))
  // The unique indexes on domain and merchant decide. Only after a conflict is it read which one it was.
  const entry = { holderId: merchantId, action: 'tenant.created', subject: tenant.domain } as const
  const [[inserted]] = await accounts.batch([
    accounts.insert(tenants).select(ifMerchantExists).onConflictDoNothing().returning(),
    ...recordEntry(accounts, entry, { by, at: nowMs }),
  ])
  if (inserted !== undefined) return inserted
  throwIfTaken(await findConflicts(accounts, merchantId, tenant.domain), tenant.domain)
  // The account was deleted at the same moment.
  throw invalidToken()
}

const findConflicts = (accounts: Database, merchantId: string, domain: string) =>
  accounts
    .select({ domain: tenants.domain })
    .from(tenants)
    .where(or(eq(tenants.domain, domain), eq(tenants.merchantId, merchantId)))

function throwIfTaken(conflicts: readonly { readonly domain: string }[], wanted: string): void {
  if (conflicts.some(({ domain }) => domain === wanted)) throw domainTaken()
  if (conflicts.length > 0) throw tenantExists()
}

/** Stores a new tenant's row in the first of these databases that takes it. Returns the tenant's id. */
async function hostTenant(env: Pick<Env, 'DB'>, numbers: readonly number[], nowMs: number): Promise<string> {
  const [number, ...others] = numbers
  if (number === undefined) {
    log('error', 'no database has room for tenants', { remedy: 'npm run databases' })
    throw noRoomForTenant()
  }
  const tenantId = newTenantId(number)
  try {
    await getDatabase(env, number).insert(tenantState).values({ tenantId, createdAt: nowMs })
    return tenantId
  } catch (error) {
    if (others.length === 0) throw error
    log('error', 'database takes no tenant', { database: number, error })
    return await hostTenant(env, others, nowMs)
  }
}
