import { eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { quotaNames, storedFiles, tenantCounters, tenantState } from '../platform/db/schema.ts'
import { quotaGrowthOf, type Settings } from '../settings.ts'
import { dayMs } from '../time.ts'
import { formatCount } from '../platform/format-count.ts'
import { ApiError } from '../platform/http/errors.ts'
import { type Database, inRows } from '../platform/db/database.ts'
import { isNearlyFull } from '../platform/db/databases.ts'

export type QuotaName = (typeof quotaNames)[number]

/** How much a tenant has of each, or the most that it may have. */
export type Stored = Readonly<Record<QuotaName, number>>

/**
 * The most that a tenant may have of each once it is `growthDays` old. It begins with one part of as many, and gets one
 * more each day, so that the operator has days to notice an account that was made to fill a database.
 */
export type Quotas = Stored & { readonly growthDays: number; readonly nowMs: number }

const megabyte = 1_000_000

export function quotasOf(settings: Settings, nowMs: number): Quotas {
  return {
    growthDays: quotaGrowthOf(settings),
    nowMs,
    garments: settings.MAX_GARMENTS,
    import_lines: settings.MAX_IMPORT_LINES,
    text_bytes: settings.MAX_TEXT_MEGABYTES * megabyte,
    files: settings.MAX_FILES,
    file_bytes: settings.MAX_FILE_MEGABYTES * megabyte,
  }
}

const grow = (most: number, { growthDays, nowMs }: Quotas, createdAt: number) => {
  const days = Math.min(Math.max(1 + Math.floor((nowMs - createdAt) / dayMs), 1), growthDays)
  return Math.ceil((most * days) / growthDays)
}

/** A value for each quota. */
export const forEachQuota = <T>(valueOf: (name: QuotaName) => T) =>
  Object.fromEntries(quotaNames.map((name) => [name, valueOf(name)])) as Record<QuotaName, T>

/** The most that a tenant of this age may have of each. */
export const grownQuotas = (quotas: Quotas, createdAt: number): Stored =>
  forEachQuota((name) => grow(quotas[name], quotas, createdAt))

interface Growing {
  readonly most: SQLWrapper | number
  readonly growthDays: SQLWrapper | number
  /** The tenant's age in days, as `tenantDays` gives it. */
  readonly days: SQLWrapper
}

/**
 * A tenant's days, today included, read in the statement: 1 while the database is nearly full, so that no account takes
 * the room that is left from those that have little. No row of a tenant that was deleted, so that nothing is stored for
 * it any more.
 */
export const tenantDays = (tenantId: SQLWrapper | string, nowMs: SQLWrapper | number) => sql`(
  SELECT iif(${isNearlyFull}, 1, max(1, 1 + CAST((${nowMs} - created_at) / ${dayMs} AS INTEGER))) AS days
  FROM ${tenantState} WHERE tenant_id = ${tenantId})`

/** One quota of `grownQuotas` as an expression. D1 binds numbers as floats. */
export const grownQuota = ({ most, growthDays, days }: Growing) =>
  sql`CAST((${most} * min(${growthDays}, ${days}) + ${growthDays} - 1) / ${growthDays} AS INTEGER)`

const megabytes = (bytes: number) => `${formatCount(Math.floor(bytes / 1_000_000))} MB`

/** The exceeded quota, and the remedy. */
const sentences: Readonly<Record<QuotaName, (most: number) => string>> = {
  garments: (most) =>
    `A tenant has at most ${formatCount(most)} garments; shorten the period after which they are removed, or ask the operator for more.`,
  import_lines: (most) =>
    `A tenant has at most ${formatCount(most)} lines of imports, ended ones included; shorten the period after which they are removed, or ask the operator for more.`,
  text_bytes: (most) =>
    `A tenant has at most ${megabytes(most)} of uuids, addresses and attributes; send fewer or shorter attributes, or ask the operator for more.`,
  files: (most) =>
    `A tenant has at most ${formatCount(most)} files; shorten the period after which they are removed, or ask the operator for more.`,
  file_bytes: (most) =>
    `A tenant has at most ${megabytes(most)} of files; send smaller ones, shorten the period after which they are removed, or ask the operator for more.`,
}

const isBytes = (name: QuotaName) => name.endsWith('_bytes')

/** 413 for bytes, else 429. Room is made only by the removal of expired data, so an immediate retry is useless. */
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

/** The quota that a batch with `addStored` would have exceeded; undefined for any other error. */
export const exceededQuota = (error: unknown): QuotaName | undefined =>
  quotaNames.find((each) => new RegExp(`\\bquota_${each}\\b`).test(String(error)))

const nearlyFull =
  'Storage is nearly full: until it has room again, a tenant adds nothing above what a new one may have.'

interface Holder {
  readonly db: Database
  readonly tenantId: string
}

/** Runs a batch with `addStored`; throws 429 or 413 if it exceeds the tenant's quotas. */
export async function withinQuotas<T>({ db, tenantId }: Holder, quotas: Quotas, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const name = exceededQuota(error)
    if (name === undefined) throw error
    const [tenant] = await db
      .select({ createdAt: tenantState.createdAt, isFull: isNearlyFull })
      .from(tenantState)
      .where(eq(tenantState.tenantId, tenantId))
    const isFull = tenant?.isFull === 1
    const most = grow(quotas[name], quotas, isFull ? quotas.nowMs : (tenant?.createdAt ?? quotas.nowMs))
    if (most === quotas[name]) throw quotaExceeded(name, most)
    throw quotaExceeded(name, most, isFull ? nearlyFull : growthSentence(name, quotas))
  }
}

