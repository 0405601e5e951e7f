import { count, eq, type SQL, sql, type SQLWrapper, sum } from 'drizzle-orm'
import { databases, quotaNames, storedFiles, tenantCounters, tenantState } from '../platform/db/schema.ts'
import { quotaGrowthOf, type Settings } from '../settings.ts'
import { dayMs, dayOf } from '../time.ts'
import { formatCount } from '../platform/format-count.ts'
import { ApiError } from '../platform/http/errors.ts'
import {
  addGrowth,
  type Amounts,
  bytesOfRows,
  columns,
  type QuotaName,
  subtractRows,
  subtractStored,
} from '../platform/db/count-rows.ts'
import { type Database, inRows, list } from '../platform/db/database.ts'

export type Stored = Readonly<Record<QuotaName, number>>

/**
 * The service-wide limits, which a new tenant reaches after `growthDays` days. Each day adds an equal part, so that the
 * operator has time to notice an account that fills a database.
 */
export type Quotas = Stored & { readonly growthDays: number; readonly nowMs: number }

export const megabyte = 1_000_000

export function quotasOf(settings: Settings, nowMs: number): Quotas {
  return {
    growthDays: quotaGrowthOf(settings),
    nowMs,
    garments: settings.MAX_GARMENTS,
    import_lines: settings.MAX_IMPORT_LINES,
    row_bytes: settings.MAX_ROW_MEGABYTES * megabyte,
    files: settings.MAX_FILES,
    file_bytes: settings.MAX_FILE_MEGABYTES * megabyte,
  }
}

export const forEachQuota = <T>(valueOf: (name: QuotaName) => T) =>
  Object.fromEntries(quotaNames.map((name) => [name, valueOf(name)])) as Record<QuotaName, T>

/** A tenant younger than this gets no new rows while its database is nearly full. */
const establishedMs = 30 * dayMs

/**
 * Selects the values that decide a tenant's limits: its age in `days`, the operator's `limits` for it, and whether it
 * is `closed` for new rows because the database is nearly full. A deleted tenant has no row.
 */
export function limitBasis(tenantId: SQLWrapper | string, nowMs: SQLWrapper | number, day: SQLWrapper | string): SQL {
  // The first database has a row for each database. Others have only their own. So the lowest number is their own.
  const share = sql`(SELECT tenant_share FROM ${databases} ORDER BY number LIMIT 1)`
  return sql`(
    SELECT max(1, 1 + CAST((${nowMs} - created_at) / ${dayMs} AS INTEGER)) AS days, limits,
      CASE WHEN ${share} IS NULL THEN 0 WHEN created_at > ${nowMs} - ${establishedMs} THEN 1 ELSE ${share} < coalesce(
        (SELECT grown_bytes FROM ${tenantCounters} WHERE tenant_id = ${tenantId} AND grown_day = ${day}), 0) END AS closed
    FROM ${tenantState} WHERE tenant_id = ${tenantId})`
}

interface GrowingLimit {
  readonly most: SQLWrapper | number
  readonly growthDays: SQLWrapper | number
}

/** Computes a limit from a row `basis` of `limitBasis`. D1 binds numbers as floats, so the result is cast. */
const openLimit = (name: QuotaName, { most, growthDays }: GrowingLimit) =>
  sql`coalesce(basis.limits ->> ${sql.raw(`'${name}'`)},
    CAST((${most} * min(${growthDays}, basis.days) + ${growthDays} - 1) / ${growthDays} AS INTEGER))`

/** Like `openLimit`, but 0 bytes of rows while the tenant is closed for new rows. */
export const limitNow = (name: QuotaName, limit: GrowingLimit): SQL =>
  name === 'row_bytes' ? sql`iif(basis.closed, 0, ${openLimit(name, limit)})` : openLimit(name, limit)

type LimitRow = Stored & { readonly closed: number; readonly has_limits: number }

export function limitsQuery(tenantId: string, quotas: Quotas) {
  const { nowMs, growthDays } = quotas
  const limits = quotaNames.map(
    (name) => sql`${openLimit(name, { most: quotas[name], growthDays })} AS ${sql.identifier(name)}`,
  )
  return sql<LimitRow>`
    SELECT ${list(limits)}, closed, limits IS NOT NULL AS has_limits
    FROM ${limitBasis(tenantId, nowMs, dayOf(nowMs))} AS basis`
}

export const toLimits = ([row]: readonly LimitRow[]): Stored => forEachQuota((name) => row?.[name] ?? 0)

export const findLimits = async (db: Database, tenantId: string, quotas: Quotas): Promise<Stored> =>
  toLimits(await db.all<LimitRow>(limitsQuery(tenantId, quotas)))

const megabytes = (bytes: number) => `${formatCount(Math.floor(bytes / megabyte))} MB`

const sentences: Readonly<Record<QuotaName, (most: number) => string>> = {
  garments: (most) =>
    `A tenant has at most ${formatCount(most)} garments; shorten the period after which they are removed, or ask the operator for more.`,
  import_lines: (most) =>
    `A tenant has at most ${formatCount(most)} lines of imports, ended ones included; shorten the period after which they are removed, or ask the operator for more.`,
  row_bytes: (most) =>
    `A tenant has at most ${megabytes(most)} of rows in the database; shorten the period after which they are removed, or ask the operator for more.`,
  files: (most) =>
    `A tenant has at most ${formatCount(most)} files; shorten the period after which they are removed, or ask the operator for more.`,
  file_bytes: (most) =>
    `A tenant has at most ${megabytes(most)} of files; send smaller ones, shorten the period after which they are removed, or ask the operator for more.`,
}

