import type { Database } from '../db/client.ts'
import {
  endRetagStatement,
  endStatements,
  whenUnchanged,
  type Ending,
  type ExpectedGarment,
} from '../garment/transitions.ts'
import { exchangePictures } from '../garment/unused-pictures.ts'
import { enqueue } from '../queue/enqueue.ts'
import type { DeliveryMessage } from '../webhook/delivery/message.ts'
import { startDelivery } from '../webhook/delivery/transitions.ts'

export const failed = (failureReason: string): Ending => ({ status: 'failed', failureReason })

/** For faults of ours, about which a client learns nothing. */
export const unprocessable = failed('The service could not process this image; upload it again later.')

/** Has `endedAt` if it was complete before and is tagged again. */
export type TaggedGarment = ExpectedGarment & { readonly endedAt: number | null }

/**
 * Ends a garment: its result, its delivery record (if the tenant's webhook is enabled) and the counts, all in one
 * transaction; then enqueues the delivery. Of a garment that was tagged again, only the result is
 * replaced. Does nothing if the garment has changed since it was read. Safe to repeat.
 */
export async function endGarment(
  { db, webhookQueue }: { readonly db: Database; readonly webhookQueue: Queue<DeliveryMessage> },
  garment: TaggedGarment,
  ending: Ending,
  nowMs: number,
): Promise<void> {
  if (garment.endedAt !== null) return await endRetag(db, garment, ending, nowMs)
  const { tenantId, uuid } = garment
  const delivery = startDelivery(db, tenantId, uuid, whenUnchanged(db, garment), nowMs)
  const [started] = await db.batch([delivery.statement, ...endStatements(db, garment, ending, nowMs)])
  if (started.length > 0) await enqueue(webhookQueue, delivery.message)
}

async function endRetag(db: Database, garment: TaggedGarment, ending: Ending, nowMs: number): Promise<void> {
  const end = endRetagStatement(db, garment, ending)
  if (ending.status === 'failed') await end
  else await db.batch([...exchangePictures(db, garment, ending.pictureId, nowMs), end])
}
