import type { tenants } from '../db/schema.ts'

export type TenantRow = typeof tenants.$inferSelect

export function describeTenant(row: TenantRow) {
  return {
    id: row.id,
    name: row.name,
    domain: row.domain,
    description: row.description,
    merchant_id: row.merchantId,
    created_at: new Date(row.createdAt).toISOString(),
  }
}
