import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { type Database, runBatch, selectValues } from '../platform/db/database.ts'
import { exportDefaults, lastExports, tenantState } from '../platform/db/schema.ts'
import { parseOwnFiles } from './own-files.ts'
import { parseExportDefaults } from './shops/export-defaults.ts'

/**
 * A garment may be stored as ended this long after the time of its end: the longest pauses between tries to store it.
 */
const settlingMs = 15_000

/** More uuids than these are not remembered, so that the row stays small. */
const maxRemembered = 2000

/** A whole export of a format. */
export interface LastExport {
  readonly exportedAt: number
  /** The garments that were in it although they had only just ended. */
  readonly recent: readonly string[]
  /** The garments that were left out, because they lacked something. */
  readonly leftOut: readonly string[]
}

interface EndedGarment {
  readonly uuid: string
  /** ISO 8601; empty before. */
  readonly ended_at: string
}

/**
 * Whether a garment is new since an export: it ended later or was left out. What ended just before it may have been
 * stored after its page was read, so there the uuids of the file decide.
 */
export function isNewSince({ uuid, ended_at }: EndedGarment, last: LastExport): boolean {
  if (last.leftOut.includes(uuid)) return true
  return Date.parse(ended_at) > last.exportedAt - settlingMs && !last.recent.includes(uuid)
}

/** Collects the state that an export stores for the next one. `before` is the export from which it continues. */
export function rememberExport(exportedAt: number, before: LastExport | undefined) {
  const goesOn = before !== undefined && exportedAt - before.exportedAt < settlingMs
  const recent = goesOn ? [...before.recent] : []
  const leftOut: string[] = []
  return {
    add({ uuid, ended_at }: EndedGarment, isLeftOut: boolean): void {
      if (isLeftOut) leftOut.push(uuid)
      else if (Date.parse(ended_at) > exportedAt - settlingMs) recent.push(uuid)
    },
    /** Null if too many were left out to remember them all: the next export goes on from the one before. */
    end: (): LastExport | null =>
      leftOut.length > maxRemembered ? null : { exportedAt, recent: recent.slice(0, maxRemembered), leftOut },
  }
}

const uuids = z.array(z.string())

/** A tenant's defaults and own files, and the last whole export of each format, by format. */
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

/** Records a whole export of a format, after which “new since the last export” begins. */
export async function recordExport(db: Database, tenantId: string, format: string, sent: LastExport): Promise<void> {
  const { exportedAt } = sent
  const set = { exportedAt, recent: JSON.stringify(sent.recent), leftOut: JSON.stringify(sent.leftOut) }
  const row = { tenantId, format, ...set }
  await db
    .insert(lastExports)
    // A download takes up to half an hour, in which the tenant may be deleted.
    .select(db.select(selectValues(lastExports, row)).from(tenantState).where(eq(tenantState.tenantId, tenantId)))
    .onConflictDoUpdate({ target: [lastExports.tenantId, lastExports.format], set })
}
