import { and, eq, inArray, notExists, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { accountDatabase } from '../db/databases/find-database.ts'
import { inValues } from '../db/in-values.ts'
import {
  accountEndpoint,
  accountEvents,
  auditEntries,
  deliveries,
  deliveryAttempts,
  endedSessions,
  invitations,
  members,
  merchants,
  passwordResets,
  tenants,
  webhookEndpoints,
} from '../db/schema.ts'
import { tryToRecordDeletion } from '../tombstone/deletions.ts'
import { merchantHasTenant } from './errors.ts'

/**
 * Deletes an account with its webhook, its members and all their sessions and tokens. Throws 409 while it has a tenant.
 */
export async function deleteMerchant(
  env: Pick<Env, 'DB' | 'PICTURES'>,
  merchantId: string,
  nowMs: number,
): Promise<void> {
  if ((await deleteMerchants(accountDatabase(env), [merchantId])) === 0) throw merchantHasTenant()
  await tryToRecordDeletion(env.PICTURES, { kind: 'merchant', id: merchantId }, nowMs)
}

/** Deletes those of these accounts that have no tenant, with all that belongs to them. Returns how many. */
export async function deleteMerchants(db: Database, ids: readonly string[]): Promise<number> {
  const tenant = db
    .select({ one: sql`1` })
    .from(tenants)
    .where(eq(tenants.merchantId, merchants.id))
  const isDeleted = and(inValues(merchants.id, ids), notExists(tenant))
  const those = db.select({ id: merchants.id }).from(merchants).where(isDeleted)
  const team = db.select({ id: members.id }).from(members).where(inArray(members.merchantId, those))
  const isSent = and(inArray(deliveries.tenantId, those), eq(deliveries.endpoint, accountEndpoint))
  const isWebhook = and(inArray(webhookEndpoints.tenantId, those), eq(webhookEndpoints.endpoint, accountEndpoint))
  const [, , , , , , , , , deleted] = await db.batch([
    db.delete(endedSessions).where(inArray(endedSessions.memberId, team)),
    db.delete(passwordResets).where(inArray(passwordResets.memberId, team)),
    db.delete(invitations).where(inArray(invitations.merchantId, those)),
    db.delete(auditEntries).where(inArray(auditEntries.holderId, those)),
    db.delete(webhookEndpoints).where(isWebhook),
    db.delete(deliveryAttempts).where(inArray(deliveryAttempts.tenantId, those)),
    db.delete(deliveries).where(isSent),
    db.delete(accountEvents).where(inArray(accountEvents.merchantId, those)),
    db.delete(members).where(inArray(members.merchantId, those)),
    db.delete(merchants).where(isDeleted).returning({ id: merchants.id }),
  ])
  return deleted.length
}
