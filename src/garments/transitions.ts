import {
  and,
  count,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  not,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm'
import { type Database, hasRow, hasValue, inRows, list, plus, selectValues } from '../platform/db/database.ts'
import {
  binnedGarments,
  garments,
  tenantCounters,
  pictures,
  tenantState,
  unreferencedFiles,
  unusedCopies,
} from '../platform/db/schema.ts'
import { minuteMs } from '../time.ts'
import { queueGraceMs } from '../platform/queue/enqueue.ts'
import { hideStatement } from './pictures/hide-pictures.ts'
import { searchColumns } from './list/garment-text.ts'
import { findSame, hashColumns } from './duplicates.ts'
import { doubtOf, isDoubtful, storedColumns } from './review/doubt.ts'
import type { GarmentRow } from './garment.ts'
import { isActive, minTurns, startTurns } from './turns.ts'
import { type PictureResult, selectPictures } from './pictures/garment-picture.ts'
import { addCropBytes, subtractRows, textBytesOf } from '../platform/db/count-rows.ts'
import { addToDailyCount } from '../platform/db/daily-counts.ts'
import type { PictureHash } from '../vision/picture-hash.ts'

/**
 * The garment's state machine. Every statement that writes a row of `garments` is in this file or in `turns.ts`.
 *
 *   upload    nothing or failed -> queuing
 *   claim     queuing -> processing, for one run, which counts as a try
 *   release   queuing or processing -> queuing, due again later
 *   end       queuing or processing -> complete or failed
 *   sweep     overdue -> queuing
 *   renew     any state -> queuing, with other pictures
 *   retag     complete -> complete, tagged again in the background; the result stays until the new one replaces it
 *   correct   failed -> complete; complete -> complete, with other corrections or attributes
 *   bin       any state -> the bin
 *   restore   the bin -> the former state, or queuing instead of processing
 *   remove    any state or the bin -> nothing
 *
 * `queuedAt` and `dueAt` say what is left to do on a garment (`turns.ts`). `tenant_counters` counts the garments that
 * have not ended, in the batch that changes their state.
 */

interface EndedGarment {
  readonly tenantId: string
  readonly status: 'complete' | 'failed'
  readonly condition: SQL
}

/** Counts a garment as ended and no longer waiting, if the condition holds. Must precede the statement that ends it. */
export const countGarment = (db: Database, { tenantId, status, condition }: EndedGarment, nowMs: number) =>
  [addToDailyCount(db, tenantId, status, condition, nowMs), stopWaiting(db, tenantId, condition)] as const

const stopWaiting = (db: Database, tenantId: string, condition: SQL) =>
  db
    .update(tenantCounters)
    .set({ waiting: sql`max(${tenantCounters.waiting} - 1, 0)` })
    .where(and(eq(tenantCounters.tenantId, tenantId), condition))

/** Longer than the longest run, which claims after the download of the picture. */
export const leaseMs = 120_000

/** A garment as it was read. A write does nothing if another run or upload has changed the garment since. */
export type ExpectedGarment = Pick<
  GarmentRow,
  'tenantId' | 'uuid' | 'revision' | 'claimId' | 'tries' | 'endedAt' | 'cropBytes'
>

/** `copyId` is set if the garment was tagged again. */
export type StoredPictureResult = PictureResult & { readonly copyId?: string }

export type Ending =
  | {
      readonly status: 'complete'
      /** A new revision if the garment was tagged again. */
      readonly revision: string
      readonly result: string
      readonly hash: PictureHash
      readonly pictures: readonly StoredPictureResult[]
      readonly cropBytes: number
    }
  | {
      readonly status: 'failed'
      readonly failure: string
      readonly pictures: readonly StoredPictureResult[]
    }

/** Claims a queuing garment for one run, unless it has changed since. Safe to repeat with the same `claimId`. */
export function claimStatement(
  db: Database,
  garment: ExpectedGarment & Pick<GarmentRow, 'attribute' | 'corrections'>,
  claimId: string,
  nowMs: number,
) {
  const tries = garment.tries + 1
  const isClaimedByThisRun = and(eq(garments.claimId, claimId), eq(garments.tries, tries))
  return db
    .update(garments)
    .set({ ...unlessEnded(garment, 'processing'), tries, claimId, leaseUntil: nowMs + leaseMs })
    .where(
      and(
        isGarment(garment),
        eq(garments.attribute, garment.attribute),
        hasValue(garments.corrections, garment.corrections),
        or(isUnchanged(garment), isClaimedByThisRun),
      ),
    )
    .returning({ tries: garments.tries })
}

/** Makes a garment due at once, for the first sweep after a pause. */
export const makeDueStatement = (db: Database, garment: ExpectedGarment, nowMs: number) =>
  db
    .update(garments)
    .set({ dueAt: nowMs })
    .where(and(isGarment(garment), isUnchanged(garment), gt(garments.dueAt, nowMs)))

export interface Release {
  readonly tries: number
  /** When the sweep assumes that the message of the next try was lost. */
  readonly dueAt: number
  /** Why the try failed, as `storeRetry` returns it. If absent, the previous reason stays. */
  readonly retry?: string
}

/** A failed try ends the garment's turn. A garment that is tagged again keeps its result and shows no reason. */
export const releaseStatement = (db: Database, garment: ExpectedGarment, { tries, dueAt, retry }: Release) =>
  db
    .update(garments)
    .set({
      ...unlessEnded(garment, 'queuing'),
      claimId: null,
      leaseUntil: null,
      tries,
      dueAt,
      ...(retry !== undefined && { queuedAt: null }),
      ...(retry !== undefined && garment.endedAt === null && { failure: retry }),
    })
    .where(and(isGarment(garment), isUnchanged(garment)))

/** A garment that has ended keeps its status while it is tagged again. */
const unlessEnded = ({ endedAt }: ExpectedGarment, status: GarmentRow['status']) => (endedAt === null ? { status } : {})

interface EndOptions {
  readonly ending: Ending
  readonly searched: ReturnType<typeof searchColumns>
  readonly turnLimit: number
}

/**
 * Ends a garment, counts it and starts the tenant's next turns. A garment that was tagged again is not counted, and
 * keeps its result if tagging failed. Statements that depend on `whenUnchanged` must precede these. Safe to repeat.
 */
export function endStatements(
  db: Database,
  garment: ExpectedGarment,
  { ending, searched, turnLimit }: EndOptions,
  nowMs: number,
) {
  const { tenantId } = garment
  const { status } = ending
  const isAgain = garment.endedAt !== null
  const result =
    status === 'complete' ? resultColumns(garment, ending) : { status, failure: ending.failure, result: null, doubt: 0 }
  const addedCropBytes = status === 'complete' ? ending.cropBytes - garment.cropBytes : 0
  const resultAgain = status === 'complete' ? { ...result, searchText: searched.searchText } : {}
  return {
    counted: isAgain ? [] : countGarment(db, { tenantId, status, condition: whenUnchanged(garment) }, nowMs),
    crops: addedCropBytes === 0 ? [] : [addCropBytes(tenantId, addedCropBytes, whenUnchanged(garment))],
    pictures: isAgain && status === 'failed' ? [] : storePictureResults(db, garment, ending.pictures),
    ended: db
      .update(garments)
      .set({ ...(isAgain ? resultAgain : { ...result, ...searched, endedAt: nowMs }), ...nothingToDo })
      .where(and(isGarment(garment), isUnchanged(garment))),
    turns: startTurns(db, tenantId, turnLimit, nowMs),
  }
}

const nothingToDo = { claimId: null, leaseUntil: null, queuedAt: null, dueAt: null }

function resultColumns(
  { tenantId, uuid }: ExpectedGarment,
  { status, revision, result, hash, cropBytes }: Extract<Ending, { readonly status: 'complete' }>,
) {
  return {
    status,
    revision,
    result,
    cropBytes,
    failure: null,
    doubt: doubtOf(tenantId, { ...storedColumns, result }),
    ...hashColumns(hash),
    sameAs: findSame(tenantId, uuid, hash),
  }
}

const storePictureResults = (db: Database, garment: ExpectedGarment, results: readonly StoredPictureResult[]) =>
  results.map(({ id, ...columns }) =>
    db
      .update(pictures)
      .set(columns)
      .where(
        and(
          eq(pictures.tenantId, garment.tenantId),
          eq(pictures.garmentUuid, garment.uuid),
          eq(pictures.id, id),
          whenUnchanged(garment),
        ),
      ),
  )

/** Makes a garment queue again with other pictures, whatever its state. It keeps its attributes. */
export const renewStatement = (
  db: Database,
  columns: Pick<GarmentRow, 'revision' | 'rowBytes' | 'cropBytes' | 'corrections'>,
  condition: SQL | undefined,
  nowMs: number,
) =>
  db
    .update(garments)
    .set({
      ...columns,
      ...nothingToDo,
      pictureHash: null,
      pictureColours: null,
      sameAs: null,
      status: 'queuing',
      tries: 0,
      queuedAt: nowMs,
      endedAt: null,
      failure: null,
      result: null,
      doubt: 0,
      searchText: null,
      price: null,
    })
    .where(condition)

interface NewGarment extends Pick<GarmentRow, 'uuid' | 'attribute' | 'origin' | 'revision' | 'rowBytes'> {}

/** Creates a garment with the tenant's latest stock number, if the condition holds. */
export const createStatement = (
  tenantId: string,
  { uuid, attribute, origin, revision, rowBytes }: NewGarment,
  condition: SQL,
  nowMs: number,
) => sql`
  INSERT INTO ${garments}
    (tenant_id, uuid, number, attribute, row_bytes, origin, revision, status, queued_at, created_at)
  SELECT tenant_id, ${uuid}, last_number, ${attribute}, ${rowBytes}, ${origin}, ${revision}, 'queuing', ${nowMs}, ${nowMs}
  FROM ${tenantCounters} WHERE tenant_id = ${tenantId} AND ${condition}`

/** Changes a garment whose pictures were all moved to another garment. */
export const emptyStatement = (
  db: Database,
  columns: Pick<GarmentRow, 'revision' | 'rowBytes' | 'cropBytes'>,
  condition: SQL | undefined,
) => db.update(garments).set(columns).where(condition)

export function retagStatement(
  db: Database,
  found: readonly Pick<GarmentRow, 'tenantId' | 'uuid' | 'revision'>[],
  nowMs: number,
) {
  const keys = found.map(({ tenantId, uuid, revision }) => [tenantId, uuid, revision])
  return db
    .update(garments)
    .set({ tries: 0, dueAt: nowMs + queueGraceMs })
    .where(
      and(
        inRows(['tenant_id', 'uuid', 'revision'], keys),
        eq(garments.status, 'complete'),
        isNull(garments.queuedAt),
        isNull(garments.dueAt),
      ),
    )
}

/** Condition for statements on other tables, which must precede the statement that changes the garment. */
export const whenUnchanged = (garment: ExpectedGarment) =>
  hasRow(garments, and(isGarment(garment), isUnchanged(garment)))

const isGarment = ({ tenantId, uuid }: { readonly tenantId: string; readonly uuid: string }) =>
  and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid))

