import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { type Database, runBatch } from '../../platform/db/database.ts'
import { garments, tenantState } from '../../platform/db/schema.ts'
import { renumberStatement } from '../transitions.ts'

/** Garments in one statement, which bounds how long it blocks others. */
const stepSize = 1000

/** For one sweep: 81 queries. */
const maxSteps = 20

/**
 * Sets which attributes a tenant wants reviewed. The first 1,000 garments are updated at once, and the
 * others by the sweep; none if the choice is the same as before.
 */
export async function putReviewed(db: Database, tenantId: string, names: readonly string[]): Promise<void> {
  const reviewAttributes = JSON.stringify(names)
  const [changed] = await db
    .update(tenantState)
    .set({ reviewAttributes, reviewPosition: '' })
    .where(and(eq(tenantState.tenantId, tenantId), sql`${tenantState.reviewAttributes} IS NOT ${reviewAttributes}`))
    .returning({ tenantId: tenantState.tenantId })
  if (changed !== undefined) await isRenumbered(db, tenantId)
}

/**
 * Continues with tenants some of whose garments still have the former choice: with any of them, so that those who
 * choose again and again do not keep others waiting.
 */
export async function continueReviewed(db: Database): Promise<void> {
  const open = await db
    .select({ tenantId: tenantState.tenantId })
    .from(tenantState)
    .where(isNotNull(tenantState.reviewPosition))
    .orderBy(sql`random()`)
    .limit(maxSteps)
  const share = Math.floor(maxSteps / Math.max(open.length, 1))
  for (const { tenantId } of open) await renumber(db, tenantId, share)
}

async function renumber(db: Database, tenantId: string, steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) if (await isRenumbered(db, tenantId)) return
}

/** Updates the next garments, unless the choice has changed since it was read. True once none is left. */
async function isRenumbered(db: Database, tenantId: string): Promise<boolean> {
  const isTenants = eq(tenantState.tenantId, tenantId)
  const [tenant] = await db.select().from(tenantState).where(isTenants)
  if (tenant === undefined || tenant.reviewPosition === null) return true
  const { reviewAttributes, reviewPosition } = tenant
  const next = await db
    .select({ uuid: garments.uuid })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), sql`${garments.uuid} > ${reviewPosition}`))
    .orderBy(garments.uuid)
    .limit(stepSize)
  const last = next.at(-1)?.uuid
  const isUnchanged = and(
    isTenants,
    sql`${tenantState.reviewAttributes} IS ${reviewAttributes}`,
    eq(tenantState.reviewPosition, reviewPosition),
  )
  const inStep = sql`uuid > ${reviewPosition} AND uuid <= ${last ?? reviewPosition} AND result IS NOT NULL
    AND EXISTS (SELECT 1 FROM ${tenantState} WHERE ${isUnchanged})`
  await runBatch(db, {
    garments: renumberStatement(db, tenantId, inStep),
    tenant: db
      .update(tenantState)
      .set({ reviewPosition: next.length < stepSize ? null : (last ?? null) })
      .where(isUnchanged),
  })
  return next.length < stepSize
}
