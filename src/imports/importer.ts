import { and, asc, eq, getTableColumns, isNotNull, isNull, sql } from 'drizzle-orm'
import { DurableObject } from 'cloudflare:workers'
import { type Database, runBatch } from '../platform/db/database.ts'
import { type Edit, editGarment, undoEdit } from '../garments/corrections/edit-garment.ts'
import { correctorSchema } from '../garments/corrections/correction.ts'
import { correctionDeps, type CorrectionDeps } from '../garments/corrections/store-correction.ts'
import { importLines, imports, tenantCounters } from '../platform/db/schema.ts'
import { exportedAt, isChange, measurementName, tagName } from './import-columns.ts'
import { storedAttribute } from './get-import.ts'
import { wakeImporter } from './wake-importer.ts'
import { otherProblem, storeProblems } from './import-line-problem.ts'
import {
  byStatus,
  changeStatements,
  endLineStatements,
  type Import,
  isEdit,
  isEditNext,
  uploadLineStatements,
} from './import-line-statements.ts'
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

interface EditLine {
  readonly line: number
  readonly uuid: string
  readonly attribute: string
}

type Edits = Pick<
  typeof imports.$inferSelect,
  'tenantId' | 'id' | 'madeBy' | 'overwrites' | 'undoes' | 'edits' | 'summary'
>

/**
 * Applies the next edit lines to their garments, and ends these lines. Safe to repeat, because a second run of an edit
 * finds nothing to change. Returns the number of ended lines.
 */
async function editLines(
  deps: CorrectionDeps,
  { tenantId, id, madeBy, overwrites, undoes, edits, summary }: Edits,
  nowMs: number,
): Promise<number> {
  const waiting = sql`${importLines} ${byStatus} WHERE tenant_id = ${tenantId} AND import_id = ${id} AND status = 'waiting'`
  const next = await deps.db.all<EditLine>(sql`
    SELECT line, uuid, attribute FROM ${waiting} AND ${isEdit}
      AND EXISTS (SELECT 1 FROM ${imports} WHERE tenant_id = ${tenantId} AND id = ${id} AND paused = 0)
    ORDER BY line LIMIT ${maxEdited}`)
  if (next.length === 0) return 0
  const by = correctorSchema.parse(JSON.parse(madeBy ?? 'null'))
  const edited: [line: number, problem: string, status: string][] = []
  for (let at = 0; at < next.length; at += maxAtOnce)
    edited.push(
      ...(await Promise.all(
        next.slice(at, at + maxAtOnce).map(async ({ line, uuid, attribute }): Promise<(typeof edited)[number]> => {
          const made = { uuid, by, importId: id }
          const { status, problem } =
            undoes === null
              ? await editGarment(deps, tenantId, { ...readEdit(attribute), ...made, overwrites }, nowMs)
              : await undoEdit(deps, tenantId, { ...made, undone: undoes }, nowMs)
          return [line, storeProblems(problem === '' ? [] : [otherProblem(problem)]), status]
        }),
      )),
    )
  const outcomes = sql`
    SELECT line.line, line.pictures, made.value ->> 2 AS status, made.value ->> 1 AS problem
    FROM json_each(${JSON.stringify(edited)}) AS made
    CROSS JOIN ${importLines} AS line
      ON line.tenant_id = ${tenantId} AND line.import_id = ${id} AND line.line = made.value ->> 0
    WHERE line.status = 'waiting'`
  const action = undoes === null ? 'garments.changed' : 'garments.undone'
  const isFirst = sql`EXISTS (SELECT 1 FROM ${imports} WHERE tenant_id = ${tenantId} AND id = ${id} AND edits = 0)
    AND EXISTS (SELECT 1 FROM (${outcomes}) WHERE status = 'complete')`
  const { lines } = await runBatch(deps.db, {
    entry:
      edits > 0
        ? []
        : recordEntry(
            deps.db,
            { holderId: tenantId, action, subject: summary, importId: id },
            { by, at: nowMs },
            isFirst,
          ),
    lines: changeStatements({ tenantId, id, from: 'waiting', outcomes }, nowMs),
  })
  return lines.length
}

/** Parses an edit line. An empty value removes the attribute. */
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
    // An invalid time counts as absent.
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
  await editLines(correctionDeps({ env, db }), row, nowMs)
  if (row.waiting > maxEdited) await wakeImporter(env, tenantId)
}

/** These limits keep each statement below 50 ms. A queue takes 100 messages per call. */
const maxUploaded = 100
const maxEnded = 200

/** Fraction of a tenant's waiting garments that imports may use. The rest is reserved for single uploads. */
const shareOfImports = 0.8

/** Pause before the next step: shorter after a step that changed lines. */
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
      .select({ ...getTableColumns(imports), isEdit: isEditNext(tenantId) })
      .from(imports)
      .where(and(eq(imports.tenantId, tenantId), isNull(imports.endedAt), isNotNull(imports.storedAt)))
      .orderBy(asc(imports.createdAt)),
    counter: db
      .select({ waiting: tenantCounters.waiting })
      .from(tenantCounters)
      .where(eq(tenantCounters.tenantId, tenantId)),
  })
  let moved = 0
  for (const each of open.filter(({ tagging }) => tagging > 0))
    moved += (await runBatch(db, { ended: endLineStatements(each, maxEnded, nowMs) })).ended.length
  const next = open.find(({ paused, waiting }) => !paused && waiting > 0)
  if (next?.isEdit === 1) moved += await editLines(correctionDeps({ env, db }), next, nowMs)
  else if (next !== undefined) {
    const settings = settingsOf(env)
    const limits = { ...uploadLimits(settings, nowMs), nowMs }
    const room = Math.ceil(limits.maxWaiting * shareOfImports) - (counter?.waiting ?? 0)
    moved += await uploadLines(env, db, next, { ...limits, room })
  }
  const isLeft = open.some(({ paused, waiting, tagging }) => tagging > 0 || (waiting > 0 && !paused))
  if (!isLeft) return null
  return moved > 0 ? busyPauseMs : idlePauseMs
}

interface Room extends UploadLimits {
  readonly room: number
  readonly nowMs: number
}

/**
 * Uploads as many waiting lines as there is room for, and enqueues their garments. Returns the number of changed lines.
 */
async function uploadLines(
  env: Pick<Env, 'TAGGING_QUEUE'>,
  db: Database,
  { tenantId, id, origin }: Import,
  { room, maxWaiting, quotas, nowMs }: Room,
): Promise<number> {
  if (room <= 0) return 0
  const limit = Math.min(room, maxUploaded)
  const statements = uploadLineStatements({ tenantId, id, origin }, { limit, maxWaiting, quotas }, nowMs)
  const results = await unlessFull(async () => await runBatch(db, statements))
  if (results === null) return 0
  // Garments without a turn wait in the tenant's backlog. The sweep repeats lost messages.
  await enqueueAll(env.TAGGING_QUEUE, results.turns)
  return results.lines.length
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
