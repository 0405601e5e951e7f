import { sql } from 'drizzle-orm'
import { type Corrections, parseCorrections } from '../garments/corrections/correction.ts'
import { type Database, runBatch } from '../platform/db/database.ts'
import {
  type Ending,
  endRetagStatements,
  endStatements,
  type ExpectedGarment,
  type Release,
  releaseStatement,
  whenUnchanged,
} from '../garments/transitions.ts'
import { fileIdsOf, parsePictures } from '../garments/pictures/garment-picture.ts'
import { markUnreferenced } from '../garments/pictures/uploaded-file.ts'
import { minTurns, startTurns, type TaggingMessage, turnLimit } from '../garments/turns.ts'
import type { GarmentRow } from '../garments/garment.ts'
import { exchangeCopies } from '../garments/pictures/unused-copies.ts'
import { enqueue, enqueueAll, type Sender } from '../platform/queue/enqueue.ts'
import { searchColumns } from '../garments/list/garment-text.ts'
import type { DeliveryMessage } from '../events/delivery.ts'
import { startDeliveries } from '../events/delivery-transitions.ts'

export type TaggedGarment = ExpectedGarment & {
  /** Set if it was complete before and is tagged again. */
  readonly endedAt: number | null
  /** How long its message waited in the queue, if that is known. */
  readonly waitedMs: number | undefined
} & Pick<GarmentRow, 'number' | 'attribute' | 'corrections' | 'pictures' | 'createdAt'>

interface EndDeps {
  readonly db: Database
  readonly taggingQueue: Queue<TaggingMessage>
  /** Receives the messages of the first attempts. */
  readonly webhookQueue: Sender<DeliveryMessage>
}

/**
 * Ends a garment: its result, a delivery record for each endpoint that asks for it and the counts, all in one
 * transaction, which also gives its turn to the next one; then enqueues the deliveries and the next one. Of a garment
 * that was tagged again, only the result is replaced, and where people have put its type right, the receivers of
 * corrections are notified again, because the picture in the last event is removed after a day. Does nothing if the
 * garment has changed since it was read. Safe to repeat.
 */
export async function endGarment(deps: EndDeps, garment: TaggedGarment, ending: Ending, nowMs: number): Promise<void> {
  if (garment.endedAt !== null) return await endRetag(deps, garment, ending, nowMs)
  const { db, taggingQueue, webhookQueue } = deps
  const { tenantId, uuid } = garment
  const event = ending.status === 'complete' ? 'tagging.completed' : 'tagging.failed'
  const when = whenUnchanged(garment)
  const delivery = startDeliveries(db, { event, tenantId, garmentUuid: uuid, when }, nowMs)
  const options = { ending, searched: searchedAs(garment, ending), turnLimit: turnLimit(garment.waitedMs) }
  const { started, turns } = await runBatch(db, {
    started: delivery.statements,
    file: ending.status === 'failed' ? markUnreferenced(tenantId, fileIdsOf(parsePictures(garment)), when, nowMs) : [],
    ...endStatements(db, garment, options, nowMs),
  })
  await Promise.all([
    ...delivery.messagesOf(started).map(async (message) => await enqueue(webhookQueue, message)),
    enqueueAll(taggingQueue, turns),
  ])
}

async function endRetag(
  { db, taggingQueue, webhookQueue }: EndDeps,
  garment: TaggedGarment,
  ending: Ending,
  nowMs: number,
): Promise<void> {
  const { tenantId, uuid } = garment
  const options = { ending, searched: searchedAs(garment, ending), turnLimit: turnLimit(garment.waitedMs) }
  const isNotified = ending.status === 'complete' && hasOtherType(parseCorrections(garment.corrections))
  const when = isNotified ? whenUnchanged(garment) : sql`0`
  const delivery = startDeliveries(db, { event: 'tagging.corrected', tenantId, garmentUuid: uuid, when }, nowMs)
  const { turns, started } = await runBatch(db, {
    started: delivery.statements,
    copies: ending.status === 'complete' ? exchangeCopies(db, garment, copiesOf(garment, ending), nowMs) : [],
    ...endRetagStatements(db, garment, options, nowMs),
  })
  for (const message of delivery.messagesOf(started)) await enqueue(webhookQueue, message)
  await enqueueAll(taggingQueue, turns)
}

const copiesOf = (garment: TaggedGarment, ending: Ending) => ({
  former: parsePictures(garment).map(({ copyId }) => copyId),
  used: ending.pictures.flatMap(({ copyId }) => copyId ?? []),
})

const searchedAs = ({ uuid, number, attribute, corrections, createdAt }: TaggedGarment, ending: Ending) =>
  searchColumns({ result: null, ...ending, uuid, number, attribute, corrections, createdAt })

const hasOtherType = ({ tag: { 'Item Type': type } }: Corrections) => type?.value !== type?.machine

interface ReleaseDeps {
  readonly db: Database
  readonly taggingQueue: Queue<TaggingMessage>
  readonly now: () => number
}

/**
 * Releases a garment for its next try and gives its turn to the next one of its tenant, so that a picture that cannot
 * be fetched does not hold up the others. Safe to repeat.
 */
export async function releaseGarment(
  { db, taggingQueue, now }: ReleaseDeps,
  garment: TaggedGarment,
  next: Release,
): Promise<void> {
  const { turns } = await runBatch(db, {
    released: releaseStatement(db, garment, next),
    turns: startTurns(garment.tenantId, minTurns, now()),
  })
  await enqueueAll(taggingQueue, turns)
}
