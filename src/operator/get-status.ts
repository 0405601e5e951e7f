import { asc } from 'drizzle-orm'
import { z } from '@hono/zod-openapi'
import type { Database } from '../db/client.ts'
import { fullShare, maxDatabaseBytes } from '../db/databases/database-state.ts'
import { accountDatabase, getDatabase, listDatabases } from '../db/databases/find-database.ts'
import { databases, deadLetters, type opinionMonths, pauses } from '../db/schema.ts'
import { log } from '../log.ts'
import { everyTenant } from '../pause/is-paused.ts'
import { findBinding } from '../second-opinion/answer.ts'
import { monthOf, monthQuery } from '../second-opinion/budget.ts'
import { settingsOf } from '../settings.ts'
import { toIso } from '../time.ts'
import { addWork, maxListed, noWork, readWork, type WorkInDatabase } from './read-work.ts'

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
  /** Of the largest size that a database can have. */
  share: z.number(),
  takes_tenants: z.boolean(),
  last_sweep: lastSweep,
})

const opinions = z.object({
  mode: z.enum(['off', 'doubtful', 'always']),
  /** Whether there is a binding AI; without it nothing is asked. */
  bound: z.boolean(),
  model: z.string(),
  budget_dollars: z.number(),
  /** In UTC. */
  month: z.string(),
  /** Spent in the month. */
  month_dollars: z.number(),
  asked: z.number(),
  answered: z.number(),
})

export const statusSchema = z
  .object({
    tagging: work,
    deliveries: work,
    /** Of the largest database. */
    database_bytes: z.number(),
    databases: z.array(database),
    /** Of the database that was not swept for the longest time. */
    last_sweep: lastSweep,
    /** Tenants whose webhook the service has disabled. */
    disabled_webhooks: z.array(z.string()),
    second_opinion: opinions,
  })
  .openapi('Status')

type SweepState = typeof databases.$inferSelect

/** Waiting, failed and paused work, in one round trip to each database, all concurrently. */
export async function getStatus(env: Pick<Env, 'DB'>, nowMs: number): Promise<z.infer<typeof statusSchema>> {
  const accounts = accountDatabase(env)
  const numbers = listDatabases(env)
  const [[letters, paused, states, [month]], found] = await Promise.all([
    accounts.batch([
      accounts.select().from(deadLetters),
      accounts.select().from(pauses).orderBy(asc(pauses.tenantId)).limit(maxListed),
      accounts.select().from(databases),
      monthQuery(accounts, nowMs),
    ]),
    Promise.all(numbers.map(async (number) => await tryToRead(getDatabase(env, number), number, nowMs))),
  ])
  const all = found.reduce<WorkInDatabase>((sum, each) => (each === null ? sum : addWork(sum, each)), noWork)
  const describe = (what: 'tagging' | 'deliveries') => {
    const letter = letters.find(({ queue }) => queue === what)
    const pausedIds = paused.filter((pause) => pause[what]).map(({ tenantId }) => tenantId)
    return {
      waiting: all[what].waiting,
      oldest_age_seconds: Math.max(0, Math.floor((nowMs - (all[what].oldest ?? nowMs)) / 1000)),
      failed_last_hour: all[what].failed,
      dead_letters: letter?.count ?? 0,
      last_dead_letter_at: letter === undefined ? null : toIso(letter.lastAt),
      paused: pausedIds.includes(everyTenant),
      paused_tenants: pausedIds.filter((id) => id !== everyTenant),
    }
  }
  const stateOf = (number: number) => states.find((state) => state.number === number)
  const oldest = numbers.map(stateOf).sort((a, b) => (a?.sweptAt ?? 0) - (b?.sweptAt ?? 0))[0]
  const described = numbers.map((number, i) => describeDatabase(number, found[i] ?? null, stateOf(number)))
  return {
    tagging: describe('tagging'),
    deliveries: describe('deliveries'),
    database_bytes: Math.max(...described.map(({ bytes }) => bytes)),
    databases: described,
    last_sweep: describeSweep(oldest),
    disabled_webhooks: all.disabledWebhooks.slice(0, maxListed),
    second_opinion: describeOpinions(env, month, nowMs),
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

function describeDatabase(number: number, work: WorkInDatabase | null, state: SweepState | undefined) {
  const bytes = work?.bytes ?? state?.bytes ?? 0
  const share = bytes / maxDatabaseBytes
  return {
    number,
    responds: work !== null,
    bytes,
    share: Math.round(share * 10_000) / 10_000,
    takes_tenants: share < fullShare,
    last_sweep: describeSweep(state),
  }
}

const describeSweep = (state: SweepState | undefined) =>
  state === undefined ? null : { at: toIso(state.sweptAt), failed_parts: state.failedParts.split(', ').filter(Boolean) }

function describeOpinions(
  env: object,
  month: typeof opinionMonths.$inferSelect | undefined,
  nowMs: number,
): z.infer<typeof opinions> {
  const settings = settingsOf(env)
  return {
    mode: settings.SECOND_OPINION,
    bound: findBinding(env) !== undefined,
    model: settings.SECOND_OPINION_MODEL,
    budget_dollars: settings.SECOND_OPINION_BUDGET_DOLLARS,
    month: monthOf(nowMs),
    month_dollars: Math.round((month?.dollars ?? 0) * 1e6) / 1e6,
    asked: month?.asked ?? 0,
    answered: month?.answered ?? 0,
  }
}
