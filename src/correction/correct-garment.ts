import { and, eq, exists, isNull, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { garments } from '../db/schema.ts'
import { getGarment } from '../garment/get-garment.ts'
import { garmentVersion, matchesVersion, machineResult, type GarmentRow } from '../garment/to-garment-response.ts'
import { enqueue } from '../queue/enqueue.ts'
import { countOutcomes } from '../review/count-outcomes.ts'
import type { DeliveryMessage } from '../webhook/delivery/message.ts'
import { startDeliveries } from '../webhook/delivery/transitions.ts'
import { garmentChanged, garmentNotComplete, invalidCorrection, staleGarment } from './errors.ts'
import { correctionProblems, type CorrectionPatch } from './rules/check-corrections.ts'
import { formatCorrections, parseCorrections, type Corrector } from './rules/correction.ts'
import { mergeCorrections } from './rules/merge-corrections.ts'

/** Concurrent corrections of one garment are rare, so this many conflicts in a row do not happen. */
const maxTries = 5

interface CorrectionDeps {
  readonly db: Database
  readonly webhookQueue: Queue<DeliveryMessage>
}

interface Correction {
  readonly uuid: string
  readonly patch: CorrectionPatch
  readonly by: Corrector
  /** An `If-Match` header: the versions of the garment that may be changed. */
  readonly ifMatch?: string | undefined
}

/**
 * Corrects or confirms values of a complete garment and returns the garment as it is then. The predicted values are
 * kept. Throws 404, 412 if its version is none of `ifMatch`, 409 while the garment is not complete, and 400 that names
 * each wrong key.
 */
export async function correctGarment(
  deps: CorrectionDeps,
  tenantId: string,
  { uuid, patch, by, ifMatch }: Correction,
  nowMs: number,
): Promise<GarmentRow> {
  for (let tries = 0; tries < maxTries; tries++) {
    const garment = await getGarment(deps.db, tenantId, uuid)
    if (ifMatch !== undefined && !matchesVersion(ifMatch, await garmentVersion(garment))) throw staleGarment()
    const corrections = correctionsAfter(garment, patch, { by, at: nowMs })
    if (corrections === garment.corrections || (await storeCorrections(deps, garment, corrections, nowMs)))
      return { ...garment, corrections }
  }
  throw garmentChanged()
}

function correctionsAfter(garment: GarmentRow, patch: CorrectionPatch, made: { by: Corrector; at: number }) {
  if (garment.status !== 'complete') throw garmentNotComplete(garment.status)
  const machine = machineResult(garment)
  const current = parseCorrections(garment.corrections)
  const problems = correctionProblems(machine, current, patch)
  if (problems.length > 0) throw invalidCorrection(problems)
  return formatCorrections(mergeCorrections(machine, current, patch, made))
}

/**
 * Stores and counts the corrections, with a delivery for each endpoint that asks for those. False if the
 * garment or its corrections have changed since they were read, so that no correction is lost.
 */
async function storeCorrections(
  { db, webhookQueue }: CorrectionDeps,
  garment: GarmentRow,
  corrections: string | null,
  nowMs: number,
): Promise<boolean> {
  const { tenantId, uuid } = garment
  const isUnchanged = and(
    eq(garments.tenantId, tenantId),
    eq(garments.uuid, uuid),
    eq(garments.pictureId, garment.pictureId),
    eq(garments.status, 'complete'),
    garment.corrections === null ? isNull(garments.corrections) : eq(garments.corrections, garment.corrections),
  )
  const unchanged = exists(
    db
      .select({ one: sql`1` })
      .from(garments)
      .where(isUnchanged),
  )
  const event = 'tagging.corrected'
  const delivery = startDeliveries(db, { event, tenantId, garmentUuid: uuid, when: unchanged }, nowMs)
  const [before, after] = [parseCorrections(garment.corrections), parseCorrections(corrections)]
  const [, started, , stored] = await db.batch([
    delivery.eraseFormer,
    delivery.statement,
    countOutcomes(db, tenantId, { before, after, condition: unchanged }),
    db.update(garments).set({ corrections }).where(isUnchanged),
  ])
  for (const message of delivery.messagesOf(started)) await enqueue(webhookQueue, message)
  return stored.meta.changes === 1
}
