import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, runBatch, selectValues } from '../platform/db/database.ts'
import { exportDefaults, lastExports, tenantState } from '../platform/db/schema.ts'
import { parseOwnFiles } from './own-files.ts'
import { parseExportDefaults } from './shops/export-defaults.ts'

/**
 * A garment may be stored as ended this long after its `ended_at`, because failed writes are retried.
 */
const settlingMs = 15_000

/** Maximum number of uuids stored per export, so that the row stays small. */
const maxRemembered = 2000

/** The state of the last complete export in a format. */
export interface LastExport {
  readonly exportedAt: number
  /** Exported garments that had ended just before. */
  readonly recent: readonly string[]
  /** Garments that were omitted because of their problems. */
  readonly leftOut: readonly string[]
}

interface EndedGarment {
  readonly uuid: string
  /** ISO 8601; empty while the garment has not ended. */
  readonly ended_at: string
}

/**
 * True if a garment ended after an export or was omitted from it. A garment that ended just before may have been stored
 * after its page was read, so for these garments the uuids in `recent` decide.
 */
export function isNewSince({ uuid, ended_at }: EndedGarment, last: LastExport): boolean {
  if (last.leftOut.includes(uuid)) return true
  return Date.parse(ended_at) > last.exportedAt - settlingMs && !last.recent.includes(uuid)
}

/** Collects the state to store after an export. `before` is the state of the export that it continues. */
export function rememberExport(exportedAt: number, before: LastExport | undefined) {
  const goesOn = before !== undefined && exportedAt - before.exportedAt < settlingMs
  const recent = goesOn ? [...before.recent] : []
  const leftOut: string[] = []
  return {
    add({ uuid, ended_at }: EndedGarment, isLeftOut: boolean): void {
      if (isLeftOut) leftOut.push(uuid)
      else if (Date.parse(ended_at) > exportedAt - settlingMs) recent.push(uuid)
    },
    /** Null if too many garments were omitted to remember. The next export then continues from `before` again. */
    end: (): LastExport | null =>
      leftOut.length > maxRemembered ? null : { exportedAt, recent: recent.slice(0, maxRemembered), leftOut },
  }
}

const uuids = z.array(z.string())

/** Finds a tenant's defaults and own files, and the last complete export of each format. */
export async function findExportState(db: Database, tenantId: string, currency: string) {
  const {
    stored: [stored],
    rows,
  } = await runBatch(db, {
    stored: db.select().from(exportDefaults).where(eq(exportDefaults.tenantId, tenantId)),
    rows: db.select().from(lastExports).where(eq(lastExports.tenantId, tenantId)),
  })
  const last = rows.map(({ format, exportedAt, recent, leftOut }): [string, LastExport] => [
    format,
    { exportedAt, recent: uuids.parse(JSON.parse(recent)), leftOut: uuids.parse(JSON.parse(leftOut)) },
  ])
  return {
    defaults: parseExportDefaults(stored?.defaults ?? null, currency),
    last: new Map(last),
    files: parseOwnFiles(stored?.files),
  }
}

/** Records a complete export, from which the next export of new garments continues. */
export async function recordExport(db: Database, tenantId: string, format: string, sent: LastExport): Promise<void> {
  const { exportedAt } = sent
  const set = { exportedAt, recent: JSON.stringify(sent.recent), leftOut: JSON.stringify(sent.leftOut) }
  const row = { tenantId, format, ...set }
  await db
    .insert(lastExports)
    // Checks the tenant, because it may have been deleted during a long download.
    .select(db.select(selectValues(lastExports, row)).from(tenantState).where(eq(tenantState.tenantId, tenantId)))
    .onConflictDoUpdate({ target: [lastExports.tenantId, lastExports.format], set })
}
