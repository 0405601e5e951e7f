import { sql } from 'drizzle-orm'
import { parseCorrections, type Corrections } from '../correction/rules/correction.ts'
import type { Database } from '../db/client.ts'
import {
  endRetagStatements,
  endStatements,
  whenUnchanged,
  type Ending,
  type ExpectedGarment,
} from '../garment/transitions.ts'
import { markUnreferenced } from '../garment/file/leave-file.ts'
import type { TaggingMessage } from '../garment/tagging-message.ts'
import { exchangePictures } from '../garment/unused-pictures.ts'
import { turnLimit } from '../garment/turns/turn-limit.ts'
import { messagesOfTurns } from '../garment/turns/turns.ts'
import { enqueue, enqueueAll, type Sender } from '../queue/enqueue.ts'
import type { DeliveryMessage } from '../webhook/delivery/message.ts'
import { startDeliveries } from '../webhook/delivery/start-deliveries.ts'

export type TaggedGarment = ExpectedGarment & {
  readonly imageUrl: string
  /** Set if it was complete before and is tagged again. */
  readonly endedAt: number | null
  /** How long its message waited in the queue, if that is known. */
  readonly waitedMs: number | undefined
  /** As the run has read them. */
  readonly corrections?: string | null
}

interface EndDeps {
  readonly db: Database
  readonly taggingQueue: Queue<TaggingMessage>
  /** Receives the first attempts, which are already claimed. */
  readonly webhookQueue: Sender<DeliveryMessage>
}

/**
 * Ends a garment: its result, a delivery record for each endpoint that asks for it and the counts, all in one
 * transaction, which also gives its turn to the next one; then enqueues the deliveries and the next one. Of a garment
 * that was tagged again, only the result is replaced, and where people have put its type or lines right, the receivers
 * of corrections are notified again, because the picture in the last event is removed after a day. Does nothing if the
 * garment has changed since it was read. Safe to repeat.
 */
export async function endGarment(deps: EndDeps, garment: TaggedGarment, ending: Ending, nowMs: number): Promise<void> {
  if (garment.endedAt !== null) return await endRetag(deps, garment, ending, nowMs)
  const { db, taggingQueue, webhookQueue } = deps
  const { tenantId, uuid } = garment
  const event = ending.status === 'complete' ? 'tagging.completed' : 'tagging.failed'
  const when = whenUnchanged(db, garment)
  const delivery = startDeliveries(db, { event, tenantId, garmentUuid: uuid, when, isClaimed: true }, nowMs)
  const [count, pass, end] = endStatements(db, garment, { ending, turnLimit: turnLimit(garment.waitedMs) }, nowMs)
  const leave = ending.status === 'failed' ? markUnreferenced(db, garment, when, nowMs) : []
  const [, started, , [counted]] = await db.batch([
    delivery.eraseFormer,
    delivery.statement,
    count,
    pass,
    ...leave,
    end,
  ])
  const next = messagesOfTurns(tenantId, counted?.turns, garment.pictureId)
  await Promise.all([
    ...delivery.messagesOf(started).map(async (message) => await enqueue(webhookQueue, message)),
    enqueueAll(taggingQueue, next),
  ])
}

async function endRetag(
  { db, taggingQueue, webhookQueue }: EndDeps,
  garment: TaggedGarment,
  ending: Ending,
  nowMs: number,
): Promise<void> {
  const { tenantId, uuid } = garment
  const [pass, end] = endRetagStatements(db, garment, { ending, turnLimit: turnLimit(garment.waitedMs) }, nowMs)
  const exchange = ending.status === 'complete' ? exchangePictures(db, garment, ending.pictureId, nowMs) : []
  const isNotified = ending.status === 'complete' && isDrawnOtherwise(parseCorrections(garment.corrections ?? null))
  const when = isNotified ? whenUnchanged(db, garment) : sql`0`
  const delivery = startDeliveries(
    db,
    { event: 'tagging.corrected', tenantId, garmentUuid: uuid, when, isClaimed: true },
    nowMs,
  )
  const [[counted], , started] = await db.batch([pass, delivery.eraseFormer, delivery.statement, ...exchange, end])
  for (const message of delivery.messagesOf(started)) await enqueue(webhookQueue, message)
  await enqueueAll(taggingQueue, messagesOfTurns(tenantId, counted?.turns, garment.pictureId))
}

const isDrawnOtherwise = ({ tag: { 'Item Type': type }, lines }: Corrections) =>
  type?.value !== type?.machine || Object.keys(lines).length > 0
