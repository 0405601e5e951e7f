import { asc, eq, sql } from 'drizzle-orm'
import { openDatabase, type Database } from '../db/client.ts'
import {
  apiKeys,
  dailyCounts,
  deliveries,
  deliveryAttempts,
  garments,
  studios,
  tenantPurges,
  webhookConfigs,
} from '../db/schema.ts'

/** R2 lists and deletes at most 1,000 objects a call. */
const stepSize = 1000
const maxSteps = 20
const maxTenants = 20

/** An upload or a run that began before the tenant was deleted may still write for this long. */
const stragglersMs = 15 * 60_000

const tables = [apiKeys, studios, webhookConfigs, garments, deliveries, deliveryAttempts, dailyCounts]

/** Removes what deleted tenants left behind: each sweep at most 20 tenants, of each at most 20,000 rows a table. */
export async function purgeTenants(env: Env, now: number): Promise<void> {
  const db = openDatabase(env.DB)
  const purges = await db.select().from(tenantPurges).orderBy(asc(tenantPurges.requestedAt)).limit(maxTenants)
  for (const { tenantId, requestedAt } of purges) {
    let step = 0
    while ((await purgeStep(env, db, tenantId)) > 0 && ++step < maxSteps);
    const isEmpty = step < maxSteps
    if (isEmpty && requestedAt < now - stragglersMs)
      await db.delete(tenantPurges).where(eq(tenantPurges.tenantId, tenantId))
  }
}

/** How many rows and pictures were removed. */
async function purgeStep(env: Env, db: Database, tenantId: string): Promise<number> {
  const { objects } = await env.PICTURES.list({ prefix: `annotated/${tenantId}/`, limit: stepSize })
  if (objects.length > 0) await env.PICTURES.delete(objects.map((object) => object.key))
  let removed = objects.length
  for (const table of tables) {
    const some = db
      .select({ rowid: sql`rowid` })
      .from(table)
      .where(eq(table.tenantId, tenantId))
      .limit(stepSize)
    const { meta } = await db.delete(table).where(sql`rowid IN ${some}`)
    removed += meta.changes
  }
  return removed
}
