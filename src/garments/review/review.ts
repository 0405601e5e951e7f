import { and, count, desc, eq, gt, inArray, isNotNull, isNull, lte, ne, or, sql, type SQL } from 'drizzle-orm'
import { garments, importLines, imports, tenantState } from '../../platform/db/schema.ts'
import { garmentRow } from '../garment.ts'
import { isDoubtful, isInDoubt, reviewAttributesOf, storedColumns } from './doubt.ts'
import { type Database, hasRow, hasValue, runBatch } from '../../platform/db/database.ts'
import { minuteMs } from '../../time.ts'
import { releaseReviewsStatement, updateDoubtStatement, reviewStatement } from '../transitions.ts'

export interface ReviewFilter {
  readonly attribute?: string | undefined
  readonly importId?: string | undefined
}

/** How many of the most doubtful garments are searched for a certain attribute in doubt. */
const maxLookedThrough = 2000

const doubtColumns = {
  uuid: garments.uuid,
  result: garments.result,
  corrections: garments.corrections,
  doubt: garments.doubt,
  createdAt: garments.createdAt,
}

/** Examines a bounded number of garments if there is a filter: those of an import, or the most doubtful ones. */
function selectDoubtful(db: Database, tenantId: string, { attribute, importId }: ReviewFilter, condition?: SQL) {
  const matches = attribute === undefined ? undefined : isInDoubt(attribute, storedColumns)
  const isCandidate = and(eq(garments.tenantId, tenantId), isDoubtful, condition)
  if (importId !== undefined) {
    const uuids = db
      .select({ uuid: importLines.uuid })
      .from(importLines)
      .where(and(eq(importLines.tenantId, tenantId), eq(importLines.importId, importId)))
    return db
      .select(doubtColumns)
      .from(garments)
      .where(and(isCandidate, matches, inArray(garments.uuid, uuids)))
      .as('doubtful')
  }
  const candidates = db.select(doubtColumns).from(garments).where(isCandidate)
  if (matches === undefined) return candidates.as('doubtful')
  const mostDoubtful = candidates
    .orderBy(desc(garments.doubt), desc(garments.createdAt), desc(garments.uuid))
    .limit(maxLookedThrough)
    .as('most_doubtful')
  return db.select().from(mostDoubtful).where(matches).as('doubtful')
}

/** Long enough to review one garment and the next, which is claimed in advance. */
export const leaseMs = 10 * minuteMs

/** Claims the tenant's most doubtful garment for a session until the lease ends. Returns null if none is left. */
export async function claimGarment(
  db: Database,
  tenantId: string,
  sessionId: string,
  nowMs: number,
  filter: ReviewFilter = {},
): Promise<string | null> {
  const isFree = or(isNull(garments.reviewUntil), lte(garments.reviewUntil, nowMs))
  const doubtful = selectDoubtful(db, tenantId, filter, isFree)
  const next = db
    .select({ uuid: doubtful.uuid })
    .from(doubtful)
    .orderBy(desc(doubtful.doubt), desc(doubtful.createdAt), desc(doubtful.uuid))
    .limit(1)
  const [claimed] = await reviewStatement(db, tenantId, next, sessionId, nowMs + leaseMs)
  return claimed?.uuid ?? null
}

/** Exceeds the number of garments that one session can claim. */
const maxReleased = 1000

/** Releases the doubtful garments that a session has claimed, so that skipped garments can be reviewed again. */
export async function releaseClaims(db: Database, tenantId: string, sessionId: string): Promise<void> {
  await releaseReviewsStatement(db, tenantId, sessionId, maxReleased)
}

export const maxCounted = 10_000

/** Returns the number of doubtful garments that match the filter, claimed or not, up to `maxCounted` + 1. */
export async function countDoubtful(db: Database, tenantId: string, filter: ReviewFilter): Promise<number> {
  const doubtful = selectDoubtful(db, tenantId, filter)
  const counted = db
    .select({ uuid: doubtful.uuid })
    .from(doubtful)
    .limit(maxCounted + 1)
    .as('counted')
  const [row] = await db.select({ count: count() }).from(counted)
  return row?.count ?? 0
}

const listedImports = 20

interface Claim {
  readonly uuid: string
  readonly sessionId: string
}

/** Reads a review page in one round trip. `garment` is null unless the session has claimed it. */
export async function findClaimed(
  db: Database,
  tenantId: string,
  { uuid, sessionId }: Claim,
  nowMs: number,
  filter: ReviewFilter = {},
) {
  const doubtful = selectDoubtful(db, tenantId, filter)
  const isTenants = eq(garments.tenantId, tenantId)
  const isClaimed = and(eq(garments.reviewSession, sessionId), gt(garments.reviewUntil, nowMs))
  const {
    claimed: [garment],
    doubtful: [anyDoubtful],
    tenant: [tenant],
    newest,
  } = await runBatch(db, {
    claimed: db
      .select(garmentRow)
      .from(garments)
      .where(and(isTenants, eq(garments.uuid, uuid), eq(garments.status, 'complete'), isClaimed)),
    doubtful: db.select({ uuid: doubtful.uuid }).from(doubtful).limit(1),
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
    hasDoubtful: anyDoubtful !== undefined,
    reviewed: reviewAttributesOf(tenant?.reviewAttributes ?? null),
    imports: newest,
  }
}

/** Bounds a statement, so that it does not block others for long. */
const stepSize = 1000

const maxSteps = 20

/** Updates the doubts of 1,000 garments at once. The sweep updates the others. */
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
  if (changed !== undefined) await updateNextDoubts(db, tenantId)
}

/** Takes the tenants in random order, so that repeated changes by one tenant cannot starve the others. */
export async function continueReviewed(db: Database): Promise<void> {
  const open = await db
    .select({ tenantId: tenantState.tenantId })
    .from(tenantState)
    .where(isNotNull(tenantState.reviewPosition))
    .orderBy(sql`random()`)
    .limit(maxSteps)
  const share = Math.floor(maxSteps / Math.max(open.length, 1))
  for (const { tenantId } of open) await updateDoubts(db, tenantId, share)
}

async function updateDoubts(db: Database, tenantId: string, steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) if (await updateNextDoubts(db, tenantId)) return
}

/** Updates the next garments, unless the choice has changed since it was read. Returns true once none is left. */
async function updateNextDoubts(db: Database, tenantId: string): Promise<boolean> {
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
    hasValue(tenantState.reviewAttributes, reviewAttributes),
    eq(tenantState.reviewPosition, reviewPosition),
  )
  const inStep = and(
    gt(garments.uuid, reviewPosition),
    lte(garments.uuid, last ?? reviewPosition),
    isNotNull(garments.result),
    hasRow(tenantState, isUnchanged),
  )
  await runBatch(db, {
    garments: updateDoubtStatement(db, tenantId, inStep),
    tenant: db
      .update(tenantState)
      .set({ reviewPosition: next.length < stepSize ? null : (last ?? null) })
      .where(isUnchanged),
  })
  return next.length < stepSize
}
