import { and, eq } from 'drizzle-orm'
import { batchRaw } from '../db/batch-raw.ts'
import type { Database } from '../db/client.ts'
import { tenantDatabase } from '../db/databases/find-database.ts'
import { imports } from '../db/schema.ts'
import { importNotFound } from './errors.ts'
import { renewTurns } from '../garment/maintenance/sweep-statements.ts'
import type { TaggingMessage } from '../garment/tagging-message.ts'
import { begunBy, messagesOfBatch } from '../garment/turns/turns.ts'
import { enqueueAll } from '../queue/enqueue.ts'
import { wakeImporter } from './run/wake-importer.ts'
import { withdrawStatements } from './run/withdraw-statements.ts'

export interface Pause {
  readonly id: string
  readonly paused: boolean
}

/** Keeps each batch below 50 ms. */
const maxWithdrawn = 250

/** Pauses or resumes an import. Garments that are being tagged at that moment are still completed. Throws 404. */
export async function pauseImport(
  env: Pick<Env, 'DB' | 'IMPORTER' | 'TAGGING_QUEUE'>,
  tenantId: string,
  { id, paused }: Pause,
  nowMs: number,
): Promise<void> {
  const db = tenantDatabase(env, tenantId)
  const changed = await db
    .update(imports)
    .set({ paused })
    .where(and(eq(imports.tenantId, tenantId), eq(imports.id, id)))
    .returning({ id: imports.id })
  if (changed.length === 0) throw importNotFound()
  if (paused) {
    await withdraw(db, tenantId, id, nowMs)
    await passFreeTurns(db, env.TAGGING_QUEUE, tenantId, nowMs)
  } else await wakeImporter(env, tenantId)
}

/** Withdraws uploads whose tagging has not begun. Bounded by the garments that may wait. */
async function withdraw(db: Database, tenantId: string, id: string, nowMs: number): Promise<void> {
  let withdrawn: number
  do {
    const results = await batchRaw(db, withdrawStatements({ tenantId, id }, maxWithdrawn, nowMs))
    withdrawn = results.at(-1)?.results.length ?? 0
  } while (withdrawn === maxWithdrawn)
}

/** Gives the turns of withdrawn garments to the next ones in the tenant's backlog. */
async function passFreeTurns(db: Database, queue: Queue<TaggingMessage>, tenantId: string, nowMs: number) {
  const renewed = await batchRaw(db, renewTurns([tenantId], { nowMs, overdueMs: 0, maxPauseMs: 0 }))
  await enqueueAll(queue, messagesOfBatch(tenantId, renewed, begunBy(nowMs)))
}
