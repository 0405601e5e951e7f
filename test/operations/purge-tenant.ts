import { openDatabase } from '../../src/platform/db/database.ts'
import { databaseNumberOf } from '../../src/platform/db/databases.ts'
import { tenantPurges } from '../../src/platform/db/schema.ts'
import { purgeTenants } from '../../src/operations/purge-tenants.ts'
import { bindings, databaseOf } from '../service.ts'

/** Puts a tenant's purge before those of all tenants that other tests have deleted, of which each sweep takes ten. */
export async function makePurgeDue(tenantId: string): Promise<void> {
  const due = { requestedAt: 1, nextAt: 1 }
  await openDatabase(bindings.DB)
    .insert(tenantPurges)
    .values({ tenantId, ...due })
    .onConflictDoUpdate({ target: tenantPurges.tenantId, set: due })
}

/** Purges this tenant and no other: its purge is the only one that is due in 1970. It is deleted in the first ms. */
export async function purgeTenant(tenantId: string, nowMs = 3600_000): Promise<void> {
  await makePurgeDue(tenantId)
  const accounts = openDatabase(bindings.DB)
  const deps = { accounts, number: databaseNumberOf(tenantId), db: databaseOf(tenantId), pictures: bindings.PICTURES }
  await purgeTenants(deps, nowMs)
}
