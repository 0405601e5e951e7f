import { sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { countEnded } from '../usage/count-ended.ts'
import { garments } from '../db/schema.ts'
import { enqueue } from '../queue/enqueue.ts'
import { startDelivery } from '../webhook/delivery/transitions.ts'

export type Ending =
  | {
      readonly status: 'complete'
      readonly tag: object
      readonly measurements: object
      readonly description: string
    }
  | { readonly status: 'failed'; readonly failureReason: string }

export const failed = (failureReason: string): Ending => ({ status: 'failed', failureReason })

/** For faults of ours, which say nothing to a client. */
export const unprocessable = failed('The service could not process this image; upload it again later.')

/** The garment as it was read: an ending counts only while the same run, or none, still has it. */
export interface Active {
  readonly tenantId: string
  readonly uuid: string
  readonly claimId: string | null
}

/**
 * Ends a garment: its result, its delivery record (if the tenant has its webhook on) and the day's count in one
 * transaction, or none of them; then the delivery is enqueued. Does nothing if the garment has ended or was claimed anew.
 */
export async function endGarment(db: Database, queue: Queue, garment: Active, ending: Ending, now: number) {
  const { tenantId, uuid, claimId } = garment
  const mine = sql`tenant_id = ${tenantId} AND uuid = ${uuid} AND status IN ('queuing', 'processing') AND claim_id IS ${claimId}`
  const result =
    ending.status === 'complete'
      ? { ...ending, failureReason: '' }
      : { ...ending, tag: null, measurements: null, description: '' }
  // The garment's own row comes last: the statements before it depend on the state that it ends.
  const isMine = sql`EXISTS (SELECT 1 FROM ${garments} WHERE ${mine})`
  const delivery = startDelivery(db, tenantId, uuid, isMine, now)
  const [started] = await db.batch([
    delivery.statement,
    countEnded(db, tenantId, ending.status, sql`SELECT count(*) FROM ${garments} WHERE ${mine}`, now),
    db
      .update(garments)
      .set({ ...result, claimId: null, dueAt: null, endedAt: now })
      .where(mine),
  ])
  if (started.length > 0) await enqueue(queue, delivery.message)
}
