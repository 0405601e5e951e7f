import { and, desc, eq, gt, isNotNull, isNull, lte, ne, or, sql, type SQL } from 'drizzle-orm'
import { garments, importLines, imports, tenantState } from '../../platform/db/schema.ts'
import { garmentRow } from '../garment.ts'
import { isInDoubt, reviewAttributesOf, storedColumns } from './doubt.ts'
import { type Database, hasRow, runBatch } from '../../platform/db/database.ts'
import { minuteMs } from '../../time.ts'
import { releaseReviewsStatement, renumberStatement, reviewStatement } from '../transitions.ts'

export interface ReviewFilter {
  readonly attribute?: string | undefined
  readonly importId?: string | undefined
}

/** How many of the most doubtful garments are searched for a certain attribute in doubt. */
const maxLookedThrough = 2000

const mostDoubtful = sql`doubt DESC, created_at DESC, uuid DESC`

/**
 * Selects a tenant's doubtful garments. A filter examines a bounded number of them: those of one import, or the most
 * doubtful ones.
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

/** Long enough to review one garment and the next, which is claimed in advance. */
export const leaseMs = 10 * minuteMs

/**
 * Claims the tenant's most doubtful garment for a session, and returns its uuid. Returns null if none is left. No other
 * session gets the garment before the lease ends.
 */
export async function claimGarment(
  db: Database,
  tenantId: string,
  sessionId: string,
  nowMs: number,
  filter: ReviewFilter = {},
): Promise<string | null> {
  const isFree = sql`coalesce(review_until, 0) <= ${nowMs}`
  const next = sql`(SELECT uuid FROM (${doubtfulGarments(tenantId, filter, isFree)}) ORDER BY ${mostDoubtful} LIMIT 1)`
  const [claimed] = await reviewStatement(db, tenantId, next, sessionId, nowMs + leaseMs)
  return claimed?.uuid ?? null
}

/** Exceeds the number of garments that one session can claim. */
const maxReleased = 1000

/** Releases the doubtful garments that a session has claimed, so that skipped garments can be reviewed again. */
export async function releaseClaims(db: Database, tenantId: string, sessionId: string): Promise<void> {
  await releaseReviewsStatement(db, tenantId, sessionId, maxReleased)
}

/** Maximum number of index entries that a count reads. */
export const maxCounted = 10_000

/** Returns the number of doubtful garments that match the filter, claimed or not, up to `maxCounted` + 1. */
export async function countDoubtful(db: Database, tenantId: string, filter: ReviewFilter): Promise<number> {
  const [row] = await db.all<{ count: number }>(sql`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM (${doubtfulGarments(tenantId, filter, sql`1`)}) LIMIT ${maxCounted + 1})`)
  return row?.count ?? 0
}

const listedImports = 20

interface Claim {
  readonly uuid: string
  readonly sessionId: string
}

/**
 * Reads what a review page shows, in one round trip. `garment` is null unless the session has claimed it. `hasDoubtful`
 * is true if the filter finds any garment, claimed or not. `imports` are the newest ones.
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

/** Garments per statement, so that one statement does not block others for long. */
const stepSize = 1000

const maxSteps = 20

/**
 * Sets which attributes a tenant wants reviewed. Updates 1,000 garments at once. The sweep updates the others. Does
 * nothing if the choice is the same as before.
 */
export async function putReviewed(db: Database, tenantId: string, names: readonly string[]): Promise<void> {
  const reviewAttributes = JSON.stringify(names)
  const [changed] = await db
    .update(tenantState)
    .set({ reviewAttributes, reviewPosition: '' })
    .where(
      and(
        eq(tenantState.tenantId, tenantId),
        or(isNull(tenantState.reviewAttributes), ne(tenantState.reviewAttributes, reviewAttributes)),
      ),
    )
    .returning({ tenantId: tenantState.tenantId })
  if (changed !== undefined) await isRenumbered(db, tenantId)
}

/**
 * Updates garments of tenants that have changed their choice. Takes the tenants in random order, so that repeated
 * changes by one tenant cannot starve the others.
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

/** Updates the next garments, unless the choice has changed since it was read. Returns true once none is left. */
async function isRenumbered(db: Database, tenantId: string): Promise<boolean> {
  const isTenants = eq(tenantState.tenantId, tenantId)
  const [tenant] = await db.select().from(tenantState).where(isTenants)
  if (tenant === undefined || tenant.reviewPosition === null) return true
  const { reviewAttributes, reviewPosition } = tenant
  const next = await db
    .select({ uuid: garments.uuid })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), gt(garments.uuid, reviewPosition)))
    .orderBy(garments.uuid)
    .limit(stepSize)
  const last = next.at(-1)?.uuid
  const isUnchanged = and(
    isTenants,
    reviewAttributes === null
      ? isNull(tenantState.reviewAttributes)
      : eq(tenantState.reviewAttributes, reviewAttributes),
    eq(tenantState.reviewPosition, reviewPosition),
  )
  const inStep = and(
    gt(garments.uuid, reviewPosition),
    lte(garments.uuid, last ?? reviewPosition),
    isNotNull(garments.result),
    hasRow(tenantState, isUnchanged),
  )
  await runBatch(db, {
    garments: renumberStatement(db, tenantId, inStep),
    tenant: db
      .update(tenantState)
      .set({ reviewPosition: next.length < stepSize ? null : (last ?? null) })
      .where(isUnchanged),
  })
  return next.length < stepSize
}
