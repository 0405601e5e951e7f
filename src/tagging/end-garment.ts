import { sql } from 'drizzle-orm'
import { batch } from '../db/batch.ts'
import type { Database } from '../db/client.ts'
import { dayOf } from '../usage/day.ts'
import { newId } from '../db/ids.ts'
import { dailyCounts, deliveries, garments, webhookConfigs } from '../db/schema.ts'
import { enqueue, queueGraceMs } from '../queue/enqueue.ts'
import type { DeliveryMessage } from '../webhook/delivery/message.ts'

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
      ? { ...ending, tag: JSON.stringify(ending.tag), measurements: JSON.stringify(ending.measurements), reason: '' }
      : { status: ending.status, tag: null, measurements: null, description: '', reason: ending.failureReason }
  // The garment's own row comes last: the statements before it are bound to the state that it ends.
  const [[delivery] = []] = await batch(db, [
    sql`
      INSERT INTO ${deliveries} (id, tenant_id, garment_uuid, status, next_attempt_at, due_at, created_at, updated_at)
      SELECT ${newId()}, ${tenantId}, ${uuid}, 'pending', ${now}, ${now + queueGraceMs}, ${now}, ${now}
      FROM ${webhookConfigs} WHERE tenant_id = ${tenantId} AND enabled = 1
        AND EXISTS (SELECT 1 FROM ${garments} WHERE ${mine})
      ON CONFLICT (tenant_id, garment_uuid) DO UPDATE SET
        id = excluded.id, status = 'pending', attempt_count = 0, last_attempt_at = NULL,
        next_attempt_at = excluded.next_attempt_at, last_error = '', response_status = 0, claim_id = NULL,
        lease_until = NULL, claims = 0, redelivered_from = NULL, due_at = excluded.due_at, created_at = excluded.created_at, updated_at = excluded.updated_at
      RETURNING id`,
    sql`
      INSERT INTO ${dailyCounts} (tenant_id, day, kind, count)
      SELECT ${tenantId}, ${dayOf(now)}, ${ending.status}, 1
      WHERE EXISTS (SELECT 1 FROM ${garments} WHERE ${mine})
      ON CONFLICT (tenant_id, day, kind) DO UPDATE SET count = count + 1`,
    sql`
      UPDATE ${garments} SET status = ${result.status}, claim_id = NULL, due_at = NULL, ended_at = ${now},
        tag = ${result.tag}, measurements = ${result.measurements}, description = ${result.description},
        failure_reason = ${result.reason}
      WHERE ${mine}`,
  ])
  if (delivery === undefined) return
  await enqueue(queue, { tenantId, deliveryId: String(delivery['id']), attempt: 1 } satisfies DeliveryMessage)
}
