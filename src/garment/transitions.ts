import { and, eq, exists, isNotNull, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { garments } from '../db/schema.ts'
import { queueGraceMs } from '../queue/enqueue.ts'
import { countGarment } from '../usage/count-garment.ts'
import { doubtOf, storedColumns } from './doubt.ts'
import type { GarmentRow } from './to-garment-response.ts'
import { passTurn, setTurns } from './turns/turns.ts'

/**
 * The garment's state machine: every write of a garment's state is a statement of this file.
 *
 *   upload    nothing or failed -> queuing (in upload-garment.ts; of many at once in import/run/garment-statements.ts)
 *   claim     queuing -> processing, for one run, which counts as a try
 *   release   queuing or processing -> queuing, due again later
 *   end       queuing or processing -> complete or failed
 *   sweep     overdue -> queuing (in maintenance/sweep-statements.ts)
 *   retag     complete, to be tagged again: it stays complete until its result is replaced (also by a change of its
 *             attributes, item type or lines, in correction/store-correction.ts)
 *   describe  failed -> complete, by a person (in correction/store-correction.ts)
 *   delete    any state -> nothing (in deletion/remove-statements.ts)
 *
 * `dueAt` is set exactly while there is work to do on a garment (`turns/turns.ts`). `tenant_counters` counts those
 * that have not ended, in the batch that changes their state.
 */

/** Longer than the longest run, which claims once the picture is fetched. */
const leaseMs = 120_000

/** A garment as it was read. A write does nothing if another run or another upload has changed the garment since. */
export type ExpectedGarment = Pick<GarmentRow, 'tenantId' | 'uuid' | 'pictureId' | 'claimId' | 'tries'>

export type Ending =
  | {
      readonly status: 'complete'
      /** Under which its annotated picture was stored. */
      readonly pictureId: string
      readonly tag: object
      readonly measurements: object
      readonly description: string
      readonly details: object
    }
  | { readonly status: 'failed'; readonly failureReason: string }

/**
 * Claims a queuing garment for one run, unless its attributes, its corrected item type or its corrected lines have
 * changed since it was read. Safe to repeat with the same `claimId`, should the answer have been lost.
 */
export function claimStatement(
  db: Database,
  garment: ExpectedGarment & Pick<GarmentRow, 'attribute' | 'corrections'>,
  claimId: string,
  nowMs: number,
) {
  const tries = garment.tries + 1
  const isOurs = and(eq(garments.claimId, claimId), eq(garments.tries, tries))
  return db
    .update(garments)
    .set({ status: unlessEnded('processing'), tries, claimId, leaseUntil: nowMs + leaseMs })
    .where(
      and(
        sameGarment(garment),
        eq(garments.attribute, garment.attribute),
        sql`${correctedType(garments.corrections)} IS ${correctedType(garment.corrections)}`,
        sql`${correctedLines(garments.corrections)} IS ${correctedLines(garment.corrections)}`,
        sql`(${isUnchanged(garment)} OR ${isOurs})`,
      ),
    )
    .returning({ tries: garments.tries })
}

export interface Release {
  readonly tries: number
  /** When the sweep assumes that the message of the next try was lost. */
  readonly dueAt: number
  /** Why the try failed, as `storeRetry` gives it; the former one stays if absent. */
  readonly retry?: string
}

/** Releases a garment for another try. One that is tagged again shows nothing of it: its result stays. */
export function releaseStatement(db: Database, garment: ExpectedGarment, { tries, dueAt, retry }: Release) {
  const reason = retry === undefined ? undefined : sql`iif(${garments.endedAt} IS NULL, ${retry}, failure_reason)`
  return db
    .update(garments)
    .set({
      status: unlessEnded('queuing'),
      claimId: null,
      leaseUntil: null,
      tries,
      dueAt,
      ...(reason && { failureReason: reason }),
    })
    .where(and(sameGarment(garment), isUnchanged(garment)))
}

/**
 * Ends a garment, counts it and gives its turn to the next of its tenant, which has `turnLimit` turns at most. The
 * statements stand last in their batch, after those that depend on `whenUnchanged`. The second one returns the turns.
 * They may be repeated, should the answer have been lost.
 */
export function endStatements(
  db: Database,
  garment: ExpectedGarment,
  { ending, turnLimit }: { readonly ending: Ending; readonly turnLimit: number },
  nowMs: number,
) {
  const { tenantId } = garment
  const result =
    ending.status === 'complete'
      ? resultColumns(tenantId, ending)
      : { ...ending, tag: null, measurements: null, description: '', details: null, doubt: 0 }
  return [
    ...countGarment(
      db,
      {
        tenantId,
        status: ending.status,
        condition: whenUnchanged(db, garment),
        turns: passTurn(garment, turnLimit, nowMs),
      },
      nowMs,
    ),
    db
      .update(garments)
      .set({ ...result, claimId: null, leaseUntil: null, dueAt: null, endedAt: nowMs })
      .where(and(sameGarment(garment), isUnchanged(garment))),
  ] as const
}

/** The columns of a result. */
function resultColumns(tenantId: string, ending: Extract<Ending, { readonly status: 'complete' }>) {
  const predicted = { tag: JSON.stringify(ending.tag), details: JSON.stringify(ending.details) }
  return { ...ending, failureReason: '', doubt: doubtOf(tenantId, { ...storedColumns, ...predicted }) }
}

/** Marks complete garments to be tagged again. Their results stay until they are replaced. */
export function retagStatement(
  db: Database,
  found: readonly Pick<GarmentRow, 'tenantId' | 'uuid' | 'pictureId'>[],
  nowMs: number,
) {
  // One parameter for all of them, because a statement has at most 100.
  const keys = JSON.stringify(found.map(({ tenantId, uuid, pictureId }) => [tenantId, uuid, pictureId]))
  return db
    .update(garments)
    .set({ tries: 0, dueAt: nowMs + queueGraceMs })
    .where(
      sql`(tenant_id, uuid, picture_id) IN (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${keys}))
        AND status = 'complete' AND due_at IS NULL`,
    )
}

/**
 * Replaces the result of a garment that was tagged again, or leaves it as it is if tagging failed, and gives its turn
 * to the next. As `endStatements` otherwise, but that the first one returns the turns.
 */
export function endRetagStatements(
  db: Database,
  garment: ExpectedGarment,
  { ending, turnLimit }: { readonly ending: Ending; readonly turnLimit: number },
  nowMs: number,
) {
  return [
    setTurns(db, passTurn(garment, turnLimit, nowMs), garment.tenantId, whenUnchanged(db, garment)),
    db
      .update(garments)
      .set({
        ...(ending.status === 'complete' ? resultColumns(garment.tenantId, ending) : {}),
        claimId: null,
        leaseUntil: null,
        dueAt: null,
      })
      .where(and(sameGarment(garment), isUnchanged(garment))),
  ] as const
}

/** The condition for statements on other tables that are to take effect only if the garment's own write does. */
export function whenUnchanged(db: Database, garment: ExpectedGarment): SQL {
  return exists(
    db
      .select({ one: sql`1` })
      .from(garments)
      .where(and(sameGarment(garment), isUnchanged(garment))),
  )
}

const correctedType = (corrections: SQLWrapper | string | null) => sql`${corrections} ->> '$.tag."Item Type".value'`

const correctedLines = (corrections: SQLWrapper | string | null) => sql`${corrections} -> '$.lines'`

const unlessEnded = (status: GarmentRow['status']) =>
  sql<GarmentRow['status']>`iif(${garments.endedAt} IS NULL, ${status}, ${garments.status})`

const sameGarment = ({ tenantId, uuid }: { readonly tenantId: string; readonly uuid: string }) =>
  and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid))

const isUnchanged = ({ pictureId, claimId, tries }: ExpectedGarment) =>
  and(
    eq(garments.pictureId, pictureId),
    isNotNull(garments.dueAt),
    eq(garments.tries, tries),
    claimId === null ? isNull(garments.claimId) : eq(garments.claimId, claimId),
  )
