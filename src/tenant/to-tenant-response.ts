import type { z } from '@hono/zod-openapi'
import type { tenants } from '../db/schema.ts'
import { toIso } from '../time.ts'
import type { tenantSchema } from './fields.ts'

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
