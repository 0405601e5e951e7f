import { and, eq, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/sqlite-core'
import { formatNumber, readNumber } from '../garments/list/garment-number.ts'
import { listingNames, plainKey, readListingValue } from '../garments/listing-values.ts'
import { type Database, inValues, runBatch } from '../platform/db/database.ts'
import { boundText } from '../platform/limits/bound-text.ts'
import { lineProblem } from './import-line-problem.ts'
import { garments } from '../platform/db/schema.ts'
import type { Row } from './read-import-lines.ts'

/** The texts by which a row may name its garment: the column that names it, and its SKU. */
const namesOf = ({ uuid = '', attribute = {} }: Row) =>
  [uuid, readListingValue(attribute, listingNames.sku)].filter((name) => name !== '')

/**
 * Replaces the names of garments in a shop's file by their uuids. A name may be a uuid, a seller's SKU that only one
 * garment has, or a stock number such as `G-1042`. A row whose SKU several garments have gets that problem. Other rows
 * stay unchanged, and add garments.
 */
export async function matchGarments(db: Database, tenantId: string, rows: readonly Row[]): Promise<Row[]> {
  const names = [...new Set(rows.flatMap(namesOf))]
  if (names.length === 0) return [...rows]
  const numbers = names.flatMap((name) => numberOf(name) ?? [])
  const ofTenant = eq(garments.tenantId, tenantId)
  const skuKeys = listingNames.sku.map(plainKey)
  const columns = { uuid: garments.uuid, number: garments.number }
  const { named, sellers } = await runBatch(db, {
    named: union(
      db
        .select(columns)
        .from(garments)
        .where(and(ofTenant, inValues(garments.uuid, names))),
      db
        .select(columns)
        .from(garments)
        .where(and(ofTenant, inValues(garments.number, numbers.map(String)))),
    ),
    sellers: sql<{ uuid: string; number: number; sku: string }>`
      SELECT uuid, number, trim(own.value) AS sku FROM ${garments} CROSS JOIN json_each(attribute) AS own
      WHERE tenant_id = ${tenantId}
        AND lower(replace(replace(replace(own.key, ' ', ''), '-', ''), '_', ''))
          IN (SELECT value FROM json_each(${JSON.stringify(skuKeys)}))
        AND trim(own.value) IN (SELECT value FROM json_each(${JSON.stringify(names)}))`,
  })
  const bySku = Map.groupBy(sellers, ({ sku }) => sku)
  const uuids = new Set(named.map(({ uuid }) => uuid))
  const byNumber = new Map(named.map(({ number, uuid }) => [number, uuid]))
  return rows.map((row) => {
    if (row.uuid !== undefined && uuids.has(row.uuid)) return row
    for (const name of namesOf(row)) {
      const [first, ...others] = bySku.get(name) ?? []
      if (first !== undefined && others.length > 0) return { ...row, problem: ambiguous(name, [first, ...others]) }
      const uuid = first?.uuid ?? byNumber.get(numberOf(name) ?? 0)
      if (uuid !== undefined) return { ...row, uuid }
    }
    return row
  })
}

const numberOf = (name: string) => (/^G-/i.test(name) ? readNumber(name) : undefined)

const maxNamed = 5

const ambiguous = (sku: string, found: readonly { readonly number: number }[]) =>
  lineProblem('ambiguous_sku', {
    sku: boundText(sku, 60),
    numbers: found
      .slice(0, maxNamed)
      .map(({ number }) => formatNumber(number))
      .join(', '),
  })
