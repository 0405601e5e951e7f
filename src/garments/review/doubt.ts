import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { dependsOnItemType, rankedNames, reviewedNames } from '../corrections/allowed-values.ts'
import { tenantState } from '../../platform/db/schema.ts'
import { clientNames } from '../label.ts'
import { plainKeyOf } from '../listing-values.ts'
import { highFrom } from '../../vision/rank.ts'

/** A literal condition, because SQLite uses no partial index for parameters. */
export const isDoubtful = sql`doubt <> 0`

const defaultAttributes = JSON.stringify(['Item Type', 'Colour', 'Pattern'])

/** Returns the attributes that a tenant has reviewed. Null stands for the default. */
export function reviewAttributesOf(stored: string | null): string[] {
  const chosen = z.array(z.string()).parse(JSON.parse(stored ?? defaultAttributes))
  return reviewedNames().filter((name) => chosen.includes(name))
}

const typeDependent = JSON.stringify(rankedNames().filter((name) => dependsOnItemType(name)))

/** The columns from which the doubt is computed, or the JSON that is about to be stored in them. */
interface Doubted {
  readonly result: SQL | string
  readonly corrections: SQL | string | null
  readonly attribute: SQL | string
}

export const storedColumns: Doubted = {
  result: sql`result`,
  corrections: sql`corrections`,
  attribute: sql`attribute`,
}

const probabilityOf = (name: SQL | string, { result }: Doubted) =>
  sql`(
    SELECT share.value FROM json_each(${result} -> 'attributes' -> ${name}) AS share ORDER BY share.id LIMIT 1)`

/** A value is in doubt if its confidence is below High, it fits the item type, and nobody has reviewed it. */
export function isInDoubt(name: SQL | string, garment: Doubted): SQL {
  const { result, corrections } = garment
  const predicted = sql`(
    SELECT share.key FROM json_each(${result} -> 'attributes' -> 'Item Type') AS share
    ORDER BY share.id LIMIT 1)`
  return sql`(
    ${probabilityOf(name, garment)} < ${highFrom} AND ${corrections} -> '$.tag' -> ${name} IS NULL
    AND (${name} NOT IN (SELECT value FROM json_each(${typeDependent})) OR coalesce(
      coalesce(${corrections} ->> '$.tag."Item Type".value', ${predicted}) = coalesce(${result} ->> 'measuredAs', ${predicted}), 1)))`
}

const namesOfLabelKeys = JSON.stringify(clientNames)

/** A label suggests a value if its confidence is Low, the client gave none, and nobody has reviewed it. */
const hasSuggestion = ({ result, corrections, attribute }: Doubted): SQL => sql`EXISTS (
  SELECT 1 FROM json_each(${result} -> 'label') AS read
  WHERE read.value ->> 'confidence' = 'Low'
    AND ${corrections} -> '$.tag' -> read.key IS NULL
    AND ${corrections} -> '$.rejected' ->> read.key IS NOT read.value ->> 'value'
    AND NOT EXISTS (
      SELECT 1 FROM json_each(${attribute}) AS supplied
      WHERE trim(supplied.value) <> ''
        AND ${plainKeyOf(sql`supplied.key`)} IN (SELECT value FROM json_each(${namesOfLabelKeys} -> read.key))))`

/** Fitted so that a fifth of unseen photographs are in doubt by default. Fit it again for new networks. */
const minDoubt = 260

/**
 * Returns an SQL expression for the expected share of wrong values among the reviewed attributes, in thousandths.
 * Values of High confidence count as right. Below `minDoubt` it is 0, or `minDoubt` if the label suggests a value.
 * Every statement that changes a result, a correction or the reviewed attributes must update the doubt.
 */
export function doubtOf(tenantId: string, garment: Doubted): SQL<number> {
  const chosen = sql`coalesce(
    (SELECT review_attributes FROM ${tenantState} WHERE tenant_id = ${tenantId}), ${defaultAttributes})`
  const name = sql`chosen.value`
  const probability = probabilityOf(name, garment)
  return sql`(
    SELECT iif(share >= ${minDoubt}, share, iif(${hasSuggestion(garment)}, ${minDoubt}, 0))
    FROM (
      SELECT CAST(round(
        1000 * total(iif(${isInDoubt(name, garment)}, 1 - ${probability}, 0)) / max(count(${probability}), 1)
      ) AS INTEGER) AS share
      FROM json_each(${chosen}) AS chosen))`
}
