import { eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { apiKeys, tenants } from '../db/schema.ts'

export interface TenantKeys {
  readonly tenantId: string
  readonly merchantId: string
  /** Hex SHA-256 of each live key to the key's id. */
  readonly keyIds: Readonly<Record<string, string>>
}

/** The tenant of a domain and its live keys; null if no tenant has the domain. */
export async function findTenantKeys(db: Database, domain: string): Promise<TenantKeys | null> {
  const rows = await db
    .select({ tenantId: tenants.id, merchantId: tenants.merchantId, keyId: apiKeys.id, hash: apiKeys.hash })
    .from(tenants)
    .leftJoin(apiKeys, eq(apiKeys.tenantId, tenants.id))
    .where(eq(tenants.domain, domain))
  const [first] = rows
  if (first === undefined) return null
  const keyIds = rows.flatMap(({ hash, keyId }) => (hash !== null && keyId !== null ? [[hash, keyId]] : []))
  return { tenantId: first.tenantId, merchantId: first.merchantId, keyIds: Object.fromEntries(keyIds) }
}
