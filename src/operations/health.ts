import { sql } from 'drizzle-orm'
import { createRoute, z } from '@hono/zod-openapi'
import { ApiError } from '../platform/http/errors.ts'
import { accountDatabase, getDatabase, listDatabases, maxSweepAgeMs } from '../platform/db/databases.ts'
import { databases } from '../platform/db/schema.ts'
import { minuteMs } from '../time.ts'
import { log } from '../log.ts'
import { ok, responses } from '../platform/http/envelope.ts'
import { byAnyone, createRouter } from '../platform/http/router.ts'

const notHealthy = (problem: string) => new ApiError('not_healthy', 'Not healthy', [problem])

/** Anyone may ask, so an isolate reads the databases once in this time, also while they do not respond. */
const rememberedMs = 10_000

/** For the first sweep of a new database: the platform may take so long to run the first cron trigger of a service. */
const firstSweepMs = 15 * minuteMs

/** `healthyUntil` is null if a database did not respond. */
let remembered: { readonly askedAt: number; readonly healthyUntil: number | null } | undefined

/**
 * Throws 503 if the accounts cannot be read or the last sweep of any database is older than three minutes, which also
 * means that it does not respond. A new database has time for its first sweep. For monitors.
 */
export async function checkHealth(env: Pick<Env, 'DB'>, nowMs: number): Promise<void> {
  if (remembered === undefined || Math.abs(nowMs - remembered.askedAt) >= rememberedMs) {
    // Who asks during the read gets the former answer. They cannot wait for it: it may end with the request it is of.
    if (remembered !== undefined) remembered = { ...remembered, askedAt: nowMs }
    remembered = { askedAt: nowMs, healthyUntil: await readSweeps(env) }
  }
  const { healthyUntil } = remembered
  if (healthyUntil === null) throw notHealthy('The database does not respond.')
  if (nowMs > healthyUntil) throw notHealthy('The background work of the service has not run for three minutes.')
}

async function readSweeps(env: Pick<Env, 'DB'>): Promise<number | null> {
  try {
    const states = await accountDatabase(env).select().from(databases)
    const times = new Map(states.map((state) => [state.number, state.sweptAt + maxSweepAgeMs]))
    const all = listDatabases(env).map(async (number) => times.get(number) ?? (await firstSweepBy(env, number)))
    return Math.min(...(await Promise.all(all)))
  } catch (error) {
    log('error', 'health check failed', { error })
    return null
  }
}

/** Counted from the last migration, because a deployment applies it just before the first sweep. */
async function firstSweepBy(env: Pick<Env, 'DB'>, number: number): Promise<number> {
  const [row] = await getDatabase(env, number).all<{ at: number | null }>(
    sql`SELECT unixepoch(max(applied_at)) * 1000 AS at FROM d1_migrations`,
  )
  return (row?.at ?? 0) + firstSweepMs
}

const healthRoute = createRoute({
  method: 'get',
  path: '/health',
  operationId: 'checkHealth',
  summary: 'Ask whether the service answers',
  description:
    'For monitors. With `deep=1` it also fails when the database does not respond, or when the background work of a ' +
    'database has not run for three minutes.',
  security: byAnyone,
  request: { query: z.object({ deep: z.string('must be given once').optional().openapi({ example: '1' }) }) },
  responses: responses(z.object({}), {}, [notHealthy('The database does not respond.')]),
})

export const healthRoutes = createRouter().openapi(healthRoute, async (c) => {
  if (c.req.valid('query').deep !== undefined) await checkHealth(c.env, Date.now())
  return ok(c, {})
})
