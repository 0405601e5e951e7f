import { asc, sql, type SQL } from 'drizzle-orm'
import { z } from '@hono/zod-openapi'
import { type Database, runBatch } from '../platform/db/database.ts'
import { databases, deadLetters, deliveries, garments, pauses, webhookEndpoints } from '../platform/db/schema.ts'
import { hourMs, toIso } from '../time.ts'
import {
  accountDatabase,
  getDatabase,
  listDatabases,
  maxDatabaseBytes,
  takesTenants,
} from '../platform/db/databases.ts'
import { log } from '../log.ts'
import { queuedGarments, retriedGarments, waitsForRetry } from '../garments/turns.ts'
import { everyTenant } from '../platform/queue/is-paused.ts'

/** Caps counts, to avoid scanning a large backlog. */
const maxCounted = 10_000
/** The ages of more are not compared, so that the database is not held up for long. */
const maxAged = 100_000
const maxListed = 100

type WorkInDatabase = Awaited<ReturnType<typeof readWork>>

/**
 * What waits in a database, when the oldest of it was made (ms since the epoch, null if nothing waits), what was made
 * and failed within the last hour, and the tenants of which the service has disabled an endpoint. In one round trip.
 */
async function readWork(db: Database, nowMs: number) {
  const { garmentsWaiting, deliveriesWaiting, garmentsFailed, deliveriesFailed, disabled } = await runBatch(db, {
    garmentsWaiting: waitingIn(db, [
      sql`${queuedGarments} WHERE queued_at IS NOT NULL AND ended_at IS NULL`,
      sql`${retriedGarments} WHERE ${waitsForRetry} AND ended_at IS NULL`,
    ]),
    deliveriesWaiting: waitingIn(db, [sql`${deliveries} INDEXED BY deliveries_due WHERE due_at IS NOT NULL`]),
    garmentsFailed: failedIn(db, sql`${garments} INDEXED BY garments_failed WHERE status = 'failed'`, nowMs),
    deliveriesFailed: failedIn(
      db,
      sql`${deliveries} INDEXED BY deliveries_failed WHERE status = 'permanently_failed'`,
      nowMs,
    ),
    disabled: db
      .selectDistinct({ tenantId: webhookEndpoints.tenantId })
      .from(webhookEndpoints)
      // In the words of the index.
      .where(sql`disabled_reason <> ''`)
      .limit(maxListed),
  })
  const { meta } = await db.run(sql`SELECT 1`)
  const toWork = ([waiting]: typeof garmentsWaiting, [failed]: typeof garmentsFailed) => ({
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

/**
 * Scans the indexes of unfinished work, which SQLite does not choose without `INDEXED BY`. Its order is not that of
 * age.
 */
const waitingIn = (db: Database, found: readonly SQL[]) =>
  db.select({ count: sql<number>`min(count(*), ${maxCounted})`, oldest: sql<number | null>`min(created_at)` }).from(
    sql`(${sql.join(
      found.map((waiting) => sql`SELECT created_at FROM ${waiting}`),
      sql` UNION ALL `,
    )} LIMIT ${maxAged})`,
  )

const failedIn = (db: Database, failed: SQL, nowMs: number) =>
  db
    .select({ count: sql<number>`count(*)` })
    .from(sql`(SELECT 1 FROM ${failed} AND created_at > ${nowMs - hourMs} LIMIT ${maxCounted})`)

const work = z.object({
  /** Not ended yet, 10,000 at most. */
  waiting: z.number(),
  /** The age of the oldest waiting item, of 100,000 in each database at most; 0 if nothing waits. */
  oldest_age_seconds: z.number(),
  /** Made and failed within the last hour. */
  failed_last_hour: z.number(),
  dead_letters: z.number(),
  last_dead_letter_at: z.string().nullable(),
  /** Whether it is paused for all tenants. */
  paused: z.boolean(),
  paused_tenants: z.array(z.string()),
})

/** When the last sweep ended, and which of its parts failed; null before the first one. */
const lastSweep = z.object({ at: z.string(), failed_parts: z.array(z.string()) }).nullable()

const database = z.object({
  /** 1 is the binding DB, 2 is DB2. */
  number: z.number(),
  /** If not, what waits in it is missing above, and its size is that of its last sweep. */
  responds: z.boolean(),
  bytes: z.number(),
  /** Share of the largest size that a database can have. */
  share: z.number(),
  takes_tenants: z.boolean(),
  last_sweep: lastSweep,
})

export const statusSchema = z
  .object({
    tagging: work,
    deliveries: work,
    /** Bytes of the largest database. */
    database_bytes: z.number(),
    databases: z.array(database),
    /** When the database was swept that was not swept for the longest time. */
    last_sweep: lastSweep,
    /** Tenants whose webhook the service has disabled. */
    disabled_webhooks: z.array(z.string()),
  })
  .openapi('Status')

type SweepState = typeof databases.$inferSelect

/** Waiting, failed and paused work, in one round trip to each database, all concurrently. */
export async function getStatus(env: Pick<Env, 'DB'>, nowMs: number): Promise<z.infer<typeof statusSchema>> {
  const accounts = accountDatabase(env)
  const numbers = listDatabases(env)
  const [{ letters, paused, states }, found] = await Promise.all([
    runBatch(accounts, {
      letters: accounts.select().from(deadLetters),
      paused: accounts.select().from(pauses).orderBy(asc(pauses.tenantId)).limit(maxListed),
      states: accounts.select().from(databases),
    }),
    Promise.all(numbers.map(async (number) => await tryToRead(getDatabase(env, number), number, nowMs))),
  ])
  const read = found.filter((each) => each !== null)
  const describe = (what: 'tagging' | 'deliveries') => {
    const sumOf = (name: 'waiting' | 'failed') => read.reduce((sum, each) => sum + each[what][name], 0)
    const oldest = Math.min(nowMs, ...read.map((each) => each[what].oldest ?? nowMs))
    const letter = letters.find(({ queue }) => queue === what)
    const pausedIds = paused.filter((pause) => pause[what]).map(({ tenantId }) => tenantId)
    return {
      waiting: Math.min(sumOf('waiting'), maxCounted),
      oldest_age_seconds: Math.floor((nowMs - oldest) / 1000),
      failed_last_hour: sumOf('failed'),
      dead_letters: letter?.count ?? 0,
      last_dead_letter_at: letter === undefined ? null : toIso(letter.lastAt),
      paused: pausedIds.includes(everyTenant),
      paused_tenants: pausedIds.filter((id) => id !== everyTenant),
    }
  }
  const stateOf = (number: number) => states.find((state) => state.number === number)
  const oldest = numbers.map(stateOf).sort((a, b) => (a?.sweptAt ?? 0) - (b?.sweptAt ?? 0))[0]
  const described = numbers.map((number, i) => describeDatabase(numbers, number, found[i] ?? null, stateOf(number)))
  return {
    tagging: describe('tagging'),
    deliveries: describe('deliveries'),
    database_bytes: Math.max(...described.map(({ bytes }) => bytes)),
    databases: described,
    last_sweep: describeSweep(oldest),
    disabled_webhooks: read.flatMap(({ disabledWebhooks }) => disabledWebhooks).slice(0, maxListed),
  }
}

async function tryToRead(db: Database, number: number, nowMs: number): Promise<WorkInDatabase | null> {
  try {
    return await readWork(db, nowMs)
  } catch (error) {
    log('error', 'database not read for the status', { database: number, error })
    return null
  }
}

function describeDatabase(
  numbers: readonly number[],
  number: number,
  work: WorkInDatabase | null,
  state: SweepState | undefined,
) {
  const bytes = work?.bytes ?? state?.bytes ?? 0
  const share = bytes / maxDatabaseBytes
  return {
    number,
    responds: work !== null,
    bytes,
    share: Math.round(share * 10_000) / 10_000,
    takes_tenants: takesTenants(number, bytes, numbers),
    last_sweep: describeSweep(state),
  }
}

const describeSweep = (state: SweepState | undefined) =>
  state === undefined ? null : { at: toIso(state.sweptAt), failed_parts: state.failedParts.split(', ').filter(Boolean) }
