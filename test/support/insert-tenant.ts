import type { Database } from '../../src/platform/db/database.ts'
import { merchants, tenants, tenantState } from '../../src/platform/db/schema.ts'

/** Stores a tenant in the first database. Its account, domain and name all equal its id. */
export async function insertTenant(db: Database, id: string, createdAt = 1): Promise<void> {
  const tenant = { id, merchantId: id, domain: id, name: id, description: '', settings: {}, createdAt }
  await db.batch([
    db.insert(merchants).values({ id, company: '', createdAt }),
    db.insert(tenantState).values({ tenantId: id, domain: id, createdAt }).onConflictDoNothing(),
    db.insert(tenants).values(tenant),
  ])
}
