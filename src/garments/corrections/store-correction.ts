import { and, eq, exists, isNull, sql, type SQL } from 'drizzle-orm'
import { type Actor, recordEntry } from '../../accounts/audit.ts'
import { type Database, runBatch } from '../../platform/db/database.ts'
import { tenantDatabase } from '../../platform/db/databases.ts'
import { garments } from '../../platform/db/schema.ts'
import { doubtOf, storedColumns } from '../review/doubt.ts'
import { fileIdsOf } from '../pictures/images.ts'
import { unmarkUnreferenced } from '../pictures/uploaded-file.ts'
import { backlogStart, turnBatchId, messagesOfTurns, returnTurnStatement, type TaggingMessage } from '../turns.ts'
import type { GarmentRow } from '../garment.ts'
import { enqueue, enqueueAll } from '../../platform/queue/enqueue.ts'
import { addStored, type Quotas, quotasOf, subtractStored, withinQuotas } from '../../accounts/quotas.ts'
import { countOutcomes } from '../review/review-outcomes.ts'
import { searchColumns } from '../list/garment-text.ts'
import { settingsOf } from '../../settings.ts'
import type { DeliveryMessage } from '../../events/delivery.ts'
import { renameDeliveries, startDeliveries } from '../../events/transitions.ts'
import { parseCorrections } from './correction.ts'

export interface CorrectionDeps {
  readonly db: Database
  readonly taggingQueue: Queue<TaggingMessage>
  readonly webhookQueue: Queue<DeliveryMessage>
  readonly quotas: Quotas
}

export const correctionDeps = (
  env: Pick<Env, 'DB' | 'TAGGING_QUEUE' | 'WEBHOOK_QUEUE'>,
  tenantId: string,
): CorrectionDeps => ({
  db: tenantDatabase(env, tenantId),
  taggingQueue: env.TAGGING_QUEUE,
  webhookQueue: env.WEBHOOK_QUEUE,
  quotas: quotasOf(settingsOf(env), Date.now()),
})

/** The columns of a garment that a correction changes. */
export type CorrectedGarment = Pick<GarmentRow, 'corrections' | 'attribute' | 'attributeChanges'> & {
  /** Whether its picture is to be tagged again: before all that wait, or after them. */
  readonly retag: 'first' | 'last' | undefined
  /** Who changed which attributes, for the audit log. */
  readonly logged: { readonly by: Actor; readonly subject: string } | undefined
  readonly isReview: boolean
}

const octets = (text: string) => new TextEncoder().encode(text).length

/**
 * Stores and counts a correction, with a delivery for each endpoint that subscribes to corrections. A garment that had
 * failed becomes complete, without an annotated picture. Returns false if the garment has changed since it was read, so
 * that no correction is lost. Throws 413 if longer attributes exceed the tenant's quota.
 */
export async function storeCorrection(
  { db, taggingQueue, webhookQueue, quotas }: CorrectionDeps,
  garment: GarmentRow,
  { retag, logged, isReview, corrections, ...content }: CorrectedGarment,
  nowMs: number,
): Promise<boolean> {
  const { tenantId, uuid } = garment
  const hasNewAttribute = content.attribute !== garment.attribute
  const isUnchanged = and(
    eq(garments.tenantId, tenantId),
    eq(garments.uuid, uuid),
    eq(garments.pictureId, garment.pictureId),
    eq(garments.status, garment.status),
    garment.corrections === null ? isNull(garments.corrections) : eq(garments.corrections, garment.corrections),
    // A run that has begun since would restore the former attributes.
    ...(hasNewAttribute
      ? [
          eq(garments.attribute, garment.attribute),
          garment.dueAt === null ? isNull(garments.dueAt) : eq(garments.dueAt, garment.dueAt),
          // Two changes may have restored the same value.
          sql`${garments.attributeChanges} IS ${garment.attributeChanges}`,
        ]
      : []),
  )
  const unchanged = exists(
    db
      .select({ one: sql`1` })
      .from(garments)
      .where(isUnchanged),
  )
  const started = { tenantId, garmentUuid: uuid, when: unchanged }
  const correction = startDeliveries(db, { event: 'tagging.corrected', ...started }, nowMs)
  const review = startDeliveries(db, { event: 'garment.reviewed', ...started }, nowMs)
  const renamed = renameDeliveries(db, { tenantId, garmentUuid: uuid, when: unchanged }, nowMs)
  const [before, after] = [parseCorrections(garment.corrections), parseCorrections(corrections)]
  // Ends the claim of a run in progress.
  const run = { tries: 0, claimId: null, leaseUntil: null, dueAt: backlogStart + (retag === 'last' ? nowMs : 0) }
  const isDescribed = garment.status === 'failed'
  const described = { ...(isDescribed && { status: 'complete' as const }) }
  const changes = {
    corrections,
    doubt: doubtOf(tenantId, { ...storedColumns, corrections }),
    ...(hasNewAttribute ? content : {}),
    ...described,
    ...(retag && run),
    ...searchColumns({ ...garment, ...content, ...described, corrections }),
  }
  const added = octets(content.attribute) - octets(garment.attribute)
  const { corrected, reviewed, stored, turns } = await withinQuotas({ db, tenantId }, quotas, async () =>
    runBatch(db, {
      described: isDescribed ? [unmarkUnreferenced(tenantId, fileIdsOf(garment), unchanged), ...renamed] : [],
      text: countText(tenantId, added, quotas, unchanged),
      entry: logged === undefined ? [] : logChange(db, tenantId, logged, nowMs, unchanged),
      outcomes: countOutcomes(db, tenantId, { before, after, condition: unchanged }),
      corrected: [correction.eraseFormer, correction.statement],
      reviewed: isReview ? ([review.eraseFormer, review.statement] as const) : ([] as const),
      stored: db.update(garments).set(changes).where(isUnchanged),
      turns: retag === undefined ? [] : [returnTurnStatement(garment, nowMs)],
    }),
  )
  for (const message of [...correction.messagesOf(corrected), ...review.messagesOf(reviewed)])
    await enqueue(webhookQueue, message)
  await enqueueAll(taggingQueue, messagesOfTurns(tenantId, turns?.[0]?.turns, turnBatchId(nowMs)))
  return stored.meta.changes === 1
}

const logChange = (
  db: Database,
  tenantId: string,
  { by, subject }: NonNullable<CorrectedGarment['logged']>,
  at: number,
  condition: SQL,
) => recordEntry(db, { holderId: tenantId, action: 'garment.changed', subject }, { by, at }, condition)

function countText(tenantId: string, added: number, quotas: Quotas, condition: SQL): SQL[] {
  if (added > 0) return [addStored(tenantId, { text_bytes: added }, quotas, condition)]
  if (added === 0) return []
  return [
    subtractStored(['text_bytes'], sql`SELECT ${tenantId} AS tenant_id, ${-added} AS text_bytes WHERE ${condition}`),
  ]
}
