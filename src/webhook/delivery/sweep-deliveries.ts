import { sql } from 'drizzle-orm'
import { batch } from '../../db/batch.ts'
import { openDatabase, type Database } from '../../db/client.ts'
import { deliveries } from '../../db/schema.ts'
import { maxClaims } from './claim-attempt.ts'
import { endStatements } from './end-pending.ts'
import type { DeliveryMessage } from './message.ts'

/** `sendBatch` takes at most 100 messages. */
const stepSize = 100
const maxSteps = 100

const minPauseMs = 60_000
const maxPauseMs = 60 * 60_000

interface Due {
  readonly id: string
  readonly tenant_id: string
  readonly attempt_count: number
  readonly claims: number
}

/**
 * Enqueues deliveries again whose message, dispatcher or process was lost, oldest first, at most 10,000 a sweep. Each
 * time a delivery waits longer for its next sweep (half of what it is overdue, at most an hour), so that a tenant's long
 * backlog is neither multiplied nor in the way of others. One that brought us down again and again ends. Returns how
 * many were due.
 */
export async function sweepDeliveries(env: Pick<Env, 'DB' | 'WEBHOOK_QUEUE'>, now: number): Promise<number> {
  const db = openDatabase(env.DB)
  let count = 0
  for (let step = 0; step < maxSteps; step++) {
    const due = await takeDue(db, now)
    const messages = due
      .filter(({ claims }) => claims < maxClaims)
      .map(({ id, tenant_id, attempt_count }) => ({
        body: { tenantId: tenant_id, deliveryId: id, attempt: attempt_count + 1 } satisfies DeliveryMessage,
      }))
    if (messages.length > 0) await env.WEBHOOK_QUEUE.sendBatch(messages)
    for (const { id, tenant_id } of due.filter(({ claims }) => claims >= maxClaims))
      await batch(db, endStatements(tenant_id, sql`id = ${id} AND claims >= ${maxClaims}`, gaveUp, now))
    count += due.length
    if (due.length < stepSize) break
  }
  return count
}

const gaveUp = 'The service failed repeatedly while making this attempt; redeliver it'

/** The state first, then the queue: should the queue fail, they come round again. */
async function takeDue(db: Database, now: number): Promise<Due[]> {
  return db.all<Due>(sql`
    UPDATE ${deliveries}
    SET due_at = ${now} + max(${minPauseMs}, min(${maxPauseMs}, (${now} - coalesce(next_attempt_at, created_at)) / 2))
    WHERE id IN (
      SELECT id FROM ${deliveries} WHERE due_at IS NOT NULL AND due_at <= ${now} ORDER BY due_at LIMIT ${stepSize}
    )
    RETURNING id, tenant_id, attempt_count, claims`)
}
