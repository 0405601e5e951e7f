import { writeRow } from '../csv/write-csv.ts'
import type { Database } from '../db/client.ts'
import { uploadedFileName } from '../garment/uploaded-file.ts'
import { streamText } from '../http/stream-text.ts'
import { getImport } from './get-import.ts'

/** How many lines are in memory at a time. */
const pageSize = 500

/** A CSV file of all lines of an import with their status and problem, page by page as it is read. */
export function streamReport(db: Database, tenantId: string, id: string): ReadableStream<Uint8Array> {
  async function* chunks() {
    yield writeRow(['line', 'uuid', 'image_url', 'status', 'problem'])
    let after: number | null = 0
    while (after !== null) {
      const page = await getImport(db, tenantId, id, { after, limit: pageSize })
      yield page.lines
        .map(({ line, uuid, imageUrl, status, problem }) =>
          writeRow([String(line), uuid, uploadedFileName(imageUrl) ?? imageUrl, status, problem]),
        )
        .join('')
      after = page.nextAfter
    }
  }
  return streamText(chunks())
}
