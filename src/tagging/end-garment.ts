import { type Corrections, parseCorrections } from '../garments/corrections/correction.ts'
import { type Database, runBatch } from '../platform/db/database.ts'
import { type Ending, endStatements, type ExpectedGarment, whenUnchanged } from '../garments/transitions.ts'
import { fileIdsOf, parsePictures } from '../garments/pictures/garment-picture.ts'
import { markUnreferenced } from '../garments/pictures/uploaded-file.ts'
import { type TaggingMessage, turnLimit } from '../garments/turns.ts'
import type { GarmentRow } from '../garments/garment.ts'
import { exchangeCopies } from '../garments/pictures/unused-copies.ts'
import { enqueue, enqueueAll, type Sender } from '../platform/queue/enqueue.ts'
import { searchColumns } from '../garments/list/garment-text.ts'
import type { DeliveryMessage } from '../events/delivery.ts'
import { startDeliveries } from '../events/delivery-transitions.ts'

export type TaggedGarment = ExpectedGarment & {
  /** Set for a complete garment that is tagged again. */
  readonly endedAt: number | null
  readonly waitedMs: number | undefined
} & Pick<GarmentRow, 'number' | 'attribute' | 'corrections' | 'pictures' | 'createdAt'>

interface EndDeps {
  readonly db: Database
  readonly taggingQueue: Queue<TaggingMessage>
  readonly deliverySender: Sender<DeliveryMessage>
}

/**
 * Ends a garment in one transaction: its result, its counts, its delivery records and the turn of the next garment.
 * Then sends the messages. A garment that is tagged again only gets a new result. If a person has corrected its type,
 * receivers are notified, because its former picture is removed after a day. Does nothing if the garment has changed
 * since it was read. Safe to repeat.
 */
export async function endGarment(deps: EndDeps, garment: TaggedGarment, ending: Ending, nowMs: number): Promise<void> {
  const { db, taggingQueue, deliverySender } = deps
  const { tenantId, uuid } = garment
  const isAgain = garment.endedAt !== null
  const isComplete = ending.status === 'complete'
  const unchanged = whenUnchanged(garment)
  const searched = searchColumns({ result: null, ...ending, ...garment })
  const options = { ending, searched, turnLimit: turnLimit(garment.waitedMs) }
  const files = isAgain || isComplete ? [] : fileIdsOf(parsePictures(garment))
  const statements = {
    file: markUnreferenced(tenantId, files, unchanged, nowMs),
    copies: isAgain && isComplete ? exchangeCopies(db, garment, copiesOf(garment, ending), nowMs) : [],
    ...endStatements(db, garment, options, nowMs),
  }
  const isNotified = !isAgain || (isComplete && hasOtherType(parseCorrections(garment.corrections)))
  const event = isAgain ? 'tagging.corrected' : isComplete ? 'tagging.completed' : 'tagging.failed'
  const occurrence = { event, tenantId, garmentUuid: uuid, when: unchanged } as const
  const delivery = isNotified ? startDeliveries(db, occurrence, nowMs) : undefined
  const { started, turns } = await runBatch(db, { started: delivery?.statements ?? [], ...statements })
  await Promise.all([
    ...(delivery?.messagesOf(started) ?? []).map(async (message) => await enqueue(deliverySender, message)),
    enqueueAll(taggingQueue, turns),
  ])
}

const copiesOf = (garment: TaggedGarment, ending: Ending) => ({
  former: parsePictures(garment).map(({ copyId }) => copyId),
  used: ending.pictures.flatMap(({ copyId }) => copyId ?? []),
})

const hasOtherType = ({ tag: { 'Item Type': type } }: Corrections) => type?.value !== type?.machine
