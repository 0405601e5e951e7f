import { sql } from 'drizzle-orm'
import { batchRaw } from '../../db/batch-raw.ts'
import { editGarment } from '../../correction/edit-garment.ts'
import type { AttributePatch } from '../../correction/rules/change-attribute.ts'
import { correctorSchema } from '../../correction/rules/correction.ts'
import type { CorrectionDeps } from '../../correction/store-correction.ts'
import { importLines, imports } from '../../db/schema.ts'
import { attributeSchema } from '../../garment/fields.ts'
import { otherProblem, storeProblems } from '../line-problem.ts'
import { byStatus, changeStatements, isEdit } from './line-statements.ts'

/** Each takes up to 8 queries. The platform allows 1,000 in one invocation. */
const maxEdited = 80
const maxAtOnce = 8

interface EditLine {
  readonly line: number
  readonly uuid: string
  readonly attribute: string
}

/**
 * Changes the garments of the next lines that have no picture, and ends those lines. Safe to repeat: a line that was
 * applied before changes nothing again. Returns how many lines were changed.
 */
export async function editLines(
  deps: CorrectionDeps,
  { tenantId, id, madeBy }: Pick<typeof imports.$inferSelect, 'tenantId' | 'id' | 'madeBy'>,
  nowMs: number,
): Promise<number> {
  const waiting = sql`${importLines} ${byStatus} WHERE tenant_id = ${tenantId} AND import_id = ${id} AND status = 'waiting'`
  const next = await deps.db.all<EditLine>(sql`
    SELECT line, uuid, attribute FROM ${waiting} AND ${isEdit}
      AND EXISTS (SELECT 1 FROM ${imports} WHERE tenant_id = ${tenantId} AND id = ${id} AND paused = 0)
    ORDER BY line LIMIT ${maxEdited}`)
  if (next.length === 0) return 0
  const by = correctorSchema.parse(JSON.parse(madeBy ?? 'null'))
  const problems: [line: number, problem: string][] = []
  for (let at = 0; at < next.length; at += maxAtOnce)
    problems.push(
      ...(await Promise.all(
        next.slice(at, at + maxAtOnce).map(async ({ line, uuid, attribute }): Promise<[number, string]> => {
          const patch = readPatch(attribute)
          const problem = await editGarment(deps, tenantId, { uuid, attribute: patch, by, isOfFile: true }, nowMs)
          return [line, storeProblems(problem === '' ? [] : [otherProblem(problem)])]
        }),
      )),
    )
  const outcomes = sql`
    SELECT line.line, line.picture_id, line.image_url, iif(made.value ->> 1 = '', 'complete', 'failed') AS status,
      made.value ->> 1 AS problem
    FROM json_each(${JSON.stringify(problems)}) AS made
    CROSS JOIN ${importLines} AS line
      ON line.tenant_id = ${tenantId} AND line.import_id = ${id} AND line.line = made.value ->> 0
    WHERE line.status = 'waiting'`
  const results = await batchRaw(deps.db, changeStatements({ tenantId, id, from: 'waiting', outcomes }, nowMs))
  return results.at(-1)?.results.length ?? 0
}

/** Of a line that changes a garment, an empty value is one that is removed. */
const readPatch = (attribute: string): AttributePatch =>
  Object.fromEntries(
    Object.entries(attributeSchema.parse(JSON.parse(attribute))).map(([name, value]) => [name, value || null]),
  )
