import { openDatabase } from '../../src/platform/db/database.ts'
import { databaseNumberOf } from '../../src/platform/db/databases.ts'
import { tenantPurges } from '../../src/platform/db/schema.ts'
import { purgeTenants } from '../../src/operations/purge-tenants.ts'
import { bindings, databaseOf } from '../service.ts'

/** Purges this tenant and no other: its purge is the only one that is due in 1970. */
export async function purgeTenant(tenantId: string): Promise<void> {
  const accounts = openDatabase(bindings.DB)
  await accounts.insert(tenantPurges).values({ tenantId, requestedAt: 1, nextAt: 1 })
  const deps = { accounts, number: databaseNumberOf(tenantId), db: databaseOf(tenantId), pictures: bindings.PICTURES }
  await purgeTenants(deps, 3600_000)
}
