import { eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { tenants } from '../db/schema.ts'
import { ApiError } from '../http/errors.ts'

export const noTenant = () => new ApiError(404, 'Tenant not found', ['This merchant has no tenant.'])

export async function getTenant(db: Database, merchantId: string) {
  const [row] = await db.select().from(tenants).where(eq(tenants.merchantId, merchantId))
  if (row === undefined) throw noTenant()
  return row
}
