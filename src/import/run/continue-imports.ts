import { and, asc, eq, getTableColumns, isNotNull, isNull } from 'drizzle-orm'
import { correctionDeps } from '../../correction/store-correction.ts'
import { batchRaw } from '../../db/batch-raw.ts'
import type { Database } from '../../db/client.ts'
import { tenantDatabase } from '../../db/databases/find-database.ts'
import { imports, tenantCounters } from '../../db/schema.ts'
import { uploadLimits } from '../../garment/accept-upload.ts'
import { isTooManyWaiting, type UploadLimits } from '../../garment/upload-garment.ts'
import type { TaggingMessage } from '../../garment/tagging-message.ts'
import { begunBy, messagesOfBatch } from '../../garment/turns/turns.ts'
import { enqueueAll } from '../../queue/enqueue.ts'
import { quotaError } from '../../quota/errors.ts'
import type { Quotas } from '../../quota/quotas.ts'
import { settingsOf } from '../../settings.ts'
import { editLines } from './edit-lines.ts'
import { endLineStatements, isEditNext, uploadLineStatements, type Import } from './line-statements.ts'

/** Keep each statement below 50 ms. A queue takes 100 messages at once. */
const maxUploaded = 100
const maxEnded = 200

/** The share of the waiting garments that imports may use. The rest is reserved for single uploads. */
const shareOfImports = 0.8

/** Until the next step, after one that changed lines and after one that did not. */
const busyPauseMs = 500
const idlePauseMs = 3000

/**
 * Runs one step of a tenant's imports: ends the lines whose garments have ended, and uploads the next lines of the
 * oldest import that is not paused, as long as there is room for them; or changes its garments, if it has no pictures.
 * Returns the delay until the next step in ms, or null if nothing is left to do.
 */
export async function continueImports(
  env: Pick<Env, 'DB' | 'TAGGING_QUEUE' | 'WEBHOOK_QUEUE'>,
  tenantId: string,
  nowMs: number,
): Promise<number | null> {
  const db = tenantDatabase(env, tenantId)
  const [open, [counter]] = await db.batch([
    db
      .select({ ...getTableColumns(imports), isEdit: isEditNext(tenantId) })
      .from(imports)
      .where(and(eq(imports.tenantId, tenantId), isNull(imports.endedAt), isNotNull(imports.storedAt)))
      .orderBy(asc(imports.createdAt)),
    db.select({ waiting: tenantCounters.waiting }).from(tenantCounters).where(eq(tenantCounters.tenantId, tenantId)),
  ])
  let moved = 0
  for (const each of open.filter(({ tagging }) => tagging > 0))
    moved += (await batchRaw(db, endLineStatements(each, maxEnded, nowMs))).at(-1)?.results.length ?? 0
  const next = open.find(({ paused, waiting }) => !paused && waiting > 0)
  if (next?.isEdit === 1) moved += await editLines(correctionDeps(env, tenantId), next, nowMs)
  else if (next !== undefined) {
    const settings = settingsOf(env)
    const limits = { ...uploadLimits(settings), nowMs }
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

/** Uploads waiting lines for which there is room and enqueues their garments. Returns how many lines were changed. */
async function uploadLines(
  env: Pick<Env, 'TAGGING_QUEUE'>,
  db: Database,
  { tenantId, id, origin }: Import,
  { room, maxWaiting, quotas, nowMs }: Room,
): Promise<number> {
  if (room <= 0) return 0
  const limit = Math.min(room, maxUploaded)
  const statements = uploadLineStatements({ tenantId, id, origin }, { limit, maxWaiting, quotas }, nowMs)
  const results = await unlessFull(quotas, async () => await batchRaw(db, statements))
  // The other garments wait in the tenant's backlog, and the sweep sends a lost message again.
  await enqueueAll<TaggingMessage>(env.TAGGING_QUEUE, messagesOfBatch(tenantId, results, begunBy(nowMs)))
  return results.at(-1)?.results.length ?? 0
}

/**
 * Nothing is uploaded if single uploads have used the room since it was read, or while the tenant's quotas are used up.
 */
async function unlessFull<T>(quotas: Quotas, act: () => Promise<T[]>): Promise<T[]> {
  try {
    return await act()
  } catch (error) {
    if (!isTooManyWaiting(error) && quotaError(error, quotas) === null) throw error
    return []
  }
}