/** How much a tenant has stored. */
export const findStored = async (db: Database, tenantId: string) => toStored(await storedQuery(db, tenantId))

/** The query itself, for pages that read it in one batch with others. */
export const storedQuery = (db: Database, tenantId: string) =>
  db
    .select(forEachQuota((name) => sql<number>`${sql.identifier(name)}`))
    .from(tenantCounters)
    .where(eq(tenantCounters.tenantId, tenantId))

export const toStored = ([row]: Awaited<ReturnType<typeof storedQuery>>): Stored => row ?? forEachQuota(() => 0)

export type Amounts = Readonly<Partial<Record<QuotaName, SQL | number>>>

const octets = (text: string) => new TextEncoder().encode(text).length

/** The bytes of texts that a client sent. */
export const textBytesOf = (...texts: readonly string[]) => texts.reduce((sum, text) => sum + octets(text), 0)

const columns = (names: readonly string[]) => sql.raw(names.join(', '))

/**
 * Returns the statement that adds the amounts stored by its batch to the tenant's counts, if `condition` holds. The
 * batch fails by a constraint if a quota would be exceeded. `withinQuotas` says what to do then. Changes nothing if the
 * tenant no longer exists.
 */
export function addStored(tenantId: string, amounts: Amounts, quotas: Quotas, condition: SQL = sql`1`): SQL {
  const names = Object.keys(amounts) as QuotaName[]
  const { growthDays, nowMs } = quotas
  const values = names.flatMap((name) => [
    grownQuota({ most: quotas[name], growthDays, days: sql`age.days` }),
    sql`${amounts[name]}`,
  ])
  const changes = names.map((name) =>
    sql.raw(`max_${name} = excluded.max_${name}, ${name} = tenant_counters.${name} + excluded.${name}`),
  )
  return sql`
    INSERT INTO ${tenantCounters} (tenant_id, waiting, max_waiting, ${columns(names.flatMap((name) => [`max_${name}`, name]))})
    SELECT ${tenantId}, 0, 0, ${sql.join(values, sql`, `)} FROM ${tenantDays(tenantId, nowMs)} AS age WHERE ${condition}
    ON CONFLICT (tenant_id) DO UPDATE SET ${sql.join(changes, sql`, `)}`
}

/**
 * The statement that counts off what its batch removes. `removed` is a select of `tenant_id` and of the amounts, one
 * row for each tenant.
 */
function subtractStored(names: readonly QuotaName[], removed: SQL): SQL {
  const changes = names.map((name) => `${name} = max(tenant_counters.${name} - removed.${name}, 0)`)
  return sql`
    UPDATE ${tenantCounters} SET ${columns(changes)} FROM (${removed}) AS removed
    WHERE tenant_counters.tenant_id = removed.tenant_id`
}

/** The statements that count texts which take the place of others, where `condition` holds. */
export function countText(
  tenantId: string,
  { before, after }: { readonly before: string; readonly after: string },
  quotas: Quotas,
  condition: SQL,
): SQL[] {
  const added = octets(after) - octets(before)
  if (added > 0) return [addStored(tenantId, { text_bytes: added }, quotas, condition)]
  if (added === 0) return []
  return [
    subtractStored(['text_bytes'], sql`SELECT ${tenantId} AS tenant_id, ${-added} AS text_bytes WHERE ${condition}`),
  ]
}

/** Subtracts the amounts of rows that the same batch deletes from a table. */
export function subtractRows(table: SQLiteTable, areRemoved: SQL, amounts: Amounts): SQL {
  const names = Object.keys(amounts) as QuotaName[]
  const sums = names.map((name) => sql`${amounts[name]} AS ${columns([name])}`)
  return subtractStored(
    names,
    sql`SELECT tenant_id, ${sql.join(sums, sql`, `)} FROM ${table} WHERE ${areRemoved} GROUP BY tenant_id`,
  )
}

/** Returns the statements that subtract removed files from the counts. Safe to repeat. */
export function forgetFiles(files: readonly { readonly tenantId: string; readonly fileId: string }[]): SQL[] {
  const keys = files.map(({ tenantId, fileId }) => [tenantId, fileId])
  const isRemoved = inRows(['tenant_id', 'file_id'], keys)
  return [
    subtractRows(storedFiles, isRemoved, { files: sql`count(*)`, file_bytes: sql`sum(bytes)` }),
    sql`DELETE FROM ${storedFiles} WHERE ${isRemoved}`,
  ]
}
