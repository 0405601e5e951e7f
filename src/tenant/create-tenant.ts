import { eq, or } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '../db/client.ts'
import { newId } from '../db/ids.ts'
import { merchants, tenants } from '../db/schema.ts'
import { selectValues } from '../db/select-values.ts'
import { invalidToken } from '../http/common-errors.ts'
import { domainTaken, tenantExists } from './errors.ts'
import type { newTenantSchema } from './fields.ts'

export type NewTenant = z.infer<typeof newTenantSchema>

/** Throws 400 where the domain is taken by anyone, 409 where the merchant has another tenant. */
export async function createTenant(db: Database, merchantId: string, tenant: NewTenant, nowMs: number) {
  const row = { id: newId(), merchantId, ...tenant, retentionDays: null, expiryCheckAt: 0, createdAt: nowMs }
  const ifMerchantExists = db.select(selectValues(tenants, row)).from(merchants).where(eq(merchants.id, merchantId))
  // The unique indexes on domain and merchant decide. Only after a conflict is it read which one it was.
  const [inserted] = await db.insert(tenants).select(ifMerchantExists).onConflictDoNothing().returning()
  if (inserted !== undefined) return inserted
  const conflicts = await db
    .select({ domain: tenants.domain })
    .from(tenants)
    .where(or(eq(tenants.domain, tenant.domain), eq(tenants.merchantId, merchantId)))
  if (conflicts.some(({ domain }) => domain === tenant.domain)) throw domainTaken()
  if (conflicts.length > 0) throw tenantExists()
  // The account was deleted at the same moment.
  throw invalidToken()
}
