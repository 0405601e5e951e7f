import { and, eq, lt, type SQL, sql } from 'drizzle-orm'
import { ApiError } from '../platform/http/errors.ts'
import { type Actor, recordEntry } from '../accounts/audit.ts'
import { type Database, hasRow, runBatch } from '../platform/db/database.ts'
import { deliveries, garments } from '../platform/db/schema.ts'
import { copyKeys } from './pictures/stored-copy.ts'
import type { TaggingMessage } from './turns.ts'
import { removeFile } from './pictures/uploaded-file.ts'
import { fileIdsOf, parsePictures } from './pictures/garment-picture.ts'
import { log } from '../log.ts'
import { enqueueAll } from '../platform/queue/enqueue.ts'
import { dayMs } from '../time.ts'
import { startDeliveries } from '../events/delivery-transitions.ts'
import { addToDailyCount, dailyCount } from '../platform/db/daily-counts.ts'
import { removeDeliveries } from '../events/remove-deliveries.ts'
import { type DeliveryMessage, isToAnyEndpoint } from '../events/delivery.ts'
import { tryToRecordDeletion } from '../platform/deletions.ts'
import { binDays } from './bin.ts'
import { changeGarment } from './corrections/correct-garment.ts'
import { binStatements, type RemovedGarment, removeStatements } from './transitions.ts'

interface DeletionDeps {
  readonly db: Database
  readonly pictures: R2Bucket
  readonly taggingQueue: Queue<TaggingMessage>
  readonly webhookQueue: Queue<DeliveryMessage>
}

/** Limits these deliveries, because they outlive their garments and so count against no quota. */
const maxDeletionDeliveriesPerDay = 20_000

/**
 * Deletes a garment in any state with everything that belongs to it. A run that is tagging it writes nothing
 * afterwards. Throws 404. Runs at most 18 queries.
 */
export async function deleteGarment(
  deps: DeletionDeps,
  tenantId: string,
  uuid: string,
  nowMs: number,
  by: Actor,
): Promise<void> {
  const { db } = deps
  const leave = leaveStatements(db, { tenantId, uuid, action: 'garment.deleted' }, nowMs, by)
  const removal = removeStatements(db, tenantId, uuid, nowMs)
  const { started, turns, removed } = await runBatch(db, { ...leave.statements, ...removal })
  await send(deps, turns, leave.messagesOf(started))
  const [garment] = removed
  if (garment === undefined) throw new ApiError('garment_not_found')
  await tryToRecordDeletion(deps.pictures, { kind: 'garment', tenantId, uuid }, nowMs)
  await removeStored(deps, tenantId, garment)
}

/** Moves a garment in any state to the bin. It keeps its pictures, its uuid and its share of the quotas. Throws 404. */
export async function binGarment(
  deps: Omit<DeletionDeps, 'pictures'>,
  tenantId: string,
  uuid: string,
  nowMs: number,
  by: Actor,
): Promise<void> {
  const { db } = deps
  await changeGarment(db, tenantId, { uuid }, async (garment) => {
    const { revision } = garment
    const leave = leaveStatements(db, { tenantId, uuid, revision, action: 'garment.binned' }, nowMs, by)
    const move = binStatements(db, garment, nowMs + binDays * dayMs, nowMs)
    const { started, turns, removed } = await runBatch(db, { ...leave.statements, ...move })
    await send(deps, turns, leave.messagesOf(started))
    return removed[0]
  })
}

interface Leaving {
  readonly tenantId: string
  readonly uuid: string
  /** If given, nothing happens unless the garment has this revision. */
  readonly revision?: string
  readonly action: 'garment.deleted' | 'garment.binned'
}

/** The statements for other tables when a garment is deleted or binned. They precede those for `garments`. */
function leaveStatements(db: Database, { tenantId, uuid, revision, action }: Leaving, nowMs: number, by: Actor) {
  const isExpected = revision === undefined ? undefined : eq(garments.revision, revision)
  const exists = hasRow(garments, and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid), isExpected))
  const when = sql`${exists} AND ${hasDeliveriesLeft(tenantId, nowMs)}`
  const delivery = startDeliveries(db, { event: 'garment.deleted', tenantId, garmentUuid: uuid, when }, nowMs)
  const isStarted = and(isToAnyEndpoint(tenantId, uuid, 'deletion'), eq(deliveries.createdAt, nowMs), exists)
  return {
    messagesOf: delivery.messagesOf,
    statements: {
      started: delivery.statements,
      deletions: addToDailyCount(db, tenantId, 'deletion', db.$count(deliveries, isStarted), nowMs),
      entry: recordEntry(db, { holderId: tenantId, action, subject: uuid }, { by, at: nowMs }, exists),
      deliveries: removeDeliveries(db, { tenantId, garmentUuid: uuid, when: exists }, nowMs),
    },
  }
}

const send = async (
  { taggingQueue, webhookQueue }: Pick<DeletionDeps, 'taggingQueue' | 'webhookQueue'>,
  turns: readonly TaggingMessage[],
  messages: readonly DeliveryMessage[],
) => await Promise.all([enqueueAll(taggingQueue, turns), enqueueAll(webhookQueue, messages)])

const hasDeliveriesLeft = (tenantId: string, nowMs: number): SQL =>
  lt(dailyCount(tenantId, 'deletion', nowMs), maxDeletionDeliveriesPerDay)

/** If this fails, the sweep removes the rest. */
async function removeStored(
  { db, pictures }: Pick<DeletionDeps, 'db' | 'pictures'>,
  tenantId: string,
  removed: RemovedGarment,
): Promise<void> {
  const all = parsePictures(removed)
  for (const id of fileIdsOf(all)) await removeFile({ db, pictures }, tenantId, id)
  try {
    await pictures.delete(all.flatMap(({ copyId }) => copyKeys(tenantId, copyId)))
  } catch (error) {
    log('warn', 'picture of a deleted garment not removed', { tenant: tenantId, error })
  }
}
