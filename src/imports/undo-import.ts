import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import { type Quotas, withinQuotas } from '../accounts/quotas.ts'
import type { Corrector } from '../garments/corrections/correction.ts'
import type { Database } from '../platform/db/database.ts'
import { importLines, imports } from '../platform/db/schema.ts'
import { invalidBody } from '../platform/http/errors.ts'
import { boundText } from '../platform/limits/bound-text.ts'
import { getImport } from './get-import.ts'
import { createImport, storeChunk, toStoredLine } from './store-import-lines.ts'

const linesInStep = 500

const maxNameLength = 255

const emptyLine = { pictures: null, attribute: '{}', number: null, status: 'waiting', problem: '' } as const

interface Undo {
  readonly id: string
  readonly by: Corrector
  readonly origin: string
}

/**
 * Creates an import that reverts the edits of another import, with one line per edited garment. It can itself be
 * undone. Throws 404 for an unknown import, and 400 if that import still runs or edited nothing.
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
  const name = boundText(`Undo: ${former.name}`, maxNameLength)
  const id = await createImport(db, { tenantId, name, origin }, quotas)
  let count = 0
  for (let after = 0; ;) {
    const lines = await db
      .select({ line: importLines.line, uuid: importLines.uuid })
      .from(importLines)
      .where(
        and(
          eq(importLines.tenantId, tenantId),
          eq(importLines.importId, undone),
          gt(importLines.line, after),
          eq(importLines.status, 'complete'),
          isNull(importLines.pictures),
        ),
      )
      .orderBy(asc(importLines.line))
      .limit(linesInStep)
    const last = lines.at(-1)
    if (last === undefined) break
    const undoing = lines.map((line) => toStoredLine({ ...line, ...emptyLine }))
    await withinQuotas({ db, tenantId }, quotas, async () => storeChunk(db, { tenantId, id }, undoing, quotas))
    count += lines.length
    after = last.line
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
