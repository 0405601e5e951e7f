import { and, eq, sql } from 'drizzle-orm'
import { type Database, runBatch } from '../platform/db/database.ts'
import { garments, retags, tenantState } from '../platform/db/schema.ts'
import type { TaggingMessage } from '../garments/turns.ts'
import { retagStatement } from '../garments/transitions.ts'
import { everyTenant } from '../platform/queue/is-paused.ts'
import { enqueueAll } from '../platform/queue/enqueue.ts'
import { databaseNumberOf, findDatabase, listDatabases } from '../platform/db/databases.ts'

/**
 * Garments of a range that one sweep enqueues. The number doubles while the previous step is tagged in time, so that a
 * long range uses only spare capacity.
 */
const minStep = 100
const maxStep = 2000

const maxRanges = 5

type Range = typeof retags.$inferSelect

type Found = Pick<typeof garments.$inferSelect, 'tenantId' | 'uuid' | 'revision' | 'createdAt'>

/** Enqueues the next garments of each range. Returns how many. */
export async function continueRetags(
  { db, queue }: { readonly db: Database; readonly queue: Queue<TaggingMessage> },
  nowMs: number,
): Promise<number> {
  let count = 0
  for (const range of await db.select().from(retags).limit(maxRanges)) {
    const step = await nextStep(db, range)
    const found = await findNext(db, range, step)
    const last = found.at(-1)
    const isTenants = eq(retags.tenantId, range.tenantId)
    if (last === undefined) {
      await db.delete(retags).where(isTenants)
      continue
    }
    const position = {
      positionTenantId: last.tenantId,
      positionAt: last.createdAt,
      positionUuid: last.uuid,
      stepSize: step,
    }
    await runBatch(db, {
      garments: retagStatement(db, found, nowMs),
      position: db.update(retags).set(position).where(isTenants),
    })
    const messages = found.map(({ tenantId, uuid, revision }) => ({ tenantId, uuid, revision }))
    await enqueueAll(queue, messages)
    count += found.length
  }
  return count
}

async function nextStep(db: Database, { stepSize, positionTenantId, positionUuid }: Range): Promise<number> {
  if (positionTenantId === '') return minStep
  const [last] = await db
    .select({ dueAt: garments.dueAt })
    .from(garments)
    .where(and(eq(garments.tenantId, positionTenantId), eq(garments.uuid, positionUuid)))
  const isWaiting = last !== undefined && last.dueAt !== null
  return isWaiting ? Math.max(minStep, Math.floor(stepSize / 2)) : Math.min(maxStep, stepSize * 2)
}

/** Finds the next garments, tenant by tenant. CROSS JOIN fixes the order of loops, so that SQLite uses the index. */
async function findNext(db: Database, range: Range, step: number): Promise<Found[]> {
  const { positionTenantId, positionAt, positionUuid, fromAt, untilAt } = range
  const from = sql`iif(tenant.tenant_id = ${positionTenantId}, ${positionAt}, ${fromAt})`
  return await db.all<Found>(sql`
    SELECT old.tenant_id AS tenantId, old.uuid, old.revision, old.created_at AS createdAt
    FROM ${tenantState} AS tenant CROSS JOIN ${garments} AS old INDEXED BY garments_ended
    WHERE tenant.tenant_id >= ${positionTenantId} ${range.tenantId === everyTenant ? sql`` : sql`AND tenant.tenant_id = ${range.tenantId}`}
      AND old.tenant_id = tenant.tenant_id AND old.status = 'complete' AND old.ended_at IS NOT NULL
      AND old.created_at >= ${from} AND old.created_at < ${untilAt}
      AND (old.tenant_id, old.created_at, old.uuid) > (${positionTenantId}, ${positionAt}, ${positionUuid})
    ORDER BY tenant.tenant_id, old.created_at, old.uuid LIMIT ${step}`)
}

export interface RetagRange {
  readonly fromMs: number
  readonly toMs: number
  readonly tenant?: string | undefined
}

/**
 * Starts to tag the complete garments of a range again. Replaces a range in progress. If a database cannot be reached,
 * throws after the other databases have started. Safe to repeat.
 */
export async function startRetag(env: Pick<Env, 'DB'>, { fromMs, toMs, tenant }: RetagRange): Promise<void> {
  const row = {
    tenantId: tenant ?? everyTenant,
    fromAt: fromMs,
    untilAt: toMs,
    positionTenantId: '',
    positionAt: fromMs,
    positionUuid: '',
    stepSize: 100,
  }
  const numbers = tenant === undefined ? listDatabases(env) : [databaseNumberOf(tenant)]
  const results = await Promise.allSettled(
    numbers.map(async (number) => {
      await findDatabase(env, number)
        ?.insert(retags)
        .values(row)
        .onConflictDoUpdate({ target: retags.tenantId, set: row })
    }),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
