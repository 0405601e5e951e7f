import { asc, isNotNull, sql, type SQL } from 'drizzle-orm'
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

/** Bounds the scan of a large backlog. */
const maxCounted = 10_000
/** Limits the rows whose ages are compared. */
const maxAged = 100_000
const maxListed = 100

type WorkInDatabase = Awaited<ReturnType<typeof readWork>>

async function readWork(db: Database, nowMs: number) {
  const { garmentsWaiting, deliveriesWaiting, garmentsFailed, deliveriesFailed, disabled } = await runBatch(db, {
    garmentsWaiting: waitingIn(sql`
      SELECT created_at FROM ${queuedGarments} WHERE queued_at IS NOT NULL AND ended_at IS NULL
      UNION ALL SELECT created_at FROM ${retriedGarments} WHERE ${waitsForRetry} AND ended_at IS NULL`),
    deliveriesWaiting: waitingIn(sql`
      SELECT created_at FROM ${deliveries} INDEXED BY deliveries_due WHERE due_at IS NOT NULL`),
    garmentsFailed: failedIn(sql`${garments} INDEXED BY garments_failed WHERE status = 'failed'`, nowMs),
    deliveriesFailed: failedIn(
      sql`${deliveries} INDEXED BY deliveries_failed WHERE status = 'permanently_failed'`,
      nowMs,
    ),
    disabled: db
      .selectDistinct({ tenantId: webhookEndpoints.tenantId })
      .from(webhookEndpoints)
      .where(isNotNull(webhookEndpoints.disabledReason))
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

/** Scans the partial indexes of unfinished work, which SQLite uses only with `INDEXED BY`. */
const waitingIn = (waiting: SQL) =>
  sql<{ readonly count: number; readonly oldest: number | null }>`
    SELECT count(*) AS count, min(created_at) AS oldest FROM (${waiting} LIMIT ${maxAged})`

const failedIn = (failed: SQL, nowMs: number) =>
  sql<{ readonly count: number }>`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM ${failed} AND created_at > ${nowMs - hourMs} LIMIT ${maxCounted})`

const work = z.object({
  waiting: z.number().openapi({ description: 'Not ended yet, at most 10,000.' }),
  oldest_age_seconds: z.number().openapi({ description: 'Age of the oldest waiting item; 0 if nothing waits.' }),
  failed_last_hour: z.number().openapi({ description: 'Created and failed within the last hour.' }),
  dead_letters: z.number(),
  last_dead_letter_at: z.string().nullable(),
  paused: z.boolean().openapi({ description: 'Whether the work is paused for all tenants.' }),
  paused_tenants: z.array(z.string()),
})

/** Null before the database's first sweep. */
const lastSweep = z.object({ at: z.string(), failed_parts: z.array(z.string()) }).nullable()

const database = z.object({
  number: z.number().openapi({ description: '1 is the binding DB, 2 is DB2.' }),
  responds: z
    .boolean()
    .openapi({ description: 'If false, its work is missing above, and `bytes` is from its last sweep.' }),
  bytes: z.number(),
  share: z.number().openapi({ description: 'Share of the maximum size of a database.' }),
  takes_tenants: z.boolean(),
  last_sweep: lastSweep,
})

export const statusSchema = z
  .object({
    tagging: work,
    deliveries: work,
    database_bytes: z.number().openapi({ description: 'Size of the largest database.' }),
    databases: z.array(database),
    last_sweep: lastSweep.openapi({ description: 'The oldest of the last sweeps of all databases.' }),
    disabled_webhooks: z
      .array(z.string())
      .openapi({ description: 'Tenants with a webhook endpoint that the service has disabled.' }),
  })
  .openapi('Status')

type SweepState = typeof databases.$inferSelect

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
  state === undefined ? null : { at: toIso(state.sweptAt), failed_parts: [...state.failedParts] }
