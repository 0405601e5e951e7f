import { ApiError } from '../http/errors.ts'
import type { TenantRow } from './to-tenant-response.ts'

/** The tenant of the merchant that authentication has read. Throws 404 where it has none. */
export function ownTenant({ tenant }: { readonly tenant: TenantRow | null }): TenantRow {
  if (tenant === null) throw noTenant()
  return tenant
}

export const noTenant = () => new ApiError(404, 'Tenant not found', ['This merchant has no tenant.'])
