import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '../db/client.ts'
import { newId } from '../db/ids.ts'
import { tenants } from '../db/schema.ts'
import { ApiError } from '../http/errors.ts'
import type { newTenantSchema } from './fields.ts'
import type { TenantGates } from './gates.ts'
import { describeTenant } from './describe-tenant.ts'

export type NewTenant = z.infer<typeof newTenantSchema>

export async function createTenant(
  db: Database,
  gates: TenantGates,
  merchantId: string,
  tenant: NewTenant,
  now: number,
) {
  const row = { id: newId(), merchantId, ...tenant, createdAt: now }
  // The unique indexes on domain and merchant decide; only then is asked which of them it was.
  const inserted = await db.insert(tenants).values(row).onConflictDoNothing().returning()
  if (inserted[0] === undefined) {
    const [taken] = await db.select({ id: tenants.id }).from(tenants).where(eq(tenants.domain, tenant.domain))
    if (taken !== undefined) throw new ApiError(400, 'Domain already exists', ['domain: this domain is taken'])
    throw new ApiError(409, 'Tenant already exists', ['A merchant has at most one tenant; delete it first.'])
  }
  await gates.getByName(tenant.domain).forget()
  return describeTenant(inserted[0])
}
