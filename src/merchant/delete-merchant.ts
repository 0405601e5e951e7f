import { and, eq, inArray, notExists, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { accountDatabase } from '../db/databases/find-database.ts'
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
import { tryToPutTombstone } from '../tombstone/tombstone.ts'
import { merchantHasTenant } from './errors.ts'

/**
 * Deletes an account with its webhook, its members and all their sessions and tokens. Throws 409 while it has a tenant.
 */
export async function deleteMerchant(env: Pick<Env, 'DB' | 'PICTURES'>, merchantId: string): Promise<void> {
  const db = accountDatabase(env)
  const tenant = db
    .select({ one: sql`1` })
    .from(tenants)
    .where(eq(tenants.merchantId, merchantId))
  const team = db.select({ id: members.id }).from(members).where(eq(members.merchantId, merchantId))
  const [, , , , , deleted] = await db.batch([
    db.delete(endedSessions).where(and(inArray(endedSessions.memberId, team), notExists(tenant))),
    db.delete(passwordResets).where(and(inArray(passwordResets.memberId, team), notExists(tenant))),
    db.delete(invitations).where(and(eq(invitations.merchantId, merchantId), notExists(tenant))),
    db.delete(auditEntries).where(and(eq(auditEntries.holderId, merchantId), notExists(tenant))),
    db.delete(members).where(and(eq(members.merchantId, merchantId), notExists(tenant))),
    db
      .delete(merchants)
      .where(and(eq(merchants.id, merchantId), notExists(tenant)))
      .returning({ id: merchants.id }),
    ...deleteWebhook(db, merchantId),
  ])
  if (deleted.length === 0) throw merchantHasTenant()
  await tryToPutTombstone(env.PICTURES, 'merchant', merchantId)
}

/** The statements that remove the webhook of a deleted account. */
function deleteWebhook(db: Database, merchantId: string) {
  const known = db
    .select({ one: sql`1` })
    .from(merchants)
    .where(eq(merchants.id, merchantId))
  const isSent = and(eq(deliveries.tenantId, merchantId), eq(deliveries.endpoint, accountEndpoint), notExists(known))
  const sent = db.select({ number: deliveries.number }).from(deliveries).where(isSent)
  const isWebhook = and(eq(webhookEndpoints.tenantId, merchantId), eq(webhookEndpoints.endpoint, accountEndpoint))
  return [
    db.delete(webhookEndpoints).where(and(isWebhook, notExists(known))),
    db.delete(deliveryAttempts).where(inArray(deliveryAttempts.deliveryNumber, sent)),
    db.delete(deliveries).where(isSent),
    db.delete(accountEvents).where(and(eq(accountEvents.merchantId, merchantId), notExists(known))),
  ] as const
}