const isUnchanged = ({ revision, claimId, tries }: ExpectedGarment) =>
  and(eq(garments.revision, revision), isActive, eq(garments.tries, tries), hasValue(garments.claimId, claimId))

export type CorrectedColumns = Pick<GarmentRow, 'corrections' | 'attribute' | 'attributeChanges'> & {
  /** Set if the garment is to be tagged again: `first` by the time of its upload, `last` after all waiting garments. */
  readonly retag: 'first' | 'last' | undefined
}

const changedText = ({
  attribute,
  attributeChanges,
  corrections,
}: Pick<GarmentRow, 'attribute' | 'corrections'> & Partial<Pick<GarmentRow, 'attributeChanges'>>) =>
  attribute + (attributeChanges ?? '') + (corrections ?? '')

/** Stores a correction, unless the garment has changed since. Statements on other tables depend on `unchanged`. */
export function correctStatement(
  db: Database,
  garment: GarmentRow,
  { retag, corrections, ...content }: CorrectedColumns,
  nowMs: number,
) {
  const isUnchanged = and(
    isGarment(garment),
    eq(garments.revision, garment.revision),
    eq(garments.status, garment.status),
    eq(garments.attribute, garment.attribute),
    // The attributes may have been changed and changed back since.
    hasValue(garments.attributeChanges, garment.attributeChanges),
    hasValue(garments.corrections, garment.corrections),
    // A run that has begun since has read the former values.
    hasValue(garments.queuedAt, garment.queuedAt),
    hasValue(garments.dueAt, garment.dueAt),
  )
  const status: GarmentRow['status'] = garment.status === 'failed' ? 'complete' : garment.status
  // Ends the claim of a run in progress.
  const run = { ...nothingToDo, tries: 0, queuedAt: retag === 'last' ? nowMs : garment.createdAt }
  const addedBytes = textBytesOf(changedText({ ...content, corrections })) - textBytesOf(changedText(garment))
  const changes = {
    corrections,
    doubt: doubtOf(garment.tenantId, { ...storedColumns, corrections, attribute: content.attribute }),
    ...content,
    rowBytes: garment.rowBytes + addedBytes,
    ...(garment.status === 'failed' && { status }),
    ...(retag && run),
    ...searchColumns({ ...garment, ...content, status, corrections }),
  }
  return {
    unchanged: hasRow(garments, isUnchanged),
    addedBytes,
    stored: db.update(garments).set(changes).where(isUnchanged),
  }
}

