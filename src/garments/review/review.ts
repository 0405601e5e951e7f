import { and, desc, eq, gt, isNotNull, sql, type SQL } from 'drizzle-orm'
import { garments, importLines, imports, tenantState } from '../../platform/db/schema.ts'
import { garmentRow } from '../garment.ts'
import { isInDoubt, reviewAttributesOf, storedColumns } from './doubt.ts'
import { type Database, runBatch } from '../../platform/db/database.ts'
import { minuteMs } from '../../time.ts'
import { releaseReviewsStatement, renumberStatement, reviewStatement } from '../transitions.ts'

/** The reviewer's filter of doubtful garments. */
export interface ReviewFilter {
  /** Only those where this attribute is in doubt. */
  readonly attribute?: string | undefined
  /** Only those of this import. */
  readonly importId?: string | undefined
}

/** How many of the most doubtful garments are searched for those where one attribute is in doubt. */
const maxLookedThrough = 2000

const mostDoubtful = sql`doubt DESC, created_at DESC, uuid DESC`

/**
 * Selects the columns of a tenant's garments in doubt. A filter is applied to a bounded part of them: to the lines of
 * one import, or to the most doubtful ones.
 */
function doubtfulGarments(tenantId: string, { attribute, importId }: ReviewFilter, condition: SQL): SQL {
  const columns = sql`uuid, result, corrections, doubt, created_at`
  const all = sql`FROM ${garments} INDEXED BY garments_by_doubt
    WHERE tenant_id = ${tenantId} AND doubt <> 0 AND ${condition}`
  const matches = attribute === undefined ? sql`1` : isInDoubt(attribute, storedColumns)
  if (importId !== undefined)
    return sql`SELECT ${columns} FROM ${garments}
      WHERE tenant_id = ${tenantId} AND doubt <> 0 AND ${condition} AND ${matches} AND uuid IN (
        SELECT uuid FROM ${importLines} WHERE tenant_id = ${tenantId} AND import_id = ${importId})`
  if (attribute === undefined) return sql`SELECT ${columns} ${all}`
  return sql`SELECT * FROM (SELECT ${columns} ${all} ORDER BY ${mostDoubtful} LIMIT ${maxLookedThrough}) WHERE ${matches}`
}

/** Long enough to review one garment and the next, which is claimed ahead. */
export const leaseMs = 10 * minuteMs

/**
 * Claims the tenant's most doubtful garment for a session, the newest first, and returns its uuid;
 * null if none is left. No other session is given it before the lease ends.
 */
export async function claimGarment(
  db: Database,
  tenantId: string,
  sessionId: string,
  nowMs: number,
  filter: ReviewFilter = {},
): Promise<string | null> {
  const isFree = sql`coalesce(review_until, 0) <= ${nowMs}`
  const next = sql`SELECT uuid FROM (${doubtfulGarments(tenantId, filter, isFree)}) ORDER BY ${mostDoubtful} LIMIT 1`
  // Found and claimed in one statement.
  const claim = reviewStatement(tenantId, next, sessionId, nowMs + leaseMs)
  const [claimed] = await db.all<{ uuid: string }>(claim)
  return claimed?.uuid ?? null
}

/** Garments that one session can have claimed, and more. */
const maxReleased = 1000

/** Releases the doubtful garments that a session has claimed, so that those that it skipped can be reviewed again. */
export async function releaseClaims(db: Database, tenantId: string, sessionId: string): Promise<void> {
  await db.run(releaseReviewsStatement(tenantId, sessionId, maxReleased))
}

/** No more rows of an index are counted. */
export const maxCounted = 10_000

/** The number of doubtful garments that match the filter, claimed or not; at most `maxCounted` + 1. */
export async function countDoubtful(db: Database, tenantId: string, filter: ReviewFilter): Promise<number> {
  const [row] = await db.all<{ count: number }>(sql`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM (${doubtfulGarments(tenantId, filter, sql`1`)}) LIMIT ${maxCounted + 1})`)
  return row?.count ?? 0
}

/** The choice if no garment was requested. */
const listedImports = 20

interface Claim {
  /** Empty if none was requested. */
  readonly uuid: string
  readonly sessionId: string
}

/**
 * The complete garment that is claimed for a session, null if it is another's or the claim has expired; whether the
 * filter leaves any garment in doubt, claimed or not; the attributes that the tenant has reviewed, and its newest
 * imports. One round trip.
 */
export async function findClaimed(
  db: Database,
  tenantId: string,
  { uuid, sessionId }: Claim,
  nowMs: number,
  filter: ReviewFilter = {},
) {
  const isTenants = eq(garments.tenantId, tenantId)
  const isClaimed = and(eq(garments.reviewSession, sessionId), gt(garments.reviewUntil, nowMs))
  const {
    claimed: [garment],
    doubtful,
    tenant: [tenant],
    newest,
  } = await runBatch(db, {
    claimed: db
      .select(garmentRow)
      .from(garments)
      .where(and(isTenants, eq(garments.uuid, uuid), eq(garments.status, 'complete'), isClaimed)),
    doubtful: db
      .select({ one: sql`1` })
      .from(sql`(SELECT 1 FROM (${doubtfulGarments(tenantId, filter, sql`1`)}) LIMIT 1)`),
    tenant: db
      .select({ reviewAttributes: tenantState.reviewAttributes })
      .from(tenantState)
      .where(eq(tenantState.tenantId, tenantId)),
    newest: db
      .select({ id: imports.id, name: imports.name })
      .from(imports)
      .where(eq(imports.tenantId, tenantId))
      .orderBy(desc(imports.createdAt), desc(imports.id))
      .limit(uuid === '' ? listedImports : 0),
  })
  return {
    garment: garment ?? null,
    hasDoubtful: doubtful.length > 0,
    reviewed: reviewAttributesOf(tenant?.reviewAttributes ?? null),
    imports: newest,
  }
}

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
