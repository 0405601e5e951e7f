import { and, eq, sql } from 'drizzle-orm'
import { formatNumber, readNumber } from '../garments/list/garment-number.ts'
import { listingNames, plainKey, plainKeyOf, readListingValue } from '../garments/listing-values.ts'
import { numberQueries } from '../garments/reserve-numbers.ts'
import { type Database, inValues, runBatch } from '../platform/db/database.ts'
import { boundText } from '../platform/limits/bound-text.ts'
import { lineProblem } from './import-line-problem.ts'
import { garments } from '../platform/db/schema.ts'
import type { Columns } from './import-columns.ts'
import type { Row } from './read-import-lines.ts'

type GivenRow = Exclude<Row, { readonly problem: unknown }>

interface Matching extends Pick<Columns, 'hasUuid'> {
  readonly asks: boolean
}

/**
 * Finds the garments that rows of a file mean: by uuid, by a seller's SKU that only one garment has, or by a stock
 * number such as `G-1042`. A reserved number becomes the number of a new garment. A row whose SKU several garments have
 * gets a question or a problem. Any other row adds a garment, or gets a question if the file has no column `uuid`.
 */
export async function matchGarments(
  db: Database,
  tenantId: string,
  rows: readonly Row[],
  { hasUuid, asks }: Matching,
): Promise<Row[]> {
  // A new uuid with a picture adds a garment, whatever its SKU.
  const isOpen = (row: Row): row is GivenRow => !('problem' in row) && (!hasUuid || row.uuid === '' || !hasPicture(row))
  const uuids = await findUuids(db, tenantId, rows.filter(isOpen))
  const namesOf = (row: GivenRow): string[] => {
    if (uuids.has(row.uuid)) return []
    return hasUuid && row.uuid !== '' ? [row.uuid] : allNames(row)
  }
  const names = [...new Set(rows.filter(isOpen).flatMap(namesOf))]
  if (names.length === 0) return [...rows]
  const { bySku, byNumber, reserved } = await findNamed(db, tenantId, names)
  return rows.map((row) => {
    if (!isOpen(row)) return row
    const [first, ...others] = namesOf(row)
    if (first === undefined) return row
    for (const name of [first, ...others]) {
      const [found, ...more] = bySku.get(name) ?? []
      if (found !== undefined && more.length > 0) {
        const problem = ambiguous(name, [found, ...more])
        return asks ? { ...row, question: problem } : { ...row, problem }
      }
      const number = numberOf(name)
      const uuid = found?.uuid ?? byNumber.get(number)
      if (uuid !== undefined) return { ...row, uuid }
      if (number !== undefined && reserved.has(number)) return { ...row, number }
    }
    return asks && !hasUuid ? { ...row, question: lineProblem('unmatched', { name: boundText(first, 60) }) } : row
  })
}

const hasPicture = ({ image_url: url, images = [] }: GivenRow) => url !== undefined || images.length > 0

const allNames = ({ uuid, attribute, number }: GivenRow) =>
  [uuid, readListingValue(attribute, listingNames.sku), number === undefined ? '' : formatNumber(number)].filter(
    (name) => name !== '',
  )

const numberOf = (name: string) => (/^G-/i.test(name) ? readNumber(name) : undefined)

async function findUuids(db: Database, tenantId: string, rows: readonly GivenRow[]): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set()
  const given = rows.map(({ uuid }) => uuid)
  const found = await db
    .select({ uuid: garments.uuid })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), inValues(garments.uuid, given)))
  return new Set(found.map(({ uuid }) => uuid))
}

async function findNamed(db: Database, tenantId: string, names: readonly string[]) {
  const numbers = names.flatMap((name) => numberOf(name) ?? [])
  const skuKeys = listingNames.sku.map(plainKey)
  const { used, reserved, sellers } = await runBatch(db, {
    ...numberQueries(db, tenantId, numbers),
    sellers: sql<{ uuid: string; number: number; sku: string }>`
      SELECT uuid, number, trim(own.value) AS sku FROM ${garments} CROSS JOIN json_each(attribute) AS own
      WHERE tenant_id = ${tenantId}
        AND ${plainKeyOf(sql`own.key`)} IN (SELECT value FROM json_each(${JSON.stringify(skuKeys)}))
        AND trim(own.value) IN (SELECT value FROM json_each(${JSON.stringify(names)}))`,
  })
  return {
    bySku: Map.groupBy(sellers, ({ sku }) => sku),
    byNumber: new Map<number | undefined, string>(used.map(({ number, uuid }) => [number, uuid])),
    reserved: new Set(reserved.map(({ number }) => number)),
  }
}

const maxNamed = 5

const ambiguous = (sku: string, found: readonly { readonly number: number }[]) =>
  lineProblem('ambiguous_sku', {
    sku: boundText(sku, 60),
    numbers: found
      .slice(0, maxNamed)
      .map(({ number }) => formatNumber(number))
      .join(', '),
  })
