import { and, asc, isNotNull, lte, sql } from 'drizzle-orm'
import { openDatabase } from '../db/client.ts'
import { garments } from '../db/schema.ts'
import { endGarment, unprocessable } from './end-garment.ts'

/** `sendBatch` takes at most 100 messages. */
const stepSize = 100
const maxSteps = 20
const minPauseMs = 60_000
const maxAgeMs = 24 * 3600_000

/**
 * Enqueues garments again whose message or run was lost, oldest first, at most 2,000 a sweep. Each time a garment
 * waits longer for its next sweep (half its age), so that a long backlog is not multiplied; after a day it ends `failed`.
 * Returns how many were enqueued.
 */
export async function sweepGarments(env: Env, now: number): Promise<number> {
  const db = openDatabase(env.DB)
  let enqueued = 0
  for (let step = 0; step < maxSteps; step++) {
    const overdue = db
      .select({ rowid: sql`rowid` })
      .from(garments)
      .where(and(isNotNull(garments.dueAt), lte(garments.dueAt, now)))
      .orderBy(asc(garments.dueAt))
      .limit(stepSize)
    // A processing garment that is due has lost its lease: its run writes nothing more once `claim_id` is gone.
    const swept = await db
      .update(garments)
      .set({
        status: 'queuing',
        claimId: null,
        dueAt: sql`${now} + max(${minPauseMs}, (${now} - created_at) / 2)`,
      })
      .where(sql`rowid IN ${overdue}`)
      .returning({ tenantId: garments.tenantId, uuid: garments.uuid, createdAt: garments.createdAt })
    const [expired, live] = [swept.filter(isExpired), swept.filter((garment) => !isExpired(garment))]
    for (const garment of expired)
      await endGarment(db, env.WEBHOOK_QUEUE, { ...garment, claimId: null }, unprocessable, now)
    if (live.length > 0)
      await env.TAGGING_QUEUE.sendBatch(live.map(({ tenantId, uuid }) => ({ body: { tenantId, uuid } })))
    enqueued += live.length
    if (swept.length < stepSize) break
  }
  return enqueued

  function isExpired(garment: { createdAt: number }) {
    return now - garment.createdAt > maxAgeMs
  }
}
