import { asc, eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { apiKeys } from '../db/schema.ts'
import type { TenantGates } from '../tenant/gates.ts'

const isoOrNull = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString())

/** All live keys, at most 20, oldest first. */
export async function listApiKeys(
  db: Database,
  gates: TenantGates,
  tenant: { readonly id: string; readonly domain: string },
) {
  const rows = await db.select().from(apiKeys).where(eq(apiKeys.tenantId, tenant.id)).orderBy(asc(apiKeys.createdAt))
  const lastUsed: Record<string, number> = await gates.getByName(tenant.domain).lastUsed(rows.map((row) => row.id))
  return rows.map(({ id, name, prefix, createdAt }) => ({
    id,
    name,
    prefix,
    created_at: new Date(createdAt).toISOString(),
    last_used_at: isoOrNull(lastUsed[id]),
  }))
}
