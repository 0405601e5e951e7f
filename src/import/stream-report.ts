import { asc, eq, and, sql } from 'drizzle-orm'
import { createYieldAfter } from '../yield-to-event-loop.ts'
import { writeRow } from '../csv/write-csv.ts'
import type { Database } from '../db/client.ts'
import { importLines } from '../db/schema.ts'
import { uploadedFileName } from '../garment/uploaded-file.ts'
import { streamText } from '../http/stream-text.ts'
import { storedAttribute, type ImportLineRow } from './get-import.ts'
import { maxColumns } from './store/limits.ts'
import { reportColumns } from './store/read-lines.ts'
import { walkImport, workOfLine } from './walk-import.ts'

/**
 * The lines of an import as a CSV file, as they were sent, each with its number, status and problem. After correction,
 * the file can be imported again. It is written step by step as it is read. Throws as `streamText` does.
 */
export async function streamReport(db: Database, tenantId: string, id: string): Promise<ReadableStream<Uint8Array>> {
  async function* chunks() {
    const names = await findColumns(db, tenantId, id)
    yield writeRow(['uuid', 'image_url', ...names, ...reportColumns])
    const yieldAfter = createYieldAfter()
    for await (const { lines } of walkImport(db, tenantId, id, { after: 0, limit: Infinity })) {
      let text = ''
      for (const line of lines) {
        const row = writeRow(cellsOf(line, names))
        text += row
        await yieldAfter(workOfLine + row.length)
      }
      yield text
    }
  }
  return await streamText(tenantId, chunks())
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