/** Claims the garment that `uuid` selects for the review of a session, and returns its uuid. */
export const reviewStatement = (db: Database, tenantId: string, uuid: SQLWrapper, sessionId: string, untilMs: number) =>
  db
    .update(garments)
    .set({ reviewSession: sessionId, reviewUntil: untilMs })
    .where(and(eq(garments.tenantId, tenantId), inArray(garments.uuid, uuid)))
    .returning({ uuid: garments.uuid })

export const releaseReviewsStatement = (db: Database, tenantId: string, sessionId: string, limit: number) =>
  db
    .update(garments)
    .set({ reviewSession: null, reviewUntil: null })
    .where(
      and(
        eq(garments.tenantId, tenantId),
        inArray(
          garments.uuid,
          db
            .select({ uuid: garments.uuid })
            .from(garments)
            .where(and(eq(garments.tenantId, tenantId), isDoubtful, eq(garments.reviewSession, sessionId)))
            .limit(limit),
        ),
      ),
    )

export const updateDoubtStatement = (db: Database, tenantId: string, condition: SQL | undefined) =>
  db
    .update(garments)
    .set({ doubt: doubtOf(tenantId, storedColumns) })
    .where(and(eq(garments.tenantId, tenantId), condition))

/** Amounts to subtract from the quotas when garments are removed. */
export const garmentAmounts = {
  garments: count(),
  row_bytes: sql`sum(row_bytes)`,
  file_bytes: sql`sum(crop_bytes)`,
}