const isBytes = (name: QuotaName) => name.endsWith('_bytes')

/** Builds a 413 for bytes, else a 429. Only the removal of expired data makes room, so an early retry is useless. */
export function quotaExceeded(name: QuotaName, most: number, because?: string) {
  const problems = [sentences[name](most), ...(because === undefined ? [] : [because])]
  return isBytes(name)
    ? new ApiError('storage_quota_exceeded', 'Quota exceeded', problems)
    : new ApiError('quota_exceeded', 'Quota exceeded', problems, { 'Retry-After': '3600' })
}

function growthSentence(name: QuotaName, quotas: Quotas): string {
  const whole = isBytes(name) ? megabytes(quotas[name]) : formatCount(quotas[name])
  return `The tenant is new: it may have more each day, up to ${whole} on day ${quotas.growthDays}.`
}

/** Returns the quota that made a batch with `addStored` fail, or undefined for any other error. */
export const exceededQuota = (error: unknown): QuotaName | undefined =>
  quotaNames.find((each) => new RegExp(`\\bquota_${each}\\b`).test(String(error)))

const storageNearlyFull = () =>
  new ApiError('storage_quota_exceeded', 'Quota exceeded', [
    'Storage is nearly full: until it has room again, new tenants and those that grew most today add nothing.',
  ])

/** Runs a batch with `addStored`. Throws 429 or 413 if it exceeds the tenant's quotas. */
export async function withinQuotas<T>(
  { db, tenantId }: { readonly db: Database; readonly tenantId: string },
  quotas: Quotas,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const name = exceededQuota(error)
    if (name === undefined) throw error
    const [row] = await db.all<LimitRow>(limitsQuery(tenantId, quotas))
    if (row?.closed === 1 && name === 'row_bytes') throw storageNearlyFull()
    const limit = row?.[name] ?? 0
    const isGrowing = row?.has_limits === 0 && limit < quotas[name]
    throw quotaExceeded(name, limit, isGrowing ? growthSentence(name, quotas) : undefined)
  }
}

export const findStored = async (db: Database, tenantId: string) => toStored(await storedQuery(db, tenantId))

export const storedQuery = (db: Database, tenantId: string) =>
  db
    .select({
      garments: tenantCounters.garments,
      import_lines: tenantCounters.importLines,
      row_bytes: tenantCounters.rowBytes,
      files: tenantCounters.files,
      file_bytes: tenantCounters.fileBytes,
    })
    .from(tenantCounters)
    .where(eq(tenantCounters.tenantId, tenantId))

export const toStored = ([row]: Awaited<ReturnType<typeof storedQuery>>): Stored => row ?? forEachQuota(() => 0)

/**
 * Returns the statement that counts what its batch stores, if `condition` holds. A constraint breaks the batch if the
 * tenant would exceed a quota, which `withinQuotas` reports. Changes nothing if the tenant was deleted.
 */
export function addStored(tenantId: string, amounts: Amounts, quotas: Quotas, condition: SQL = sql`1`): SQL {
  const names = Object.keys(amounts) as QuotaName[]
  const { growthDays, nowMs } = quotas
  const values = names.flatMap((name) => [limitNow(name, { most: quotas[name], growthDays }), sql`${amounts[name]}`])
  const changes = names.map((name) =>
    sql.raw(`max_${name} = excluded.max_${name}, ${name} = tenant_counters.${name} + excluded.${name}`),
  )
  const day = dayOf(nowMs)
  return sql`
    INSERT INTO ${tenantCounters} (tenant_id, waiting, max_waiting, grown_day, grown_bytes, ${columns(names.flatMap((name) => [`max_${name}`, name]))})
    SELECT ${tenantId}, 0, 0, ${day}, ${amounts.row_bytes ?? 0}, ${list(values)} FROM ${limitBasis(tenantId, nowMs, day)} AS basis WHERE ${condition}
    ON CONFLICT (tenant_id) DO UPDATE SET ${list([...changes, addGrowth])}`
}

export function countBytes(tenantId: string, added: number, quotas: Quotas, condition: SQL): SQL[] {
  if (added > 0) return [addStored(tenantId, { row_bytes: added }, quotas, condition)]
  if (added === 0) return []
  return [
    subtractStored(['row_bytes'], sql`SELECT ${tenantId} AS tenant_id, ${-added} AS row_bytes WHERE ${condition}`),
  ]
}

/** Subtracts files that were removed from storage. Safe to repeat. */
export function forgetFiles(db: Database, files: readonly { readonly tenantId: string; readonly fileId: string }[]) {
  const keys = files.map(({ tenantId, fileId }) => [tenantId, fileId])
  const isRemoved = inRows(['tenant_id', 'file_id'], keys)
  const amounts = { files: count(), file_bytes: sum(storedFiles.bytes), row_bytes: bytesOfRows('stored_files') }
  return [subtractRows(storedFiles, isRemoved, amounts), db.delete(storedFiles).where(isRemoved)] as const
}
