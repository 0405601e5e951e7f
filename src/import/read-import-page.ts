import { createPageBudget } from '../bounds/step-size.ts'
import { createYieldAfter } from '../yield-to-event-loop.ts'
import type { Database } from '../db/client.ts'
import type { LineFilter } from './get-import.ts'
import { toImportResponse, type ImportResponse } from './to-import-response.ts'
import { walkImport, workOfLine } from './walk-import.ts'

/**
 * An import with a page of at most `limit` lines, and of fewer where they would have more bytes than a page may have.
 * Throws 404.
 */
export async function readImportPage(
  db: Database,
  tenantId: string,
  id: string,
  filter: LineFilter,
): Promise<ImportResponse> {
  const encoder = new TextEncoder()
  const isOfPage = createPageBudget()
  const yieldAfter = createYieldAfter()
  const lines: ImportResponse['lines'] = []
  let page: ImportResponse | undefined
  for await (const found of walkImport(db, tenantId, id, filter)) {
    const step = toImportResponse(found)
    page ??= step
    for (const line of step.lines) {
      const bytes = encoder.encode(JSON.stringify(line))
      if (!isOfPage(bytes)) return { ...page, lines, next_cursor: String(lines.at(-1)?.line) }
      lines.push(line)
      await yieldAfter(workOfLine + bytes.length)
    }
    page = { ...page, lines, next_cursor: step.next_cursor }
  }
  if (page === undefined) throw new Error('A walk through an import has no step')
  return page
}
