import { z } from '@hono/zod-openapi'
import { and, eq, sql } from 'drizzle-orm'
import { ApiError, invalidBody } from '../platform/http/errors.ts'
import { type Authorship, recordEntry } from './audit.ts'
import { type Database, runBatch } from '../platform/db/database.ts'
import { tenants } from '../platform/db/schema.ts'
import { toIso } from '../time.ts'

/**
 * Returns the domain in lower case. Returns null unless it consists of 1 to 253 letters, digits, `.`, `_` and `-`, with
 * a letter or digit at both ends.
 */
export function normalizeDomain(text: string): string | null {
  return /^[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?$/i.test(text) ? text.toLowerCase() : null
}

/** Builds a domain from a shop's name and the start of a new id, for tenants created in the dashboard. */
export function inventDomain(name: string, id: string): string {
  const letters = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
  return `${letters.replaceAll(/^-|-$/g, '') || 'shop'}-${id.slice(0, 8)}`
}

const maxDescriptionLength = 2000
const maxSettings = 20

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return !/^[+-]/.test(zone)
  } catch {
    return false
  }
}

const settingValue = z.string('must be a string').max(1000, 'must be at most 1,000 characters')
const tooManySettings = `must have at most ${maxSettings} keys`

const storedSettingsSchema = z.record(z.string(), z.string())

export const settingsSchema = z
  .object({
    timezone: z.string().max(64).refine(isTimeZone, 'must be an IANA time zone such as Europe/Berlin').default('UTC'),
    currency: z
      .string()
      .refine((code) => Intl.supportedValuesOf('currency').includes(code), 'must be an ISO 4217 code such as EUR')
      .default('USD'),
  })
  .catchall(settingValue)
  .refine((all) => Object.keys(all).length <= maxSettings, tooManySettings)
  // `true` instead of the type of the values, because client generators reject that type beside optional keys.
  .openapi({ additionalProperties: true })

export const newTenantSchema = z.object({
  name: z.string().trim().min(1).max(200),
  domain: z.string().transform((text, context) => {
    const domain = normalizeDomain(text)
    if (domain !== null) return domain
    context.addIssue({
      code: 'custom',
      message: "must be 1 to 253 letters, digits, '.', '_' and '-', with a letter or digit first and last",
    })
    return z.NEVER
  }),
  description: z.string().max(maxDescriptionLength, `must be at most ${maxDescriptionLength} characters`).default(''),
  settings: settingsSchema.default({ timezone: 'UTC', currency: 'USD' }),
})

const tenantFields = {
  id: z.string(),
  name: z.string(),
  domain: z.string(),
  description: z.string(),
  merchant_id: z.string(),
  created_at: z.string(),
}

export const tenantSchema = z.object(tenantFields).openapi('Tenant')

export const wholeTenantSchema = z
  .object({ ...tenantFields, settings: z.record(z.string(), z.string()) })
  .openapi('TenantWithSettings')

/** Absent fields and settings stay. A setting of null is removed. */
export const tenantChangeSchema = z.object({
  name: newTenantSchema.shape.name.optional(),
  description: newTenantSchema.shape.description.unwrap().optional(),
  settings: z
    .object({
      timezone: settingsSchema.shape.timezone.unwrap().optional(),
      currency: settingsSchema.shape.currency.unwrap().optional(),
    })
    .catchall(settingValue.nullable())
    .openapi({ additionalProperties: true })
    .optional(),
})

/** Changes a tenant, except its domain. Returns the changed row. Throws 400 if it would have too many settings. */
export async function changeTenant(
  db: Database,
  tenant: Pick<TenantRow, 'id' | 'merchantId' | 'name' | 'settings'>,
  { name, description, settings = {} }: z.infer<typeof tenantChangeSchema>,
  authorship: Authorship,
): Promise<TenantRow> {
  const changes = Object.entries(settings).filter(([, value]) => value !== undefined)
  const merged = new Map([...Object.entries(storedSettingsSchema.parse(tenant.settings)), ...changes])
  const remaining = [...merged.values()].filter((value) => value !== null)
  if (remaining.length > maxSettings) throw invalidBody([`settings: ${tooManySettings}`])
  const patch = JSON.stringify(Object.fromEntries(changes))
  const entry = { holderId: tenant.merchantId, action: 'tenant.changed', subject: name ?? tenant.name } as const
  const {
    tenant: [changed],
  } = await runBatch(db, {
    tenant: db
      .update(tenants)
      .set({ name, description, settings: sql`json_patch(${tenants.settings}, ${patch})` })
      .where(and(eq(tenants.id, tenant.id), eq(tenants.merchantId, tenant.merchantId)))
      .returning(),
    entry: recordEntry(db, entry, authorship),
  })
  if (changed === undefined) throw new ApiError('tenant_not_found')
  return changed
}

/**
 * Opens the gate of a domain. A gate stays in the region of its first call, so only API calls may open a gate before
 * `hasGate` is set.
 */
export const openGate = (env: Pick<Env, 'GATE'>, domain: string) => env.GATE.getByName(domain)

export type GateStub = ReturnType<typeof openGate>

export type TenantRow = typeof tenants.$inferSelect

export function toTenantResponse(row: TenantRow): z.infer<typeof tenantSchema> {
  return {
    id: row.id,
    name: row.name,
    domain: row.domain,
    description: row.description,
    merchant_id: row.merchantId,
    created_at: toIso(row.createdAt),
  }
}

export const toWholeTenantResponse = (row: TenantRow): z.infer<typeof wholeTenantSchema> => ({
  ...toTenantResponse(row),
  settings: storedSettingsSchema.parse(row.settings),
})

/** Returns the tenant of a merchant that was authenticated. Throws 404 if there is none. */
export function ownTenant({ tenant }: { readonly tenant: TenantRow | null }): TenantRow {
  if (tenant === null) throw new ApiError('tenant_not_found')
  return tenant
}

/** Selects a tenant's merchant in the accounts database. */
export const merchantOf = (db: Database, tenantId: string) =>
  db.select({ id: tenants.merchantId }).from(tenants).where(eq(tenants.id, tenantId))
