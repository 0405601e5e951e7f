import { sql } from 'drizzle-orm'
import { tenants } from '../db/schema.ts'
import { tenantNotFound } from './errors.ts'
import type { TenantRow } from './to-tenant-response.ts'

/** The tenant of the merchant that authentication has read. Throws 404 if it has none. */
export function ownTenant({ tenant }: { readonly tenant: TenantRow | null }): TenantRow {
  if (tenant === null) throw tenantNotFound()
  return tenant
}

/** Selects the merchant of a tenant, in the accounts' database. */
export const merchantOf = (tenantId: string) => sql`(SELECT merchant_id FROM ${tenants} WHERE id = ${tenantId})`