export const expireStatement = (db: Database, areRemoved: SQL) => db.delete(garments).where(areRemoved)

export function purgeStatement(
  db: Database,
  table: typeof garments | typeof binnedGarments,
  tenantId: string,
  limit: number,
) {
  const some = db.select({ uuid: table.uuid }).from(table).where(eq(table.tenantId, tenantId)).limit(limit)
  return db.delete(table).where(and(eq(table.tenantId, tenantId), inArray(table.uuid, some)))
}

/** Longer than any run. A run that has already begun may still store its picture. */
export const maxRunMs = 10 * minuteMs

export type RemovedGarment = Pick<GarmentRow, 'pictures'>

/** Moves a garment to the bin until `removeAt`, unless its revision has changed. Hides its pictures. */
export function binStatements(
  db: Database,
  garment: Pick<GarmentRow, 'tenantId' | 'uuid' | 'revision' | 'pictures'>,
  removeAt: number,
  nowMs: number,
) {
  const { tenantId, revision } = garment
  const isRemoved = and(isGarment(garment), eq(garments.revision, revision))
  const columns = selectValues(binnedGarments, { ...getTableColumns(garments), removeAt })
  return {
    counted: stopWaiting(db, tenantId, hasRow(garments, and(isRemoved, isNull(garments.endedAt)))),
    binned: db.insert(binnedGarments).select(db.select(columns).from(garments).where(isRemoved)),
    removed: db.delete(garments).where(isRemoved).returning({ uuid: garments.uuid }),
    hidden: hideStatement(db, garment),
    turns: startTurns(db, tenantId, minTurns, nowMs),
  }
}

/** `exported` lists `{uuid, first, latest}` as JSON. `first` fills missing keys of a record, `latest` replaces keys. */
export const recordExports = (tenantId: string, exported: string) => sql`
  UPDATE ${garments} SET exports = json_patch(
    json_patch(entry.value ->> 'first', coalesce(${garments}.exports, '{}')), entry.value ->> 'latest')
  FROM json_each(${exported}) AS entry
  WHERE tenant_id = ${tenantId} AND uuid = entry.value ->> 'uuid'
    AND uuid IN (SELECT value ->> 'uuid' FROM json_each(${exported}))`

