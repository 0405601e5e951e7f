import { type Actor, recordEntry } from '../../accounts/audit.ts'
import { type Database, runBatch } from '../../platform/db/database.ts'
import { type CorrectedColumns, correctStatement } from '../transitions.ts'
import { fileIdsOf, parsePictures } from '../pictures/garment-picture.ts'
import { unmarkUnreferenced } from '../pictures/uploaded-file.ts'
import { minTurns, startTurns, type TaggingMessage } from '../turns.ts'
import type { GarmentRow } from '../garment.ts'
import { enqueue, enqueueAll } from '../../platform/queue/enqueue.ts'
import { countBytes, type Quotas, quotasOf, withinQuotas } from '../../accounts/quotas.ts'
import { countOutcomes } from '../review/review-outcomes.ts'
import { settingsOf } from '../../settings.ts'
import type { DeliveryMessage } from '../../events/delivery.ts'
import { renameDeliveries, startDeliveries } from '../../events/delivery-transitions.ts'
import { parseCorrections } from './correction.ts'

export interface CorrectionDeps {
  readonly db: Database
  readonly taggingQueue: Queue<TaggingMessage>
  readonly webhookQueue: Queue<DeliveryMessage>
  readonly quotas: Quotas
}

interface CorrectionSource {
  readonly env: Pick<Env, 'TAGGING_QUEUE' | 'WEBHOOK_QUEUE'>
  readonly db: Database
}

export const correctionDeps = ({ env, db }: CorrectionSource): CorrectionDeps => ({
  db,
  taggingQueue: env.TAGGING_QUEUE,
  webhookQueue: env.WEBHOOK_QUEUE,
  quotas: quotasOf(settingsOf(env), Date.now()),
})

export type CorrectedGarment = CorrectedColumns & {
  readonly logged:
    | { readonly by: Actor; readonly action: 'garment.changed' | 'garment.corrected'; readonly subject: string }
    | undefined
  readonly isReview: boolean
  readonly hasNewStage: boolean
}

/** Returns false if the garment has changed since it was read. Throws 413 if longer attributes exceed the quota. */
export async function storeCorrection(
  { db, taggingQueue, webhookQueue, quotas }: CorrectionDeps,
  garment: GarmentRow,
  { retag, logged, isReview, hasNewStage, corrections, ...content }: CorrectedGarment,
  nowMs: number,
): Promise<boolean> {
  const { tenantId, uuid } = garment
  const changed = { retag, corrections, ...content }
  const { unchanged, addedBytes, stored: correct } = correctStatement(db, garment, changed, nowMs)
  const started = { tenantId, garmentUuid: uuid, when: unchanged }
  const correction = startDeliveries(db, { event: 'tagging.corrected', ...started }, nowMs)
  const review = startDeliveries(db, { event: 'garment.reviewed', ...started }, nowMs)
  const stage = startDeliveries(db, { event: 'garment.stage_changed', ...started }, nowMs)
  const renamed = renameDeliveries(db, { tenantId, garmentUuid: uuid, when: unchanged }, nowMs)
  const [before, after] = [parseCorrections(garment.corrections), parseCorrections(corrections)]
  const isDescribed = garment.status === 'failed'
  const entry = logged
    ? recordEntry(db, { holderId: tenantId, ...logged }, { by: logged.by, at: nowMs }, unchanged)
    : []
  const { corrected, reviewed, staged, stored, turns } = await withinQuotas({ db, tenantId }, quotas, async () =>
    runBatch(db, {
      described: isDescribed
        ? [unmarkUnreferenced(tenantId, JSON.stringify(fileIdsOf(parsePictures(garment))), unchanged), renamed]
        : [],
      bytes: countBytes(tenantId, addedBytes, quotas, unchanged),
      entry,
      outcomes: countOutcomes(db, tenantId, { before, after, condition: unchanged }),
      corrected: correction.statements,
      staged: hasNewStage ? stage.statements : [],
      reviewed: isReview ? review.statements : [],
      stored: correct,
      turns: retag === undefined ? [] : [startTurns(db, tenantId, minTurns, nowMs)],
    }),
  )
  const messages = [...correction.messagesOf(corrected), ...review.messagesOf(reviewed), ...stage.messagesOf(staged)]
  for (const message of messages) await enqueue(webhookQueue, message)
  await enqueueAll(taggingQueue, turns ?? [])
  return stored.meta.changes === 1
}
