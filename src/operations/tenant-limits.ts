import { z } from '@hono/zod-openapi'
import { eq, sql } from 'drizzle-orm'
import { operator, recordEntry } from '../accounts/audit.ts'
import { megabyte } from '../accounts/quotas.ts'
import { merchantOf, openGate } from '../accounts/tenant.ts'
import { runBatch } from '../platform/db/database.ts'
import { accountDatabase, databaseNumberOf, findDatabase } from '../platform/db/databases.ts'
import { tenants, tenantState } from '../platform/db/schema.ts'
import { ApiError } from '../platform/http/errors.ts'

const limit = (max: number) => z.int().min(1).max(max).nullable().optional()

const quotaLimit = limit(1_000_000_000)

/** Absent limits stay as they are. Null restores the service-wide setting. */
export const tenantLimitsRequest = z.object({
  tenant: z.string().min(1).max(64).openapi({ description: "The tenant's id." }),
  rate_limit_per_minute: limit(10_000),
  max_garments: quotaLimit,
  max_import_lines: quotaLimit,
  max_row_megabytes: quotaLimit,
  max_files: quotaLimit,
  max_file_megabytes: quotaLimit,
})

const storedLimit = z.int().nullable()

export const tenantLimitsSchema = z.object({
  tenant: z.string(),
  rate_limit_per_minute: storedLimit,
  max_garments: storedLimit,
  max_import_lines: storedLimit,
  max_row_megabytes: storedLimit,
  max_files: storedLimit,
  max_file_megabytes: storedLimit,
})

export const unknownTenant = () =>
  new ApiError('tenant_not_found', 'Tenant not found', ['tenant: there is no tenant with this id'])

const quotas = {
  max_garments: { name: 'garments', unit: 1 },
  max_import_lines: { name: 'import_lines', unit: 1 },
  max_row_megabytes: { name: 'row_bytes', unit: megabyte },
  max_files: { name: 'files', unit: 1 },
  max_file_megabytes: { name: 'file_bytes', unit: megabyte },
} as const

type QuotaLimit = keyof typeof quotas

const quotaLimits = Object.keys(quotas) as QuotaLimit[]

const storedQuotas = z.partialRecord(z.enum(quotaLimits.map((name) => quotas[name].name)), z.number())

/**
 * Changes one tenant's limits, which replace the service-wide limits at once. Returns all its limits. Throws 404 for an
 * unknown tenant. Safe to repeat, for example after a database could not be reached.
 */
export async function putTenantLimits(
  env: Pick<Env, 'DB' | 'GATE'>,
  { tenant: id, rate_limit_per_minute: rate, ...changes }: z.infer<typeof tenantLimitsRequest>,
  nowMs: number,
): Promise<z.infer<typeof tenantLimitsSchema>> {
  const accounts = accountDatabase(env)
  const subject = Object.entries({ rate_limit_per_minute: rate, ...changes })
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value ?? 'service-wide'}`]))
    .join(', ')
  const entry = { holderId: merchantOf(accounts, id), action: 'tenant.limits', subject } as const
  const {
    changed: [account],
  } = await runBatch(accounts, {
    changed: accounts
      .update(tenants)
      .set({ rateLimitPerMinute: rate === undefined ? sql`${tenants.rateLimitPerMinute}` : rate })
      .where(eq(tenants.id, id))
      .returning(),
    entry: recordEntry(accounts, entry, { by: operator, at: nowMs }),
  })
  const db = findDatabase(env, databaseNumberOf(id))
  if (account === undefined || db === null) throw unknownTenant()
  const patch = Object.fromEntries(
    quotaLimits.flatMap((name) => {
      const value = changes[name]
      return value === undefined ? [] : [[quotas[name].name, value === null ? null : value * quotas[name].unit]]
    }),
  )
  const [state] = await db
    .update(tenantState)
    .set({ limits: sql`nullif(json_patch(coalesce(${tenantState.limits}, '{}'), ${JSON.stringify(patch)}), '{}')` })
    .where(eq(tenantState.tenantId, id))
    .returning({ limits: tenantState.limits })
  // The gate caches the rate limit with the keys, so it must read both again.
  if (account.hasGate) await openGate(env, account.domain).forget()
  const limits = storedQuotas.parse(JSON.parse(state?.limits ?? '{}'))
  const limitOf = (name: QuotaLimit) => {
    const stored = limits[quotas[name].name]
    return stored === undefined ? null : stored / quotas[name].unit
  }
  return {
    tenant: id,
    rate_limit_per_minute: account.rateLimitPerMinute,
    max_garments: limitOf('max_garments'),
    max_import_lines: limitOf('max_import_lines'),
    max_row_megabytes: limitOf('max_row_megabytes'),
    max_files: limitOf('max_files'),
    max_file_megabytes: limitOf('max_file_megabytes'),
  }
}
