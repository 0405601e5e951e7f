import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { countBytes, quotasOf, withinQuotas } from '../accounts/quotas.ts'
import { correctableNames, isMeasurement } from '../garments/corrections/allowed-values.ts'
import { knownAttributes } from '../garments/garment-fields.ts'
import { formatGiven, parseGiven } from '../garments/pictures/garment-picture.ts'
import { uploadedBytes } from '../garments/upload-garment.ts'
import { type Database, hasRow, runBatch } from '../platform/db/database.ts'
import { importLines, imports } from '../platform/db/schema.ts'
import { invalidBody } from '../platform/http/errors.ts'
import type { Settings } from '../settings.ts'
import type { Attribute } from '../vision/tagging.ts'
import { storedAttribute } from './get-import.ts'
import { isChange, measurementTarget, tagTarget } from './import-columns.ts'
import { lineProblem, storeProblems } from './import-line-problem.ts'
import { matchGarments } from './match-garments.ts'
import { type LineOutcome, moveStatements, selectOutcomes } from './move-lines.ts'
import { readLines } from './read-import-lines.ts'
import { findGarments } from './store-import-lines.ts'

interface Unmatched {
  /** The import's id. */
  readonly id: string
  /** All unmatched lines of the import if absent. */
  readonly line?: number | undefined
}

const unmatched = (tenantId: string, { id, line }: Unmatched) =>
  and(
    eq(importLines.tenantId, tenantId),
    eq(importLines.importId, id),
    eq(importLines.status, 'unmatched'),
    line === undefined ? undefined : eq(importLines.line, line),
  )

/** Lets unmatched lines add garments. Lines without a picture stay unmatched. The caller wakes the importer. */
export const addUnmatched = async (db: Database, tenantId: string, lines: Unmatched, nowMs: number) =>
  await moveUnmatched(db, tenantId, lines, { status: 'waiting', problem: '', withPicture: true }, nowMs)

export const skipUnmatched = async (db: Database, tenantId: string, lines: Unmatched, nowMs: number) =>
  await moveUnmatched(db, tenantId, lines, { status: 'unchanged', problem: skipped, withPicture: false }, nowMs)

const skipped = storeProblems([lineProblem('skipped')])

interface Answer extends Omit<LineOutcome, 'line'> {
  readonly withPicture: boolean
}

async function moveUnmatched(
  db: Database,
  tenantId: string,
  lines: Unmatched,
  { status, problem, withPicture }: Answer,
  nowMs: number,
): Promise<void> {
  const isMoved = and(unmatched(tenantId, lines), withPicture ? isNotNull(importLines.pictures) : undefined)
  const moved = sql`
    SELECT line, pictures, ${status} AS status, ${problem} AS problem FROM ${importLines} WHERE ${isMoved}`
  const move = { tenantId, id: lines.id, from: 'unmatched' } as const
  await runBatch(db, { lines: moveStatements(db, move, moved, nowMs) })
}

interface Choice {
  readonly id: string
  readonly line: number
  /** The garment's uuid, its stock number, or an SKU that only one garment has. */
  readonly garment: string
}

/**
 * Lets an unmatched line change the garment that a person has chosen, unless it has been answered since. Throws 400 if
 * there is no such garment. The caller wakes the importer.
 */
export async function chooseGarment(
  { db, settings }: { readonly db: Database; readonly settings: Settings },
  tenantId: string,
  { id, line, garment }: Choice,
  nowMs: number,
): Promise<void> {
  const isChosen = unmatched(tenantId, { id, line })
  const [stored] = await db
    .select({
      pictures: importLines.pictures,
      attribute: importLines.attribute,
      rowBytes: importLines.rowBytes,
      origin: imports.origin,
    })
    .from(importLines)
    .innerJoin(imports, and(eq(imports.tenantId, importLines.tenantId), eq(imports.id, importLines.importId)))
    .where(isChosen)
  if (stored === undefined) return
  const named = { line, uuid: garment, attribute: {} }
  const [matched] = await matchGarments(db, tenantId, [named], { hasUuid: false, asks: false })
  const found = await findGarments(db, tenantId, [matched?.uuid ?? ''])
  const [foundUuid] = found.keys()
  if (foundUuid === undefined || matched === undefined || 'problem' in matched)
    throw invalidBody(['garment: no garment has this uuid or number, or several have this SKU'])
  const images = parseGiven(stored.pictures ?? '[]').map(({ url, kind }) => ({ url: url ?? '', ...(kind && { kind }) }))
  const row = { line, uuid: foundUuid, images, ...toChanges(storedAttribute(stored.attribute)) }
  const read = { columns: [], source: 'shop', hasImages: images.length > 0, hasUuid: false } as const
  const [chosen] = readLines([row], { policy: { settings, ownOrigin: stored.origin }, read, found })
  if (chosen === undefined) return
  const { uuid, pictures, attribute, status, problem } = chosen
  const rowBytes = uploadedBytes({ uuid, pictures: pictures ?? [], attribute }, 'import_lines')
  const quotas = quotasOf(settings, nowMs)
  const move = { tenantId, id, from: 'unmatched' } as const
  await withinQuotas({ db, tenantId }, quotas, async () =>
    runBatch(db, {
      counted: countBytes(tenantId, rowBytes - stored.rowBytes, quotas, hasRow(importLines, isChosen)),
      line: db
        .update(importLines)
        .set({ uuid, pictures: pictures && formatGiven(pictures), attribute, rowBytes })
        .where(isChosen),
      moved: moveStatements(db, move, selectOutcomes(move, [{ line, status, problem }]), nowMs),
    }),
  )
}

/** Separates corrections of tags and measurements, which a line that may add a garment contains as attributes. */
function toChanges(stored: Attribute): { attribute: Attribute; changes: Attribute } {
  const targets = Object.entries(stored).map(([name, value]) => [targetOf(name), value] as const)
  return {
    attribute: Object.fromEntries(targets.filter(([target]) => !isChange(target))),
    changes: Object.fromEntries(targets.filter(([target]) => isChange(target))),
  }
}

function targetOf(name: string): string {
  if (correctableNames().includes(name) && !knownAttributes.some((known) => known === name)) return tagTarget(name)
  return isMeasurement(name) ? measurementTarget(name) : name
}
