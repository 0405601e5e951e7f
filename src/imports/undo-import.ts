import { and, eq, sql } from 'drizzle-orm'
import { fixedRowBytes } from '../platform/db/count-rows.ts'
import { addStored, type Quotas, withinQuotas } from '../accounts/quotas.ts'
import type { Corrector } from '../garments/corrections/correction.ts'
import { type Database, newId, runBatch } from '../platform/db/database.ts'
import { importLines, imports } from '../platform/db/schema.ts'
import { invalidBody } from '../platform/http/errors.ts'
import { boundText } from '../platform/limits/bound-text.ts'
import { tooManyImports } from './import-errors.ts'
import { getImport } from './get-import.ts'
import { checkDailyLines, countTodaysLines, newImportStatements } from './store-import-lines.ts'

const linesInStep = 500

const maxNameLength = 255

/** Bytes of a line with no attributes, besides its uuid. */
const emptyLineBytes = fixedRowBytes.import_lines + '{}'.length

interface Undo {
  readonly id: string
  readonly by: Corrector
  readonly origin: string
}

/**
 * Creates an import that reverts the edits of another import, with one line per edited garment. It can itself be
 * undone. Returns its id. Throws 404 for an unknown import, 400 if that import still runs or edited nothing, and 429 or
 * 413 as `storeLines` does.
 */
export async function undoImport(
  { db, quotas }: { readonly db: Database; readonly quotas: Quotas },
  tenantId: string,
  { id: undone, by, origin }: Undo,
  nowMs: number,
): Promise<string> {
  const { import: former } = await getImport(db, tenantId, undone, { after: 0, limit: 0 })
  if (former.endedAt === null) throw invalidBody(['The import is still running; wait until it has ended.'])
  if (former.edits === 0) throw invalidBody(['The import changed no existing garment.'])
  await checkDailyLines(db, tenantId, quotas)
  const id = newId()
  const name = boundText(`Undo: ${former.name}`, maxNameLength)
  const { created } = await runBatch(db, newImportStatements({ tenantId, id, name, origin, storedAt: null }, nowMs))
  if (created.length === 0) throw tooManyImports()
  let count = 0
  for (let after = 0; ;) {
    const lines = sql`
      SELECT line, uuid FROM ${importLines}
      WHERE tenant_id = ${tenantId} AND import_id = ${undone} AND line > ${after} AND status = 'complete' AND pictures IS NULL
      ORDER BY line LIMIT ${linesInStep}`
    const amounts = {
      import_lines: sql`(SELECT count(*) FROM (${lines}))`,
      row_bytes: sql`(SELECT coalesce(sum(octet_length(uuid) + ${emptyLineBytes}), 0) FROM (${lines}))`,
    }
    const { stored } = await withinQuotas({ db, tenantId }, quotas, async () =>
      runBatch(db, {
        counted: addStored(tenantId, amounts, quotas, sql`EXISTS (${lines})`),
        stored: sql<{ line: number }>`
          INSERT INTO ${importLines} (tenant_id, import_id, line, uuid, attribute, row_bytes, revision, status)
          SELECT ${tenantId}, ${id}, line, uuid, '{}', octet_length(uuid) + ${emptyLineBytes}, lower(hex(randomblob(8))), 'waiting'
          FROM (${lines})
          WHERE changes() > 0
          RETURNING line`,
        countedToday: countTodaysLines(db, tenantId, nowMs),
      }),
    )
    count += stored.length
    if (stored.length < linesInStep) break
    after = Math.max(...stored.map(({ line }) => line))
  }
  await db
    .update(imports)
    .set({
      waiting: count,
      undoes: undone,
      overwrites: true,
      madeBy: JSON.stringify(by),
      summary: former.name,
      storedAt: nowMs,
      endedAt: count === 0 ? nowMs : null,
    })
    .where(and(eq(imports.tenantId, tenantId), eq(imports.id, id)))
  return id
}
