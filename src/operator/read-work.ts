import { ne, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { deliveries, garments, tenantState, webhookEndpoints } from '../db/schema.ts'
import { hourMs } from '../time.ts'

/** Caps counts, to avoid scanning a large backlog. */
const maxCounted = 10_000
/** The ages of more are not compared, so that the database is not held up for long. */
const maxAged = 100_000
export const maxListed = 100

interface Work {
  readonly waiting: number
  /** When the oldest waiting item was made, ms since the epoch; null if nothing waits. */
  readonly oldest: number | null
  /** Made and failed within the last hour. */
  readonly failed: number
}

export interface WorkInDatabase {
  readonly tagging: Work
  readonly deliveries: Work
  readonly bytes: number
  /** Tenants of which the service has disabled an endpoint. */
  readonly disabledWebhooks: readonly string[]
}

const nothing: Work = { waiting: 0, oldest: null, failed: 0 }
export const noWork: WorkInDatabase = { tagging: nothing, deliveries: nothing, bytes: 0, disabledWebhooks: [] }

/** What waits in a database and what failed there, in one round trip. */
export async function readWork(db: Database, nowMs: number): Promise<WorkInDatabase> {
  const [garmentsWaiting, deliveriesWaiting, garmentsFailed, deliveriesFailed, disabled] = await db.batch([
    waitingIn(db, sql`${garments} INDEXED BY garments_active`, sql`AND ended_at IS NULL`),
    waitingIn(db, sql`${deliveries} INDEXED BY deliveries_due`),
    failedIn(db, garments, 'failed', nowMs),
    failedIn(db, deliveries, 'permanently_failed', nowMs),
    db
      .selectDistinct({ tenantId: webhookEndpoints.tenantId })
      .from(webhookEndpoints)
      .where(ne(webhookEndpoints.disabledReason, ''))
      .limit(maxListed),
  ])
  const { meta } = await db.run(sql`SELECT 1`)
  const toWork = ([waiting]: typeof garmentsWaiting, [failed]: typeof garmentsFailed): Work => ({
    waiting: waiting?.count ?? 0,
    oldest: waiting?.oldest ?? null,
    failed: failed?.count ?? 0,
  })
  return {
    tagging: toWork(garmentsWaiting, garmentsFailed),
    deliveries: toWork(deliveriesWaiting, deliveriesFailed),
    bytes: meta.size_after,
    disabledWebhooks: disabled.map(({ tenantId }) => tenantId),
  }
}

/** The work of two databases together. */
export function addWork(a: WorkInDatabase, b: WorkInDatabase): WorkInDatabase {
  const add = (x: Work, y: Work): Work => ({
    waiting: Math.min(x.waiting + y.waiting, maxCounted),
    oldest: x.oldest === null || y.oldest === null ? (x.oldest ?? y.oldest) : Math.min(x.oldest, y.oldest),
    failed: x.failed + y.failed,
  })
  return {
    tagging: add(a.tagging, b.tagging),
    deliveries: add(a.deliveries, b.deliveries),
    bytes: a.bytes + b.bytes,
    disabledWebhooks: [...a.disabledWebhooks, ...b.disabledWebhooks],
  }
}

type WorkTable = typeof garments | typeof deliveries

/**
 * Scans the index of unfinished work, which SQLite does not choose without `INDEXED BY`. Its order is not that of age.
 */
const waitingIn = (db: Database, table: SQL, condition = sql``) =>
  db
    .select({ count: sql<number>`min(count(*), ${maxCounted})`, oldest: sql<number | null>`min(created_at)` })
    .from(sql`(SELECT created_at FROM ${table} WHERE due_at IS NOT NULL ${condition} LIMIT ${maxAged})`)

/** From tenant to tenant, because the index on the status begins with the tenant. */
const failedIn = (db: Database, table: WorkTable, status: string, nowMs: number) =>
  db.select({ count: sql<number>`count(*)` }).from(sql`(
    SELECT 1 FROM ${tenantState} AS tenant CROSS JOIN ${table} AS made
    WHERE made.tenant_id = tenant.tenant_id AND made.status = ${status} AND made.created_at > ${nowMs - hourMs}
      ${table === garments ? sql`AND made.ended_at IS NOT NULL` : sql`AND made.due_at IS NULL`}
    LIMIT ${maxCounted}
  )`)
