import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { batch } from '../../db/batch.ts'
import type { Database } from '../../db/client.ts'
import { dayOf } from '../../usage/day.ts'
import { dailyCounts, deliveries, deliveryAttempts, webhookConfigs } from '../../db/schema.ts'
import { queueGraceMs } from '../../queue/enqueue.ts'
import type { Answer } from '../request/call-receiver.ts'
import type { Claim } from './claim-attempt.ts'
import type { Decision } from './next-state.ts'
import { endStatements } from './end-pending.ts'
import { switchedOff } from '../config/put-config.ts'

export interface Noted {
  /** When the next attempt is due, ms since epoch; null if the delivery has ended. */
  readonly nextAttemptAt: number | null
  readonly failingSince: number | null
}

const notedRow = z.object({ next_attempt_at: z.number().nullable(), failing_since: z.number().nullable() })

/**
 * Notes an attempt: its row, the delivery's new state, the receiver's failing or not, and the day's count, in one
 * transaction that holds only while the claim does. Null if the claim was lost, that is if somebody else has noted the
 * attempt or ended the delivery. Repeating it is harmless, so that a note whose answer was lost can be made again.
 */
export async function noteAttempt(
  db: Database,
  { delivery, attempt }: Claim,
  answer: Answer,
  decision: Decision,
  startedAt: number,
  now: number,
): Promise<Noted | null> {
  const { id, tenantId, claimId } = delivery
  const mine = sql`EXISTS (SELECT 1 FROM ${deliveries} WHERE id = ${id} AND claim_id = ${claimId})`
  const trigger = delivery.redeliveredFrom === null ? 'automatic' : 'manual'
  const { status, nextAttemptAt } = decision
  // A manual redelivery that leaves a delivery as it was is no new ending.
  const ended = status === 'pending' || status === delivery.redeliveredFrom ? 0 : 1
  const off = sql`id = ${id} AND attempt_count = ${attempt} AND lease_until IS NULL
    AND NOT EXISTS (SELECT 1 FROM ${webhookConfigs} WHERE tenant_id = ${tenantId} AND enabled = 1)`
  const results = await batch(db, [
    sql`
      INSERT INTO ${deliveryAttempts} (id, tenant_id, delivery_id, at, duration_ms, response_status, error, response_body, trigger)
      SELECT ${`${id}.${attempt}`}, ${tenantId}, ${id}, ${startedAt}, ${answer.durationMs}, ${answer.status},
        ${answer.error}, ${answer.body}, ${trigger}
      WHERE ${mine} ON CONFLICT DO NOTHING`,
    sql`
      UPDATE ${webhookConfigs} SET failing_since = ${answer.ok ? null : now}
      WHERE tenant_id = ${tenantId} AND ${mine} AND (failing_since IS NULL) <> ${answer.ok ? 1 : 0}`,
    sql`
      INSERT INTO ${dailyCounts} (tenant_id, day, kind, count)
      SELECT ${tenantId}, ${dayOf(now)}, ${status}, 1 WHERE ${ended} AND ${mine}
      ON CONFLICT (tenant_id, day, kind) DO UPDATE SET count = count + 1`,
    sql`
      UPDATE ${deliveries} SET status = ${status}, attempt_count = ${attempt}, last_attempt_at = ${startedAt},
        next_attempt_at = ${nextAttemptAt}, due_at = ${nextAttemptAt === null ? null : nextAttemptAt + queueGraceMs},
        last_error = ${answer.error}, response_status = ${answer.status}, claim_id = NULL, lease_until = NULL,
        claims = 0, redelivered_from = NULL, updated_at = ${now}
      WHERE id = ${id} AND claim_id = ${claimId}`,
    // Switched off while the attempt was being made: it must not wait, pending, for an attempt that nobody will make.
    ...(status === 'pending' ? endStatements(tenantId, off, switchedOff, now) : []),
    sql`
      SELECT next_attempt_at, (SELECT failing_since FROM ${webhookConfigs} WHERE tenant_id = ${tenantId}) AS failing_since
      FROM ${deliveries} WHERE id = ${id} AND tenant_id = ${tenantId} AND attempt_count = ${attempt}`,
  ])
  const after = results.at(-1)?.[0]
  if (after === undefined) return null
  const { next_attempt_at, failing_since } = notedRow.parse(after)
  return { nextAttemptAt: next_attempt_at, failingSince: failing_since }
}

/** Ends a claimed delivery without an attempt. */
export async function endWithoutAttempt(db: Database, { delivery }: Claim, reason: string, now: number): Promise<void> {
  await batch(
    db,
    endStatements(delivery.tenantId, sql`id = ${delivery.id} AND claim_id = ${delivery.claimId}`, reason, now),
  )
}

/** Gives a claimed delivery back for `dueAt`, when the sweep enqueues it: a deferral is not an attempt. */
export async function deferAttempt(db: Database, { delivery }: Claim, dueAt: number): Promise<void> {
  await db
    .update(deliveries)
    .set({ claimId: null, leaseUntil: null, claims: 0, nextAttemptAt: dueAt, dueAt })
    .where(and(eq(deliveries.id, delivery.id), eq(deliveries.claimId, delivery.claimId)))
}
