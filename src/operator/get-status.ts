import { asc, eq, ne, sql, type SQL } from 'drizzle-orm'
import { z } from '@hono/zod-openapi'
import type { Database } from '../db/client.ts'
import { deadLetters, deliveries, garments, heartbeats, pauses, tenants, webhookConfigs } from '../db/schema.ts'
import { everyTenant } from '../pause/is-paused.ts'

const hourMs = 3600_000

/** Caps counts, to avoid scanning a large backlog. */
const maxCounted = 10_000
/** The ages of more are not compared, so that the database is not held up for long. */
const maxAged = 100_000
const maxListed = 100

const work = z.object({
  /** Not ended yet, 10,000 at most. */
  waiting: z.number(),
  /** The age of the oldest waiting item, of 100,000 at most; 0 if nothing waits. */
  oldest_age_seconds: z.number(),
  /** Made and failed within the last hour. */
  failed_last_hour: z.number(),
  dead_letters: z.number(),
  last_dead_letter_at: z.string().nullable(),
  /** Whether it is paused for all tenants. */
  paused: z.boolean(),
  paused_tenants: z.array(z.string()),
})

export const statusSchema = z
  .object({
    tagging: work,
    deliveries: work,
    database_bytes: z.number(),
    /** When the last sweep ended, and which of its parts failed; null before the first one. */
    last_sweep: z.object({ at: z.string(), failed_parts: z.array(z.string()) }).nullable(),
    /** Tenants whose webhook the service has disabled. */
    disabled_webhooks: z.array(z.string()),
  })
  .openapi('Status')

/** What waits, what failed and what is paused, in one round trip. */
export async function getStatus(db: Database, nowMs: number): Promise<z.infer<typeof statusSchema>> {
  const [garmentsWaiting, deliveriesWaiting, garmentsFailed, deliveriesFailed, letters, paused, disabled, [sweep]] =
    await db.batch([
      waitingIn(db, sql`${garments} INDEXED BY garments_active`, sql`AND ended_at IS NULL`),
      waitingIn(db, sql`${deliveries} INDEXED BY deliveries_due`),
      failedIn(db, garments, 'failed', nowMs),
      failedIn(db, deliveries, 'permanently_failed', nowMs),
      db.select().from(deadLetters),
      db.select().from(pauses).orderBy(asc(pauses.tenantId)).limit(maxListed),
      db
        .select({ tenantId: webhookConfigs.tenantId })
        .from(webhookConfigs)
        .where(ne(webhookConfigs.disabledReason, ''))
        .limit(maxListed),
      db.select().from(heartbeats).where(eq(heartbeats.name, 'sweep')),
    ])
  const { meta } = await db.run(sql`SELECT 1`)
  const describe = (
    what: 'tagging' | 'deliveries',
    [waiting]: typeof garmentsWaiting,
    [failed]: typeof garmentsFailed,
  ) => {
    const letter = letters.find(({ queue }) => queue === what)
    const pausedIds = paused.filter((pause) => pause[what]).map(({ tenantId }) => tenantId)
    return {
      waiting: waiting?.count ?? 0,
      oldest_age_seconds: Math.max(0, Math.floor((nowMs - (waiting?.oldest ?? nowMs)) / 1000)),
      failed_last_hour: failed?.count ?? 0,
      dead_letters: letter?.count ?? 0,
      last_dead_letter_at: letter === undefined ? null : new Date(letter.lastAt).toISOString(),
      paused: pausedIds.includes(everyTenant),
      paused_tenants: pausedIds.filter((id) => id !== everyTenant),
    }
  }
  return {
    tagging: describe('tagging', garmentsWaiting, garmentsFailed),
    deliveries: describe('deliveries', deliveriesWaiting, deliveriesFailed),
    database_bytes: meta.size_after,
    last_sweep:
      sweep === undefined
        ? null
        : { at: new Date(sweep.at).toISOString(), failed_parts: sweep.failedParts.split(', ').filter(Boolean) },
    disabled_webhooks: disabled.map(({ tenantId }) => tenantId),
  }
}

type Work = typeof garments | typeof deliveries

/**
 * Scans the index of unfinished work, which SQLite does not choose without `INDEXED BY`. Its order is not that of age.
 */
const waitingIn = (db: Database, table: SQL, condition = sql``) =>
  db
    .select({ count: sql<number>`min(count(*), ${maxCounted})`, oldest: sql<number | null>`min(created_at)` })
    .from(sql`(SELECT created_at FROM ${table} WHERE due_at IS NOT NULL ${condition} LIMIT ${maxAged})`)

/** From tenant to tenant, because the index on the status begins with the tenant. */
const failedIn = (db: Database, table: Work, status: string, nowMs: number) =>
  db.select({ count: sql<number>`count(*)` }).from(sql`(
    SELECT 1 FROM ${tenants} AS tenant CROSS JOIN ${table} AS made
    WHERE made.tenant_id = tenant.id AND made.status = ${status} AND made.created_at > ${nowMs - hourMs}
      ${table === garments ? sql`AND made.ended_at IS NOT NULL` : sql`AND made.due_at IS NULL`}
    LIMIT ${maxCounted}
  )`)
