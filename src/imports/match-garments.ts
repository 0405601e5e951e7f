import { sql } from 'drizzle-orm'
import { readNumber } from '../garments/list/garment-number.ts'
import { ownNames, plainKey, readOwn } from '../garments/own-values.ts'
import type { Database } from '../platform/db/database.ts'
import { garments } from '../platform/db/schema.ts'
import type { Row } from './read-import-lines.ts'

/** The texts by which a row may name its garment: the column that names it, and its SKU. */
const namesOf = ({ uuid = '', attribute = {} }: Row) =>
  [uuid, readOwn(attribute, ownNames.sku)].filter((name) => name !== '')

interface Named {
  readonly uuid: string
  readonly number: number
  /** Null if the garment was found by its number. */
  readonly sku: string | null
}

/**
 * Replaces the names of garments in a shop's file by their uuids. A name may be a uuid, a seller's SKU that only one
 * garment has, or a stock number such as `G-1042`. Other rows stay as they are, and add garments.
 */
export async function matchGarments(db: Database, tenantId: string, rows: readonly Row[]): Promise<Row[]> {
  const names = [...new Set(rows.flatMap(namesOf))]
  const numbers = names.flatMap((name) => (/^G-/i.test(name) ? (readNumber(name) ?? []) : []))
  const skuKeys = ownNames.sku.map(plainKey)
  const found = await db.all<Named>(sql`
    SELECT uuid, number, NULL AS sku FROM ${garments}
    WHERE tenant_id = ${tenantId} AND number IN (SELECT value FROM json_each(${JSON.stringify(numbers)}))
    UNION ALL
    SELECT uuid, number, NULL AS sku FROM ${garments}
    WHERE tenant_id = ${tenantId} AND uuid IN (SELECT value FROM json_each(${JSON.stringify(names)}))
    UNION ALL
    SELECT uuid, number, trim(own.value) AS sku FROM ${garments} CROSS JOIN json_each(attribute) AS own
    WHERE tenant_id = ${tenantId}
      AND lower(replace(replace(replace(own.key, ' ', ''), '-', ''), '_', '')) IN (SELECT value FROM json_each(${JSON.stringify(skuKeys)}))
      AND trim(own.value) IN (SELECT value FROM json_each(${JSON.stringify(names)}))`)
  const bySku = Map.groupBy(found, ({ sku }) => sku)
  const uuids = new Set(found.map(({ uuid }) => uuid))
  const byNumber = new Map(found.map(({ number, uuid }) => [number, uuid]))
  const uuidOf = (name: string): string | undefined => {
    const sellers = bySku.get(name) ?? []
    const number = /^G-/i.test(name) ? readNumber(name) : undefined
    if (sellers.length > 0) return sellers.length === 1 ? sellers[0]?.uuid : undefined
    return number === undefined ? undefined : byNumber.get(number)
  }
  return rows.map((row) => {
    if (row.uuid !== undefined && uuids.has(row.uuid)) return row
    const uuid = namesOf(row)
      .map(uuidOf)
      .find((each) => each !== undefined)
    return uuid === undefined ? row : { ...row, uuid }
  })
}
