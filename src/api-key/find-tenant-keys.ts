import { eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { apiKeys, tenants } from '../db/schema.ts'

export interface TenantKeys {
  readonly tenantId: string
  /** Hex SHA-256 of each live key to the key's id. */
  readonly keyIds: Readonly<Record<string, string>>
}

export async function findTenantKeys(db: Database, domain: string): Promise<TenantKeys | null> {
  const rows = await db
    .select({ tenantId: tenants.id, keyId: apiKeys.id, hash: apiKeys.hash })
    .from(tenants)
    .leftJoin(apiKeys, eq(apiKeys.tenantId, tenants.id))
    .where(eq(tenants.domain, domain))
  const tenantId = rows[0]?.tenantId
  if (tenantId === undefined) return null
  return {
    tenantId,
    keyIds: Object.fromEntries(
      rows.flatMap(({ hash, keyId }) => (hash !== null && keyId !== null ? [[hash, keyId]] : [])),
    ),
  }
}
