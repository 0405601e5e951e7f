import { asc, eq, and, sql } from 'drizzle-orm'
import { writeRow } from '../csv/write-csv.ts'
import type { Database } from '../db/client.ts'
import { importLines } from '../db/schema.ts'
import { uploadedFileName } from '../garment/uploaded-file.ts'
import { streamText } from '../http/stream-text.ts'
import { getImport, storedAttribute, type ImportLineRow } from './get-import.ts'
import { maxColumns } from './store/limits.ts'
import { reportColumns } from './store/read-lines.ts'

/** How many lines are in memory at a time. */
const pageSize = 500

/**
 * The lines of an import as a CSV file, as they were sent, each with its number, status and problem. After correction,
 * the file can be imported again. It is written page by page as it is read.
 */
export function streamReport(db: Database, tenantId: string, id: string): ReadableStream<Uint8Array> {
  async function* chunks() {
    const names = await findColumns(db, tenantId, id)
    yield writeRow(['uuid', 'image_url', ...names, ...reportColumns])
    let after: number | null = 0
    while (after !== null) {
      const page = await getImport(db, tenantId, id, { after, limit: pageSize })
      yield page.lines.map((line) => writeRow(cellsOf(line, names))).join('')
      after = page.nextAfter
    }
  }
  return streamText(chunks())
}

function cellsOf({ line, uuid, imageUrl, attribute, status, problem }: ImportLineRow, names: readonly string[]) {
  const values = storedAttribute(attribute)
  const cells = names.map((name) => values[name] ?? '')
  return [uuid, uploadedFileName(imageUrl) ?? imageUrl, ...cells, String(line), status, problem]
}

/** The columns of attributes, those first that were filled first. */
async function findColumns(db: Database, tenantId: string, id: string): Promise<string[]> {
  const rows = await db
    .select({ name: sql<string>`attribute.key` })
    .from(sql`${importLines}, json_each(${importLines.attribute}) AS attribute`)
    .where(and(eq(importLines.tenantId, tenantId), eq(importLines.importId, id)))
    .groupBy(sql`attribute.key`)
    .orderBy(asc(sql`min(${importLines.line})`), asc(sql`attribute.key`))
    .limit(maxColumns)
  return rows.map(({ name }) => name)
}
