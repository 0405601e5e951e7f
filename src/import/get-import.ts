import { and, asc, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../db/client.ts'
import { garments, importLines, imports } from '../db/schema.ts'
import { importNotFound } from './errors.ts'
import { problemText } from './line-problem.ts'
import { isKept } from './list-imports.ts'

const attributeRecord = z.record(z.string(), z.string())

/** The attributes of a line; those of a refused one need not be valid. */
export const storedAttribute = (attribute: string) => attributeRecord.parse(JSON.parse(attribute))

export type ImportLineRow = typeof importLines.$inferSelect

export interface LineFilter {
  readonly status?: ImportLineRow['status'] | undefined
  /** The lines after this one. */
  readonly after: number
  readonly limit: number
}

/** The failure of the last try, if the line's garment waits for another one; otherwise null. */
const failedTry = sql<string | null>`iif(status = 'tagging', (
  SELECT tried.failure_reason FROM ${garments} AS tried
  WHERE tried.tenant_id = import_lines.tenant_id AND tried.uuid = import_lines.uuid
    AND tried.picture_id = import_lines.picture_id AND tried.status = 'queuing'), NULL)`

/** An import with a page of its lines, in one round trip. Throws 404; another tenant's import is not found either. */
export async function getImport(db: Database, tenantId: string, id: string, { status, after, limit }: LineFilter) {
  const [[found], rows] = await db.batch([
    db
      .select()
      .from(imports)
      .where(and(eq(imports.tenantId, tenantId), eq(imports.id, id), isKept)),
    db
      .select({ ...getTableColumns(importLines), failedTry })
      .from(importLines)
      .where(
        and(
          eq(importLines.tenantId, tenantId),
          eq(importLines.importId, id),
          // `likelihood` leads SQLite to the index by status, instead of past all lines that have another.
          status && sql`likelihood(${eq(importLines.status, status)}, 0.01)`,
          gt(importLines.line, after),
        ),
      )
      .orderBy(asc(importLines.line))
      .limit(limit + 1),
  ])
  if (found === undefined) throw importNotFound()
  const lines = rows.slice(0, limit).map((line) => ({ ...line, problem: problemText(line.problem) }))
  return { import: found, lines, nextAfter: rows.length > limit ? (lines.at(-1)?.line ?? null) : null }
}
