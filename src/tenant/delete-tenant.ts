import { and, eq, exists, inArray, not, notExists, or, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { apiKeys, deliveries, garments, studios, tenantPurges, tenants, webhookConfigs } from '../db/schema.ts'
import { ApiError } from '../http/errors.ts'
import type { TenantGates } from './gates.ts'
import { getTenant } from './get-tenant.ts'

/**
 * Deletes the merchant's tenant with its keys and configuration, and leaves a note for the purge of the rest.
 * Throws 404 without a tenant and 409 while a garment is being tagged or a delivery is pending.
 */
export async function deleteTenant(db: Database, gates: TenantGates, merchantId: string, now: number) {
  const { id, domain } = await getTenant(db, merchantId)
  const activeGarment = db
    .select({ one: sql`1` })
    .from(garments)
    .where(and(eq(garments.tenantId, id), inArray(garments.status, ['queuing', 'processing'])))
  const pendingDelivery = db
    .select({ one: sql`1` })
    .from(deliveries)
    .where(and(eq(deliveries.tenantId, id), eq(deliveries.status, 'pending')))
  const gone = notExists(
    db
      .select({ one: sql`1` })
      .from(tenants)
      .where(eq(tenants.id, id)),
  )
  const [deleted] = await db.batch([
    db
      .delete(tenants)
      .where(and(eq(tenants.id, id), not(or(exists(activeGarment), exists(pendingDelivery))!)))
      .returning({ id: tenants.id }),
    db
      .insert(tenantPurges)
      .select(
        db
          .select({ tenantId: sql`${id}`.as('tenant_id'), requestedAt: sql`${now}`.as('requested_at') })
          .from(sql`(SELECT 1)`)
          .where(gone),
      )
      .onConflictDoNothing(),
    db.delete(apiKeys).where(and(eq(apiKeys.tenantId, id), gone)),
    db.delete(studios).where(and(eq(studios.tenantId, id), gone)),
    db.delete(webhookConfigs).where(and(eq(webhookConfigs.tenantId, id), gone)),
  ])
  if (deleted.length === 0)
    throw new ApiError(409, 'Tenant has active data', [
      'A garment is still being tagged or a webhook delivery is pending; wait, or switch the webhook off.',
    ])
  await gates.getByName(domain).forget()
  return { message: `Tenant ${domain} was deleted.` }
}
