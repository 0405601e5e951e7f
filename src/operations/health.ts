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

/** An isolate reads the databases at most once in this time, because anyone may ask. */
const rememberedMs = 10_000

/** The platform may take this long to run the first cron trigger of a new service. */
const firstSweepMs = 15 * minuteMs

let remembered: { readonly askedAt: number; readonly healthyUntil: number | null } | undefined

/**
 * Throws 503 if the accounts database cannot be read or any database was not swept for three minutes. A database that
 * does not respond is not swept either. A new database has 15 minutes for its first sweep.
 */
export async function checkHealth(env: Pick<Env, 'DB'>, nowMs: number): Promise<void> {
  if (remembered === undefined || Math.abs(nowMs - remembered.askedAt) >= rememberedMs) {
    // Concurrent requests get the former answer. They cannot await the read, because it may end with its request.
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

/** Returns the deadline of a database's first sweep, counted from its last migration. */
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
  summary: 'Check that the service responds',
  description:
    'For monitors. With `deep=1`, the check also fails if the database does not respond, or if the background work of a ' +
    'database has not run for three minutes.',
  security: byAnyone,
  request: { query: z.object({ deep: z.string('must be given once').optional().openapi({ example: '1' }) }) },
  responses: responses(z.object({}), {}, [notHealthy('The database does not respond.')]),
})

export const healthRoutes = createRouter().openapi(healthRoute, async (c) => {
  if (c.req.valid('query').deep !== undefined) await checkHealth(c.env, Date.now())
  return ok(c, {})
})
