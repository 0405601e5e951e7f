import { and, eq, isNull, lte, or, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { deliveries, garments, webhookConfigs } from '../../db/schema.ts'
import type { ConfigRow } from '../config/config.ts'
import type { DeliveryMessage } from './message.ts'

/** Longer than the longest exchange (15 s), with room for the reads before it and the note after it. */
export const leaseMs = 30_000

/** A queue hands a delayed message over to the second, not to the millisecond. */
const earlyMs = 1000

/** Claims without a note, that is runs that died, after which the sweep ends a delivery. */
export const maxClaims = 10

export type ClaimedDelivery = typeof deliveries.$inferSelect & { readonly claimId: string }
export type DeliveredGarment = typeof garments.$inferSelect

export interface Claim {
  readonly delivery: ClaimedDelivery
  readonly attempt: number
  readonly config: ConfigRow | undefined
  readonly garment: DeliveredGarment | undefined
}

/**
 * Takes a delivery for one attempt and reads what the attempt needs, in one round trip; null if the attempt was made
 * already, is being made, is not due, or its delivery has ended or is gone. Repeating it with the same `claimId` is
 * harmless, so that a claim whose answer was lost can be asked for again.
 */
export async function claimAttempt(
  db: Database,
  { tenantId, deliveryId, attempt }: DeliveryMessage,
  claimId: string,
  now: number,
): Promise<Claim | null> {
  const [claimed, configs, found] = await db.batch([
    db
      .update(deliveries)
      .set({ claimId, leaseUntil: now + leaseMs, dueAt: now + leaseMs, claims: sql`claims + 1` })
      .where(
        and(
          eq(deliveries.id, deliveryId),
          eq(deliveries.tenantId, tenantId),
          eq(deliveries.status, 'pending'),
          eq(deliveries.attemptCount, attempt - 1),
          lte(deliveries.nextAttemptAt, now + earlyMs),
          or(isNull(deliveries.leaseUntil), lte(deliveries.leaseUntil, now), eq(deliveries.claimId, claimId)),
        ),
      )
      .returning(),
    db.select().from(webhookConfigs).where(eq(webhookConfigs.tenantId, tenantId)),
    db
      .select()
      .from(garments)
      .where(
        and(
          eq(garments.tenantId, tenantId),
          eq(
            garments.uuid,
            sql`(SELECT garment_uuid FROM ${deliveries} WHERE id = ${deliveryId} AND tenant_id = ${tenantId})`,
          ),
        ),
      ),
  ])
  const [delivery] = claimed
  if (delivery === undefined) return null
  return { delivery: { ...delivery, claimId }, attempt, config: configs[0], garment: found[0] }
}
