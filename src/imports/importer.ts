import { and, asc, eq, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import { DurableObject } from 'cloudflare:workers'
import { type Database, hasRow, runBatch } from '../platform/db/database.ts'
import { type Edit, editGarment, undoEdit } from '../garments/corrections/edit-garment.ts'
import { correctorSchema } from '../garments/corrections/correction.ts'
import { correctionDeps, type CorrectionDeps } from '../garments/corrections/store-correction.ts'
import {
  binnedGarments,
  garments,
  importLines,
  imports,
  reservedNumbers,
  tenantCounters,
} from '../platform/db/schema.ts'
import { haveSameContent, parseGiven, parsePictures, selectPictures } from '../garments/pictures/garment-picture.ts'
import { importStatements } from '../garments/import-garments.ts'
import { isInBin } from '../garments/transitions.ts'
import { exportedAt, isChange, measurementName, tagName } from './import-columns.ts'
import { hasStatus, storedAttribute } from './get-import.ts'
import { wakeImporter } from './wake-importer.ts'
import { lineProblem, type LineProblem, otherProblem, storeProblems } from './import-line-problem.ts'
import { type LineOutcome, moveStatements, selectOutcomes } from './move-lines.ts'
import { tenantDatabase } from '../platform/db/databases.ts'
import { uploadLimits } from '../garments/accept-upload.ts'
import { isTooManyWaiting, type UploadLimits } from '../garments/upload-garment.ts'
import { enqueueAll } from '../platform/queue/enqueue.ts'
import { recordEntry } from '../accounts/audit.ts'
import { exceededQuota } from '../accounts/quotas.ts'
import { settingsOf } from '../settings.ts'
import { log } from '../log.ts'

/** An edit takes up to 8 queries. The platform allows 1,000 queries per invocation. */
const maxEdited = 80
const maxAtOnce = 8

/** These limits keep each statement below 50 ms. A queue takes 100 messages per call. */
const maxUploaded = 100
const maxEnded = 200

type Import = typeof imports.$inferSelect
type Key = Pick<Import, 'tenantId' | 'id'>

const readLines = (db: Database, { tenantId, id }: Key, status: 'waiting' | 'tagging', limit: number) =>
  db
    .select({
      line: importLines.line,
      uuid: importLines.uuid,
      pictures: importLines.pictures,
      attribute: importLines.attribute,
      revision: importLines.revision,
      number: importLines.number,
      isReserved: isNotNull(reservedNumbers.number).mapWith(Boolean),
      isBinned: isNotNull(binnedGarments.uuid).mapWith(Boolean),
      stored: {
        revision: garments.revision,
        status: garments.status,
        failure: garments.failure,
        attribute: garments.attribute,
        number: garments.number,
        pictures: selectPictures('garments'),
      },
    })
    .from(importLines)
    .leftJoin(garments, and(eq(garments.tenantId, tenantId), eq(garments.uuid, importLines.uuid)))
    .leftJoin(binnedGarments, and(eq(binnedGarments.tenantId, tenantId), eq(binnedGarments.uuid, importLines.uuid)))
    .leftJoin(
      reservedNumbers,
      and(eq(reservedNumbers.tenantId, tenantId), eq(reservedNumbers.number, importLines.number)),
    )
    .where(
      and(
        eq(importLines.tenantId, tenantId),
        eq(importLines.importId, id),
        hasStatus(status),
        status === 'waiting'
          ? undefined
          : or(isNull(garments.uuid), ne(garments.revision, importLines.revision), isNotNull(garments.endedAt)),
      ),
    )
    .orderBy(asc(importLines.line))
    .limit(limit)

type Line = Awaited<ReturnType<typeof readLines>>[number]

const hasSamePictures = ({ pictures, stored }: Line) =>
  stored !== null && haveSameContent(parsePictures(stored), parseGiven(pictures ?? '[]'))

/**
 * Applies edit lines to their garments, and ends these lines. Safe to repeat, because a second run of an edit finds
 * nothing to change. Returns the number of ended lines.
 */
async function editLines(
  deps: CorrectionDeps,
  { tenantId, id, madeBy, overwrites, undoes, edits, summary }: Import,
  lines: readonly Line[],
  nowMs: number,
): Promise<number> {
  const by = correctorSchema.parse(JSON.parse(madeBy ?? 'null'))
  const outcomes: LineOutcome[] = []
  for (let at = 0; at < lines.length; at += maxAtOnce)
    outcomes.push(
      ...(await Promise.all(
        lines.slice(at, at + maxAtOnce).map(async ({ line, uuid, attribute }): Promise<LineOutcome> => {
          const made = { uuid, by, importId: id }
          const { status, problem } =
            undoes === null
              ? await editGarment(deps, tenantId, { ...readEdit(attribute), ...made, overwrites }, nowMs)
              : await undoEdit(deps, tenantId, { ...made, undone: undoes }, nowMs)
          return { line, status, problem: storeProblems(problem === '' ? [] : [otherProblem(problem)]) }
        }),
      )),
    )
  const move = { tenantId, id, from: 'waiting' } as const
  const action = undoes === null ? 'garments.changed' : 'garments.undone'
  const entry = { holderId: tenantId, action, subject: summary, importId: id } as const
  const isFirst = hasRow(imports, and(eq(imports.tenantId, tenantId), eq(imports.id, id), eq(imports.edits, 0)))
  const isRecorded = edits === 0 && outcomes.some(({ status }) => status === 'complete')
  const { moved } = await runBatch(deps.db, {
    entry: isRecorded ? recordEntry(deps.db, entry, { by, at: nowMs }, isFirst) : [],
    moved: moveStatements(deps.db, move, selectOutcomes(move, outcomes), nowMs),
  })
  return moved.length
}

function readEdit(stored: string): Pick<Edit, 'attribute' | 'tag' | 'measurements' | 'exportedAt'> {
  const { [exportedAt]: writtenAt, ...targets } = storedAttribute(stored)
  const named = (nameOf: (target: string) => string | null) =>
    Object.fromEntries(
      Object.entries(targets).flatMap(([target, value]) => {
        const name = nameOf(target)
        return name === null ? [] : [[name, value]]
      }),
    )
  const attribute = Object.entries(targets).filter(([target]) => !isChange(target))
  return {
    attribute: Object.fromEntries(attribute.map(([name, value]) => [name, value || null])),
    tag: named(tagName),
    measurements: named(measurementName),
    exportedAt: Date.parse(writtenAt ?? '') || undefined,
  }
}

/**
 * Applies the first 80 edits of an import before it returns, because a user waits for them. The importer applies the
 * rest.
 */
export async function beginEdits(
  { env, db }: { readonly env: Pick<Env, 'TAGGING_QUEUE' | 'WEBHOOK_QUEUE' | 'IMPORTER'>; readonly db: Database },
  tenantId: string,
  id: string,
  nowMs: number,
): Promise<void> {
  const [row] = await db
    .select()
    .from(imports)
    .where(and(eq(imports.tenantId, tenantId), eq(imports.id, id)))
  if (row === undefined) return
  const lines = await readLines(db, row, 'waiting', maxEdited)
  if (lines.length > 0) await editLines(correctionDeps({ env, db }), row, lines, nowMs)
  if (row.waiting > maxEdited) await wakeImporter(env, tenantId)
}

/** Fraction of a tenant's waiting garments that imports may use. The rest is reserved for single uploads. */
const shareOfImports = 0.8

const busyPauseMs = 500
const idlePauseMs = 3000

/**
 * Runs one step of a tenant's imports. It ends lines whose garments have ended, then uploads or edits the next lines of
 * the oldest import that is not paused. Returns the delay in ms until the next step, or null if no work is left.
 */
export async function continueImports(
  env: Pick<Env, 'DB' | 'TAGGING_QUEUE' | 'WEBHOOK_QUEUE'>,
  tenantId: string,
  nowMs: number,
): Promise<number | null> {
  const db = tenantDatabase(env, tenantId)
  const {
    open,
    counter: [counter],
  } = await runBatch(db, {
    open: db
      .select()
      .from(imports)
      .where(and(eq(imports.tenantId, tenantId), isNull(imports.endedAt), isNotNull(imports.storedAt)))
      .orderBy(asc(imports.createdAt)),
    counter: db
      .select({ waiting: tenantCounters.waiting })
      .from(tenantCounters)
      .where(eq(tenantCounters.tenantId, tenantId)),
  })
  let moved = 0
  for (const each of open.filter(({ tagging }) => tagging > 0)) moved += await endLines(db, each, nowMs)
  const next = open.find(({ paused, waiting }) => !paused && waiting > 0)
  if (next !== undefined) {
    const lines = await readLines(db, next, 'waiting', maxUploaded)
    const [edits, uploads] = [lines.filter(isEdit), lines.filter((line) => !isEdit(line))]
    if (edits.length > 0) moved += await editLines(correctionDeps({ env, db }), next, edits.slice(0, maxEdited), nowMs)
    const limits = { ...uploadLimits(settingsOf(env), nowMs), nowMs }
    const room = Math.ceil(limits.maxWaiting * shareOfImports) - (counter?.waiting ?? 0)
    moved += await uploadLines(env, db, next, uploads.slice(0, Math.max(room, 0)), limits)
  }
  const isLeft = open.some(({ paused, waiting, tagging }) => tagging > 0 || (waiting > 0 && !paused))
  if (!isLeft) return null
  return moved > 0 ? busyPauseMs : idlePauseMs
}

const isEdit = ({ pictures }: Line) => pictures === null

async function endLines(db: Database, { tenantId, id }: Key, nowMs: number): Promise<number> {
  const ended = await readLines(db, { tenantId, id }, 'tagging', maxEnded)
  if (ended.length === 0) return 0
  const move = { tenantId, id, from: 'tagging' } as const
  const { lines } = await runBatch(db, {
    lines: moveStatements(db, move, selectOutcomes(move, ended.map(endOf)), nowMs),
  })
  return lines.length
}

function endOf(line: Line): LineOutcome {
  const { stored, revision } = line
  const fail = (code: 'garment_deleted' | 'uploaded_again'): LineOutcome => ({
    line: line.line,
    status: 'failed',
    problem: storeProblems([lineProblem(code)]),
  })
  if (stored === null) return fail('garment_deleted')
  // A garment that was tagged again has a new revision, but the same pictures.
  const isSameUpload = stored.revision === revision || (stored.status === 'complete' && hasSamePictures(line))
  if (!isSameUpload) return fail('uploaded_again')
  const status = stored.status === 'complete' ? 'complete' : 'failed'
  return { line: line.line, status, problem: stored.failure ?? '' }
}

/**
 * Returns the end of a line whose uuid or number is taken; undefined for a line that can be uploaded.
 * @param taken maps the numbers of earlier lines to their uuids
 */
function refusalOf(line: Line, taken: ReadonlyMap<number, string>): LineOutcome | undefined {
  const { stored, attribute, number, isReserved, isBinned } = line
  const refuse = (problem: LineProblem): LineOutcome => ({
    line: line.line,
    status: 'refused',
    problem: storeProblems([problem]),
  })
  if (isBinned) return refuse(lineProblem('garment_binned'))
  const isSameNumber = number === null || number === stored?.number
  if (stored === null || stored.status === 'failed') {
    const isFree = isSameNumber || (isReserved && (taken.get(number) ?? line.uuid) === line.uuid)
    return isFree ? undefined : refuse(lineProblem('number_not_reserved', { number }))
  }
  if (stored.attribute === attribute && isSameNumber && hasSamePictures(line))
    return { line: line.line, status: 'unchanged', problem: '' }
  return refuse(lineProblem('uuid_conflict'))
}

/**
 * Uploads lines, and enqueues their garments. Lines whose uuids or numbers are taken end instead. Returns the number of
 * changed lines.
 */
async function uploadLines(
  env: Pick<Env, 'TAGGING_QUEUE'>,
  db: Database,
  { tenantId, id, origin }: Import,
  lines: readonly Line[],
  { nowMs, ...limits }: UploadLimits & { readonly nowMs: number },
): Promise<number> {
  if (lines.length === 0) return 0
  const move = { tenantId, id, from: 'waiting' } as const
  const refusals: LineOutcome[] = []
  const accepted: number[] = []
  const numbers = new Map<number, string>()
  for (const line of lines) {
    const refusal = refusalOf(line, numbers)
    // A file that was sent twice has two lines. The second ends in the next step, when the garment exists.
    const isRepeated = line.number !== null && numbers.get(line.number) === line.uuid
    if (refusal !== undefined) refusals.push(refusal)
    else if (!isRepeated) accepted.push(line.line)
    if (line.number !== null) numbers.set(line.number, numbers.get(line.number) ?? line.uuid)
  }
  // Another request may have binned the garment or used the number since.
  const chosen = sql`
    SELECT * FROM ${importLines} AS line
    WHERE tenant_id = ${tenantId} AND import_id = ${id} AND status = 'waiting'
      AND line IN (SELECT value FROM json_each(${JSON.stringify(accepted)}))
      AND NOT ${isInBin(tenantId, sql`line.uuid`)}
      AND (number IS NULL OR number IN (SELECT number FROM ${reservedNumbers} WHERE tenant_id = ${tenantId})
        OR number = (SELECT number FROM ${garments} WHERE tenant_id = ${tenantId} AND uuid = line.uuid))`
  const uploaded = sql`
    SELECT line.line, line.pictures, 'tagging' AS status, '' AS problem
    FROM (${chosen}) AS line
    CROSS JOIN ${garments} ON garments.tenant_id = line.tenant_id AND garments.uuid = line.uuid
      AND garments.revision = line.revision`
  const results = await unlessFull(async () =>
    runBatch(db, {
      turns: importStatements(db, { tenantId, origin, lines: chosen }, limits, nowMs),
      uploaded: moveStatements(db, move, uploaded, nowMs),
      refused: refusals.length === 0 ? [] : moveStatements(db, move, selectOutcomes(move, refusals), nowMs),
    }),
  )
  if (results === null) return 0
  // Garments without a turn wait in the tenant's backlog. The sweep repeats lost messages.
  await enqueueAll(env.TAGGING_QUEUE, results.turns)
  return results.uploaded.length + (results.refused?.length ?? 0)
}

/**
 * Returns null if the upload exceeds the tenant's waiting garments or quotas. Single uploads may have used the room
 * since it was read.
 */
async function unlessFull<T>(act: () => Promise<T>): Promise<T | null> {
  try {
    return await act()
  } catch (error) {
    if (!isTooManyWaiting(error) && exceededQuota(error) === undefined) throw error
    return null
  }
}

const pauseAfterErrorMs = 10_000

/**
 * Runs one tenant's import steps in sequence, so that a large import delays no other tenant. It stores no import state.
 * If its alarm is lost, the sweep wakes it again.
 */
export class Importer extends DurableObject<Env> {
  async wake(tenantId: string): Promise<void> {
    // An alarm cannot read the name of its Durable Object, so the tenant id is stored.
    this.ctx.storage.kv.put('tenantId', tenantId)
    await this.ctx.storage.setAlarm(Date.now())
  }

  override async alarm(): Promise<void> {
    const tenantId = this.ctx.storage.kv.get<string>('tenantId')
    if (tenantId === undefined) return
    const pauseMs = await this.#step(tenantId)
    // A wake during the step may be for an import that the step has not seen, so its alarm stays.
    const isWoken = (await this.ctx.storage.getAlarm()) !== null
    if (pauseMs !== null && !isWoken) await this.ctx.storage.setAlarm(Date.now() + pauseMs)
    else if (!isWoken) await this.ctx.storage.deleteAll()
  }

  async #step(tenantId: string): Promise<number | null> {
    try {
      return await continueImports(this.env, tenantId, Date.now())
    } catch (error) {
      log('error', 'import step failed', { tenant: tenantId, error })
      return pauseAfterErrorMs
    }
  }
}
