import { nextStepSize } from '../bounds/step-size.ts'
import type { Database } from '../db/client.ts'
import { getImport, type LineFilter } from './get-import.ts'

/** How many lines are read at a time: with 50 attributes of 512 Chinese letters, ten of them have 0.8 MB. */
const linesAtFirst = 10
const mostInStep = { rows: 50, characters: 250_000 }

/** The cost of reading a line, beyond its characters. */
export const workOfLine = 500

/**
 * Yields an import with its lines in at least one step, each of few enough lines to hold them in memory. All 10,000
 * lines of a file take some 240 steps at most, because a file has 8 MiB. Throws 404 as `getImport` does.
 */
export async function* walkImport(
  db: Database,
  tenantId: string,
  id: string,
  { status, after, limit }: LineFilter,
): AsyncGenerator<Awaited<ReturnType<typeof getImport>>> {
  let [left, linesInStep] = [limit, linesAtFirst]
  for (let next: number | null = after; next !== null && left > 0;) {
    const step = await getImport(db, tenantId, id, { status, after: next, limit: Math.min(linesInStep, left) })
    yield step
    next = step.nextAfter
    left -= step.lines.length
    let characters = 0
    for (const { imageUrl, attribute } of step.lines) characters += imageUrl.length + attribute.length
    linesInStep = nextStepSize({ rows: step.lines.length, characters }, mostInStep)
  }
}
