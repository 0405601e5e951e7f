import { and, eq, getTableColumns, inArray, isNotNull, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { type Database, hasRow, inRows } from '../platform/db/database.ts'
import {
  binnedGarments,
  garments,
  tenantCounters,
  tenantState,
  unreferencedFiles,
  unusedPictures,
} from '../platform/db/schema.ts'
import { dayOf, minuteMs } from '../time.ts'
import { type LostBefore, queueGraceMs } from '../platform/queue/enqueue.ts'
import { searchColumns } from './list/garment-text.ts'
import { findSame, hashColumns } from './duplicates.ts'
import { doubtOf, storedColumns } from './review/doubt.ts'
import type { GarmentRow } from './garment.ts'
import { backlogStart, turnBatchId, openTurnsStatement, passTurn, refillTurns, setTurns, uploadTurns } from './turns.ts'
import { fileOfImage, isFileOfImage, joinImages } from './pictures/uploaded-file.ts'
import { severalPrefix } from './pictures/annotated-picture.ts'
import { addStored, grownQuota, tenantDays, textBytes, textBytesOf } from '../accounts/quotas.ts'
import { addToDays } from '../events/transitions.ts'
import { isPaused } from '../platform/queue/is-paused.ts'
import type { PictureHash } from '../vision/picture-hash.ts'
import type { UploadLimits } from './upload-garment.ts'

/**
 * The garment's state machine: every statement that writes a row of `garments` is in this file.
 *
 *   upload    nothing or failed -> queuing
 *   claim     queuing -> processing, for one run, which counts as a try
 *   release   queuing or processing -> queuing, due again later
 *   end       queuing or processing -> complete or failed
 *   sweep     overdue -> queuing
 *   renew     any state -> queuing, with other pictures
 *   retag     complete, to be tagged again: it stays complete until its result is replaced (also by a correction of its
 *             attributes or item type)
 *   correct   failed -> complete, by a person; of any other only what people say changes
 *   bin       any state -> the bin, by a person; run no more
 *   restore   the bin -> the former state, queuing instead of processing
 *   remove    any state or the bin -> nothing, by a client, when it has expired or with its tenant
 *
 * `dueAt` is set exactly while there is work to do on a garment (`turns.ts`). `tenant_counters` counts those
 * that have not ended, in the batch that changes their state.
 */

interface EndedGarment {
  readonly tenantId: string
  readonly status: 'complete' | 'failed'
  /** Nothing is counted unless it holds. */
  readonly condition: SQL
  /** The tenant's list of turns after it. */
  readonly turns: SQL<string>
}

/**
 * The statements that count a garment as ended and as no longer waiting. They stand before the one that ends it. The
 * first one writes nothing but on the first ending of a day. The second one returns the list of turns.
 */
export function countGarment(db: Database, { tenantId, status, condition, turns }: EndedGarment, nowMs: number) {
  const day = dayOf(nowMs)
  const { complete, failed } = tenantCounters
  const countOf = (column: typeof complete | typeof failed, isThis: boolean) =>
    sql<number>`iif(${tenantCounters.day} = ${day}, ${column}, 0) + ${isThis ? 1 : 0}`
  return [
    addToDays(
      db,
      sql`
        SELECT tenant_id, day, kind.value, iif(kind.value = 'complete', complete, failed) AS number
        FROM ${tenantCounters}, json_each('["complete", "failed"]') AS kind
        WHERE tenant_id = ${tenantId} AND day NOT IN ('', ${day}) AND number > 0 AND ${condition}`,
    ),
    db
      .update(tenantCounters)
      .set({
        waiting: sql`max(${tenantCounters.waiting} - 1, 0)`,
        day,
        complete: countOf(complete, status === 'complete'),
        failed: countOf(failed, status === 'failed'),
        turns,
      })
      .where(and(eq(tenantCounters.tenantId, tenantId), condition))
      .returning({ turns: tenantCounters.turns }),
  ] as const
}

/** Longer than the longest run, which claims once the picture is fetched. */
export const leaseMs = 120_000

/** A garment as it was read. A write does nothing if another run or another upload has changed the garment since. */
export type ExpectedGarment = Pick<GarmentRow, 'tenantId' | 'uuid' | 'pictureId' | 'claimId' | 'tries'>

export type Ending =
  | {
      readonly status: 'complete'
      /** Under which the copies of its pictures were stored. */
      readonly pictureId: string
      /** Absent if it stays. */
      readonly imagesId?: string
      /** As `formatResult` gives it. */
      readonly result: string
      /** That of the picture that stands for the garment. */
      readonly hash: PictureHash
      /** As `formatImageResults` gives them; absent of a single picture. */
      readonly imageResults?: string
    }
  | { readonly status: 'failed'; readonly failureReason: string; readonly imageResults?: string }

/**
 * Claims a queuing garment for one run, unless its attributes or its corrections have changed since it was read. Safe
 * to repeat with the same `claimId`, should the answer have been lost.
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
        sql`${garments.corrections} IS ${garment.corrections}`,
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

interface EndOptions {
  readonly ending: Ending
  readonly searched: ReturnType<typeof searchColumns>
  readonly turnLimit: number
}

/**
 * Ends a garment, counts it and gives its turn to the next of its tenant, which has `turnLimit` turns at most. The
 * statements stand last in their batch, after those that depend on `whenUnchanged`. `counted` returns the turns.
 * They may be repeated, should the answer have been lost.
 */
export function endStatements(
  db: Database,
  garment: ExpectedGarment,
  { ending, searched, turnLimit }: EndOptions,
  nowMs: number,
) {
  const { tenantId } = garment
  const result = ending.status === 'complete' ? resultColumns(garment, ending) : { ...ending, result: null, doubt: 0 }
  return {
    counted: countGarment(
      db,
      {
        tenantId,
        status: ending.status,
        condition: whenUnchanged(garment),
        turns: passTurn(garment, turnLimit, nowMs),
      },
      nowMs,
    ),
    ended: db
      .update(garments)
      .set({ ...result, ...searched, claimId: null, leaseUntil: null, dueAt: null, endedAt: nowMs })
      .where(and(sameGarment(garment), isUnchanged(garment))),
  }
}

/** The columns of a result. */
function resultColumns(
  { tenantId, uuid }: ExpectedGarment,
  { hash, ...columns }: Extract<Ending, { readonly status: 'complete' }>,
) {
  return {
    ...columns,
    failureReason: '',
    doubt: doubtOf(tenantId, { ...storedColumns, result: columns.result }),
    ...hashColumns(hash),
    sameAs: findSame(tenantId, uuid, hash),
  }
}

/**
 * Gives a garment in any state other pictures, with which it is tagged as if it had just been uploaded. It keeps its
 * attributes and corrections.
 */
export const renewStatement = (
  db: Database,
  columns: Pick<GarmentRow, 'imageUrl' | 'images' | 'pictureId' | 'imagesId'>,
  isUnchanged: SQL | undefined,
  nowMs: number,
) =>
  db
    .update(garments)
    .set({
      ...columns,
      imageResults: '',
      pictureHash: null,
      pictureColours: null,
      sameAs: '',
      status: 'queuing',
      tries: 0,
      claimId: null,
      leaseUntil: null,
      dueAt: backlogStart + nowMs,
      endedAt: null,
      failureReason: '',
      result: null,
      doubt: 0,
      searchText: null,
      price: null,
    })
    .where(isUnchanged)

/** Marks complete garments to be tagged again. Their results stay until they are replaced. */
export function retagStatement(
  db: Database,
  found: readonly Pick<GarmentRow, 'tenantId' | 'uuid' | 'pictureId'>[],
  nowMs: number,
) {
  const keys = found.map(({ tenantId, uuid, pictureId }) => [tenantId, uuid, pictureId])
  return db
    .update(garments)
    .set({ tries: 0, dueAt: nowMs + queueGraceMs })
    .where(sql`${inRows(['tenant_id', 'uuid', 'picture_id'], keys)} AND status = 'complete' AND due_at IS NULL`)
}

/**
 * Replaces the result of a garment that was tagged again, or leaves it as it is if tagging failed, and gives its turn
 * to the next. As `endStatements` otherwise, but that `passed` returns the turns.
 */
export function endRetagStatements(
  db: Database,
  garment: ExpectedGarment,
  { ending, searched, turnLimit }: EndOptions,
  nowMs: number,
) {
  const { searchText } = searched
  return {
    passed: setTurns(db, passTurn(garment, turnLimit, nowMs), garment.tenantId, whenUnchanged(garment)),
    ended: db
      .update(garments)
      .set({
        ...(ending.status === 'complete' ? { ...resultColumns(garment, ending), searchText } : {}),
        claimId: null,
        leaseUntil: null,
        dueAt: null,
      })
      .where(and(sameGarment(garment), isUnchanged(garment))),
  }
}

/** The condition for statements on other tables that are to take effect only if the garment's own write does. */
export const whenUnchanged = (garment: ExpectedGarment) =>
  hasRow(garments, and(sameGarment(garment), isUnchanged(garment)))

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

/** The columns of a garment that a correction changes. */
export type Correction = Pick<GarmentRow, 'corrections' | 'attribute' | 'attributeChanges'> & {
  /** Whether its picture is to be tagged again: before all that wait, or after them. */
  readonly retag: 'first' | 'last' | undefined
}

/**
 * Stores a correction, of a failed garment with the state complete, unless it has changed since it was read: statements
 * on other tables depend on `unchanged`.
 */
export function correctStatement(
  db: Database,
  garment: GarmentRow,
  { retag, corrections, ...content }: Correction,
  nowMs: number,
) {
  const isUnchanged = and(
    sameGarment(garment),
    eq(garments.pictureId, garment.pictureId),
    eq(garments.status, garment.status),
    eq(garments.attribute, garment.attribute),
    // Two changes may have restored the same value.
    sql`${garments.attributeChanges} IS ${garment.attributeChanges}`,
    sql`${garments.corrections} IS ${garment.corrections}`,
    // A run that has begun since has read the former values.
    sql`${garments.dueAt} IS ${garment.dueAt}`,
  )
  const unchanged = hasRow(garments, isUnchanged)
  // Ends the claim of a run in progress.
  const run = { tries: 0, claimId: null, leaseUntil: null, dueAt: backlogStart + (retag === 'last' ? nowMs : 0) }
  const described = { ...(garment.status === 'failed' && { status: 'complete' as const }) }
  const changes = {
    corrections,
    doubt: doubtOf(garment.tenantId, { ...storedColumns, corrections }),
    ...content,
    ...described,
    ...(retag && run),
    ...searchColumns({ ...garment, ...content, ...described, corrections }),
  }
  return { unchanged, stored: db.update(garments).set(changes).where(isUnchanged) }
}

/** Claims the garment that `uuid` selects for the review of a session. The query builder's UPDATE has no alias. */
export const reviewStatement = (tenantId: string, uuid: SQL, sessionId: string, untilMs: number) => sql`
  UPDATE ${garments} SET review_session = ${sessionId}, review_until = ${untilMs}
  WHERE tenant_id = ${tenantId} AND uuid = (${uuid}) RETURNING uuid`

/** Numbers the doubt of a tenant's garments again that `which` selects. */
export const renumberStatement = (db: Database, tenantId: string, which: SQL) =>
  db
    .update(garments)
    .set({ doubt: doubtOf(tenantId, storedColumns) })
    .where(and(eq(garments.tenantId, tenantId), which))

/** Removes garments that have expired. */
export const expireStatement = (db: Database, areRemoved: SQL) => db.delete(garments).where(areRemoved)

/** Removes at most `limit` garments of a deleted tenant, or of its bin. */
export function purgeStatement(
  db: Database,
  table: typeof garments | typeof binnedGarments,
  tenantId: string,
  limit: number,
) {
  const some = db.select({ uuid: table.uuid }).from(table).where(eq(table.tenantId, tenantId)).limit(limit)
  return db.delete(table).where(and(eq(table.tenantId, tenantId), inArray(table.uuid, some)))
}

/** Longer than any run takes. One that has already begun may still store its picture. */
export const maxRunMs = 10 * minuteMs

export type RemovedGarment = Pick<GarmentRow, 'pictureId' | 'imagesId' | 'imageUrl' | 'images'>

interface Leaving {
  readonly tenantId: string
  readonly uuid: string
  /** What is counted besides. */
  readonly counts?: SQL
}

/** Counts a garment that goes away as no longer waiting, and gives its turn to the next one. Returns the turns. */
function leaveStatement({ tenantId, uuid, counts = sql`` }: Leaving, nowMs: number) {
  const kept = sql`SELECT value AS turn FROM json_each(${tenantCounters}.turns) WHERE value ->> 0 <> ${uuid}`
  const turns = refillTurns({ tenantId, kept, endingUuid: uuid, by: turnBatchId(nowMs), limit: uploadTurns }, nowMs)
  return sql<{ turns: string }>`
    UPDATE ${tenantCounters} SET waiting = max(waiting - gone.waits, 0), ${counts} turns = ${turns}
    FROM (
      SELECT ended_at IS NULL AS waits, ${textBytes} AS bytes FROM ${garments}
      WHERE tenant_id = ${tenantId} AND uuid = ${uuid}
    ) AS gone
    WHERE tenant_id = ${tenantId}
    RETURNING turns`
}

const columnNames = Object.values(getTableColumns(garments)).map(({ name }) => name)
const allColumns = sql.join(
  columnNames.map((name) => sql.identifier(name)),
  sql`, `,
)

/** The statements that put a garment into the bin, if there is one, until `removeAt`. Results as `removeStatements`. */
export function binStatements(tenantId: string, uuid: string, removeAt: number, nowMs: number) {
  const isGarment = sql`tenant_id = ${tenantId} AND uuid = ${uuid}`
  return {
    passed: leaveStatement({ tenantId, uuid }, nowMs),
    binned: sql`
      INSERT INTO ${binnedGarments} (${allColumns}, remove_at)
      SELECT ${allColumns}, ${removeAt} FROM ${garments} WHERE ${isGarment}`,
    removed: sql<{ uuid: string }>`DELETE FROM ${garments} WHERE ${isGarment} RETURNING uuid`,
  }
}

/** Whether a uuid is taken by a garment in the bin, even one that is just being removed from it. */
export const isInBin = (tenantId: SQLWrapper | string, uuid: SQLWrapper | string) =>
  hasRow(binnedGarments, sql`tenant_id = ${tenantId} AND uuid = ${uuid}`)

/** A garment in the bin that can still be taken out. */
export const isRestorable = (tenantId: SQLWrapper | string, uuid: SQLWrapper | string, nowMs: number) =>
  sql`tenant_id = ${tenantId} AND uuid = ${uuid} AND remove_at > ${nowMs}`

/**
 * The statements that take a garment out of the bin, if it is there: as it was, but that what was waiting for a run or
 * in one waits again, for which a constraint makes the batch fail if too many wait. `opened` returns the turns.
 */
export function restoreStatements(tenantId: string, uuid: string, maxWaiting: number, nowMs: number) {
  const isBinned = sql`${isRestorable(tenantId, uuid, nowMs)}
    AND EXISTS (SELECT 1 FROM ${tenantState} WHERE tenant_id = ${tenantId})`
  const changed: Readonly<Record<string, SQL>> = {
    status: sql`iif(ended_at IS NULL, 'queuing', status)`,
    tries: sql`iif(due_at IS NULL, tries, 0)`,
    claim_id: sql`NULL`,
    lease_until: sql`NULL`,
    due_at: sql`iif(due_at IS NULL, NULL, ${backlogStart + nowMs})`,
  }
  const values = columnNames.map((name) => changed[name] ?? sql.identifier(name))
  return {
    waits: sql`
      UPDATE ${tenantCounters} SET waiting = waiting + 1, max_waiting = ${maxWaiting}
      WHERE tenant_id = ${tenantId} AND EXISTS (
        SELECT 1 FROM ${binnedGarments} WHERE ${isBinned} AND ended_at IS NULL)`,
    restored: sql<{ status: GarmentRow['status'] }>`
      INSERT INTO ${garments} (${allColumns})
      SELECT ${sql.join(values, sql`, `)} FROM ${binnedGarments} WHERE ${isBinned}
      RETURNING status`,
    emptied: sql`DELETE FROM ${binnedGarments} WHERE ${isBinned}`,
    opened: openTurnsStatement(tenantId, nowMs),
  }
}

/** Removes garments from the bin. */
export const eraseStatement = (db: Database, areRemoved: SQL) => db.delete(binnedGarments).where(areRemoved)

/**
 * The statements that remove a garment, if there is one: they subtract it from the counts, give its turn to the next
 * one in the tenant's backlog, and mark its picture and file for the sweep, in case a later step fails. `passed`
 * returns the tenant's turns, `removed` the garment.
 */
export function removeStatements(tenantId: string, uuid: string, nowMs: number) {
  const isGarment = sql`tenant_id = ${tenantId} AND uuid = ${uuid}`
  const counts = sql`garments = max(garments - 1, 0), text_bytes = max(text_bytes - gone.bytes, 0),`
  return {
    passed: leaveStatement({ tenantId, uuid, counts }, nowMs),
    picture: sql`
      INSERT OR IGNORE INTO ${unusedPictures} (picture_id, tenant_id, remove_at)
      SELECT picture.value, tenant_id, ${nowMs + maxRunMs}
      FROM ${garments} CROSS JOIN json_each(json_array(picture_id, images_id)) AS picture
      WHERE ${isGarment} AND picture.value <> ''`,
    file: sql`
      INSERT OR IGNORE INTO ${unreferencedFiles} (tenant_id, picture_id, since)
      SELECT tenant_id, ${fileOfImage}, ${nowMs} FROM ${garments} ${joinImages} WHERE ${isGarment} AND ${isFileOfImage}`,
    removed: sql<RemovedGarment>`
      DELETE FROM ${garments} WHERE ${isGarment}
      RETURNING picture_id AS pictureId, images_id AS imagesId, image_url AS imageUrl, images`,
  }
}

export interface SweepTimes extends LostBefore {
  readonly nowMs: number
}

export interface TenantRange {
  /** Tenants whose ids are after `after` and at most `to`, in the order of their ids. */
  readonly after: string
  readonly to: string
  readonly maxTenants: number
}

export interface OverdueTenant {
  /** The last tenant that was visited, in the row in which neither holds. */
  readonly tenantId: string
  /** Whether it has garments that are due. */
  readonly isDue: number
  /** Whether it has turns whose message or run was lost. */
  readonly hasLostTurn: number
}

/**
 * Finds the tenants with overdue garments, and last the tenant at which it stopped; no row if there was none. It jumps
 * from tenant to tenant along the index, for which the query builder has no recursion.
 */
export const findOverdue = ({ after, to, maxTenants }: TenantRange, { overdueMs }: SweepTimes) => sql`
  WITH RECURSIVE active(tenant) AS (
    SELECT min(tenant_id) FROM ${garments} WHERE due_at IS NOT NULL AND tenant_id > ${after} AND tenant_id <= ${to}
    UNION ALL
    SELECT (
      SELECT min(tenant_id) FROM ${garments}
      WHERE due_at IS NOT NULL AND tenant_id > active.tenant AND tenant_id <= ${to}
    )
    FROM active WHERE active.tenant IS NOT NULL
    LIMIT ${maxTenants}
  ),
  overdue AS (
    SELECT tenant,
      EXISTS (SELECT 1 FROM ${garments} WHERE tenant_id = tenant AND due_at <= ${overdueMs}) AS is_due,
      coalesce((
        SELECT EXISTS (SELECT 1 FROM json_each(turns) AS turn WHERE turn.value ->> 3 <= ${overdueMs})
          OR (turns = '[]' AND EXISTS (SELECT 1 FROM ${garments} WHERE tenant_id = tenant AND due_at >= ${backlogStart}))
        FROM ${tenantCounters} WHERE tenant_id = tenant
      ), 0) AS has_lost_turn
    FROM active WHERE tenant IS NOT NULL
  )
  SELECT tenant AS tenantId, is_due AS isDue, has_lost_turn AS hasLostTurn FROM overdue
  WHERE (is_due OR has_lost_turn) AND NOT ${isPaused('tagging', sql`tenant`)}
  UNION ALL SELECT max(tenant), 0, 0 FROM active HAVING max(tenant) IS NOT NULL`

const minPauseMs = minuteMs

/** A garment waits longer for each next sweep: half its age, so that none is enqueued over and over. */
const nextSweep = ({ nowMs, maxPauseMs }: SweepTimes) =>
  sql`${nowMs} + max(${minPauseMs}, min(${maxPauseMs}, (${nowMs} - created_at) / 2))`

/**
 * Puts the garments of these tenants that are due back into the state `queuing`, of each the `share` that is overdue
 * longest, and takes them away from runs whose lease is over.
 */
export const requeueDue = (tenantIds: readonly string[], share: number, times: SweepTimes) => sql`
  UPDATE ${garments}
  SET status = iif(ended_at IS NULL, 'queuing', status), claim_id = NULL, lease_until = NULL, due_at = ${nextSweep(times)}
  WHERE (tenant_id, uuid) IN (
    SELECT found.tenant_id, found.uuid FROM json_each(${JSON.stringify(tenantIds)}) AS tenant CROSS JOIN ${garments} AS found
    WHERE found.tenant_id = tenant.value AND found.uuid IN (
      SELECT due.uuid FROM ${garments} AS due
      WHERE due.tenant_id = tenant.value AND due.due_at <= ${times.overdueMs} AND coalesce(due.lease_until, 0) <= ${times.nowMs}
      ORDER BY due.due_at LIMIT ${share}
    )
  )
  RETURNING tenant_id AS tenantId, uuid, picture_id AS pictureId`

/**
 * Renews the turns of these tenants: those whose message or run was lost begin again, those of garments that have ended
 * go to the next in the backlog. The last statement returns each tenant's list.
 */
export function renewTurns(tenantIds: readonly string[], times: SweepTimes) {
  const { nowMs, overdueMs } = times
  const tenants = sql`json_each(${JSON.stringify(tenantIds)})`
  const by = turnBatchId(nowMs)
  const isLost = sql`turn.value ->> 3 <= ${overdueMs}`
  const kept = sql`
    SELECT CASE
      WHEN ${isLost} AND due_at >= ${backlogStart} AND coalesce(lease_until, 0) <= ${nowMs}
      THEN json_array(uuid, picture_id, ${by}, ${nextSweep(times)}) ELSE turn.value
    END AS turn
    FROM json_each(${tenantCounters}.turns) AS turn CROSS JOIN ${garments} AS held
    WHERE held.tenant_id = ${tenantCounters}.tenant_id AND held.uuid = turn.value ->> 0
      AND held.picture_id = turn.value ->> 1 AND held.due_at IS NOT NULL`
  return [
    sql`
      UPDATE ${garments} SET status = iif(ended_at IS NULL, 'queuing', status), claim_id = NULL, lease_until = NULL
      WHERE (tenant_id, uuid) IN (
        SELECT waiting.tenant_id, turn.value ->> 0
        FROM ${tenants} AS tenant CROSS JOIN ${tenantCounters} AS waiting CROSS JOIN json_each(waiting.turns) AS turn
        WHERE waiting.tenant_id = tenant.value AND ${isLost}
      ) AND claim_id IS NOT NULL AND lease_until <= ${nowMs} AND due_at >= ${backlogStart}`,
    sql<{ tenantId: string; turns: string }>`
      UPDATE ${tenantCounters}
      SET turns = ${refillTurns({ tenantId: sql`${tenantCounters}.tenant_id`, kept, by, limit: uploadTurns }, nowMs)}
      WHERE tenant_id IN (SELECT value FROM ${tenants})
      RETURNING tenant_id AS tenantId, turns`,
  ] as const
}

interface ImportedGarments {
  readonly tenantId: string
  readonly origin: string
  /** A select of `uuid`, `image_url`, `images`, `attribute` and `picture_id`. */
  readonly lines: SQL
}

/**
 * Uploads many garments at once, as `uploadGarment` does one: stores each or restarts it if it failed, leaves any other
 * unchanged, and counts them. Constraints make the batch fail if the tenant has too many waiting garments, or too much
 * stored. The last statement returns the tenant's turns if it opened any. The query builder has no `insert ... select`
 * with a conflict clause that takes all columns.
 */
export function garmentStatements(
  { tenantId, origin, lines }: ImportedGarments,
  { maxWaiting, quotas }: UploadLimits,
  nowMs: number,
) {
  // Refers to the garments before the statement below, because a uuid may be on several lines.
  const uuids = sql`SELECT DISTINCT uuid FROM (${lines})`
  const stored = sql`FROM ${garments} WHERE tenant_id = ${tenantId} AND uuid IN (${uuids})`
  const amounts = {
    garments: sql`(SELECT count(*) FROM (${uuids})) - (SELECT count(*) ${stored})`,
    // Text that is replaced. The new text is counted with the waiting garments.
    text_bytes: sql`-(SELECT coalesce(sum(${textBytes}), 0) ${stored} AND status = 'failed')`,
  }
  return [
    addStored(tenantId, amounts, quotas, sql`EXISTS (${lines})`),
    insertGarments(sql`
      SELECT ${tenantId}, line.uuid, line.image_url, line.images, line.attribute, ${origin}, line.picture_id,
        iif(line.images = '', '', ${severalPrefix} || lower(hex(randomblob(16)))), 'queuing', ${backlogStart + nowMs}, ${nowMs}
      FROM (${lines}) AS line WHERE changes() > 0`),
    sql`
      INSERT INTO ${tenantCounters} (tenant_id, waiting, max_waiting, text_bytes, max_text_bytes)
      SELECT ${tenantId}, count(*), ${maxWaiting}, sum(${textBytesOf(sql`line.uuid`, sql`line.image_url`, sql`line.images`, sql`line.attribute`)}), ${grownQuota({ most: quotas.text_bytes, growthDays: quotas.growthDays, days: tenantDays(tenantId, nowMs) })}
      FROM (${lines}) AS line CROSS JOIN ${garments} AS stored
      WHERE stored.tenant_id = ${tenantId} AND stored.uuid = line.uuid AND stored.picture_id = line.picture_id
      HAVING count(*) > 0
      ON CONFLICT (tenant_id) DO UPDATE SET
        waiting = waiting + excluded.waiting, max_waiting = excluded.max_waiting,
        text_bytes = text_bytes + excluded.text_bytes, max_text_bytes = excluded.max_text_bytes`,
    openTurnsStatement(tenantId, nowMs),
  ] as const
}

/**
 * Stores garments, restarts those that failed and leaves others as they are. Stands directly after the statement that
 * counts them, and selects them only if that changed its row: it asks for the tenant's.
 */
export const insertGarments = (selected: SQL) => sql`
  INSERT INTO ${garments}
    (tenant_id, uuid, image_url, images, attribute, origin, picture_id, images_id, status, due_at, created_at)
  ${selected}
  ON CONFLICT (tenant_id, uuid) DO UPDATE SET ${replaceAll} WHERE ${garments.status} = 'failed'`

/** Every column, also those that are not inserted: they get their defaults again. */
const replaceAll = sql.join(
  Object.values(getTableColumns(garments)).map(
    ({ name }) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`,
  ),
  sql`, `,
)