/** Also true while the garment is being removed from the bin. */
export const isInBin = (tenantId: SQLWrapper | string, uuid: SQLWrapper | string) =>
  hasRow(binnedGarments, and(eq(binnedGarments.tenantId, tenantId), eq(binnedGarments.uuid, uuid)))

/** A garment in the bin can be restored until its time is over. */
export const isRestorable = (tenantId: string, uuid: string, nowMs: number) =>
  and(eq(binnedGarments.tenantId, tenantId), eq(binnedGarments.uuid, uuid), gt(binnedGarments.removeAt, nowMs))

/** Restores a binned garment, which waits again unless it had ended. Fails by a constraint if too many wait. */
export function restoreStatements(db: Database, tenantId: string, uuid: string, maxWaiting: number, nowMs: number) {
  const isBinned = and(isRestorable(tenantId, uuid, nowMs), hasRow(tenantState, eq(tenantState.tenantId, tenantId)))
  const { removeAt: _, ...columns } = getTableColumns(binnedGarments)
  const isRestored = and(isGarment({ tenantId, uuid }), hasRow(binnedGarments, isBinned))
  const waits = hasRow(binnedGarments, and(isBinned, isNull(binnedGarments.endedAt)))
  return {
    waits: db
      .update(tenantCounters)
      .set({ waiting: plus(tenantCounters.waiting, 1), maxWaiting })
      .where(and(eq(tenantCounters.tenantId, tenantId), waits)),
    restored: db
      .insert(garments)
      .select(db.select(columns).from(binnedGarments).where(isBinned))
      .returning({ uuid: garments.uuid }),
    queuing: [
      db
        .update(garments)
        .set({ status: 'queuing' })
        .where(and(isRestored, isNull(garments.endedAt))),
      db
        .update(garments)
        .set({ ...nothingToDo, tries: 0, queuedAt: nowMs })
        .where(and(isRestored, isActive)),
    ],
    emptied: db.delete(binnedGarments).where(isBinned),
    turns: startTurns(db, tenantId, minTurns, nowMs),
  }
}

export const eraseStatement = (db: Database, areRemoved: SQL) => db.delete(binnedGarments).where(areRemoved)

/**
 * Removes a garment and subtracts it from the counts. Marks its copies and files for the sweep, in case a later step
 * fails. `removed` returns the garment.
 */
export function removeStatements(db: Database, tenantId: string, uuid: string, nowMs: number) {
  const isRemoved = isGarment({ tenantId, uuid })
  const exists = hasRow(garments, isRemoved)
  const hasPictures = and(eq(pictures.tenantId, tenantId), eq(pictures.garmentUuid, uuid))
  return {
    counted: [
      stopWaiting(db, tenantId, hasRow(garments, and(isRemoved, isNull(garments.endedAt)))),
      subtractRows(garments, isRemoved, garmentAmounts),
    ],
    copies: db
      .insert(unusedCopies)
      .select(
        db
          .select(selectValues(unusedCopies, { copyId: pictures.copyId, tenantId, removeAt: nowMs + maxRunMs }))
          .from(pictures)
          .where(and(hasPictures, exists)),
      )
      .onConflictDoNothing(),
    files: db
      .insert(unreferencedFiles)
      .select(
        db
          .select(selectValues(unreferencedFiles, { tenantId, fileId: pictures.fileId, since: nowMs }))
          .from(pictures)
          .where(and(hasPictures, isNotNull(pictures.fileId), exists)),
      )
      .onConflictDoNothing(),
    removed: db
      .delete(garments)
      .where(isRemoved)
      .returning({ pictures: selectPictures('garments') }),
    // A garment in the bin keeps its pictures.
    pictures: db.delete(pictures).where(and(hasPictures, not(exists), not(isInBin(tenantId, uuid)))),
    turns: startTurns(db, tenantId, minTurns, nowMs),
  }
}

/** Inserts garments and restarts failed ones. Must directly follow the statement that counts them. */
export const insertGarments = (selected: SQL) => sql`
  INSERT INTO ${garments}
    (tenant_id, uuid, number, attribute, row_bytes, origin, revision, status, queued_at, due_at, created_at)
  ${selected}
  ON CONFLICT (tenant_id, uuid) DO UPDATE SET ${replaceAll} WHERE ${garments.status} = 'failed'`

/** Also resets the columns that `insertGarments` does not insert. */
const replaceAll = list(
  Object.values(getTableColumns(garments)).map(
    ({ name }) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`,
  ),
)
