import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { accountEndpoint, accountEvents, deliveries, garments, webhookEndpoints } from '../../db/schema.ts'
import { type ConfigRow, isEndpoint } from '../config/config-row.ts'
import { matchesMessage, type ClaimedDelivery, type DeliveryRow } from './conditions.ts'
import type { DeliveryMessage } from './message.ts'
import { claimDelivery, findClaimed } from './transitions.ts'

export interface Claim {
  readonly delivery: ClaimedDelivery
  readonly attempt: number
  readonly config: ConfigRow | undefined
  readonly garment: typeof garments.$inferSelect | undefined
  /** The event of a delivery to an account's webhook. */
  readonly accountEvent: typeof accountEvents.$inferSelect | undefined
}

/**
 * Claims a delivery for one attempt, unless it was started with a claim, and reads what the attempt needs: in one round
 * trip, or two for the webhook of an account. Null if there is nothing to claim. Repeating it with the same `claimId`
 * is harmless, so a claim whose answer was lost can be repeated.
 */
export async function claimAttempt(
  db: Database,
  message: DeliveryMessage,
  claimId: string,
  nowMs: number,
): Promise<Claim | null> {
  const claimed = message.isClaimed ? await read(db, message, findClaimed(db, message, nowMs)) : null
  return claimed ?? (await read(db, message, claimDelivery(db, message, claimId, nowMs)))
}

/** What an attempt needs, after the statement that gives its claimed delivery. */
async function read(
  db: Database,
  message: DeliveryMessage,
  claimed: ReturnType<typeof findClaimed> | ReturnType<typeof claimDelivery>,
): Promise<Claim | null> {
  const { tenantId, attempt, endpoint } = message
  const garmentUuid = db.select({ uuid: deliveries.garmentUuid }).from(deliveries).where(matchesMessage(message))
  const [[delivery], [config], [garment]] = await db.batch([
    claimed,
    db.select().from(webhookEndpoints).where(isEndpoint({ tenantId, endpoint })),
    db
      .select()
      .from(garments)
      .where(and(eq(garments.tenantId, tenantId), inArray(garments.uuid, garmentUuid))),
  ])
  if (delivery === undefined || delivery.claimId === null) return null
  const accountEvent = endpoint === accountEndpoint ? await findAccountEvent(db, delivery) : undefined
  return { delivery: { ...delivery, claimId: delivery.claimId }, attempt, config, garment, accountEvent }
}

async function findAccountEvent(db: Database, { tenantId: merchantId, garmentUuid: id }: DeliveryRow) {
  const [found] = await db
    .select()
    .from(accountEvents)
    .where(and(eq(accountEvents.merchantId, merchantId), eq(accountEvents.id, id)))
  return found
}
