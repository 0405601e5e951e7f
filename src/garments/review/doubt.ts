import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { dependsOnItemType, rankedNames, reviewedNames } from '../corrections/allowed-values.ts'
import { tenantState } from '../../platform/db/schema.ts'
import { highFrom } from '../../vision/rank.ts'

const defaultAttributes = JSON.stringify(['Item Type', 'Colour', 'Pattern'])

/** The attributes that a tenant has reviewed. `stored` is its choice; null for the default. */
export function reviewAttributesOf(stored: string | null): string[] {
  const chosen = z.array(z.string()).parse(JSON.parse(stored ?? defaultAttributes))
  return reviewedNames().filter((name) => chosen.includes(name))
}

/** The attributes whose values depend on the item type, as JSON. */
const typeDependent = JSON.stringify(rankedNames().filter((name) => dependsOnItemType(name)))

/** The columns of a garment that its doubt is made from, or the JSON that is about to be stored in them. */
interface Doubted {
  readonly result: SQL | string
  readonly corrections: SQL | string | null
}

export const storedColumns: Doubted = { result: sql`result`, corrections: sql`corrections` }

/** The probability of an attribute's predicted value. */
const probabilityOf = (name: SQL | string, { result }: Doubted) =>
  sql`(
    SELECT share.value FROM json_each(${result} -> 'attributes' -> ${name}) AS share ORDER BY share.id LIMIT 1)`

/**
 * The condition that the value of an attribute is in doubt: it was predicted without high confidence, for the item type
 * that the garment has now, and nobody has confirmed or corrected it.
 */
export function isInDoubt(name: SQL | string, garment: Doubted): SQL {
  const { result, corrections } = garment
  const corrected = sql`(${corrections} ->> '$.tag."Item Type".value')`
  const predicted = sql`(
    SELECT share.key FROM json_each(${result} -> 'attributes' -> 'Item Type') AS share
    ORDER BY share.id LIMIT 1)`
  return sql`(
    ${probabilityOf(name, garment)} < ${highFrom} AND ${corrections} -> '$.tag' -> ${name} IS NULL
    AND (${name} NOT IN (SELECT value FROM json_each(${typeDependent})) OR coalesce(
      coalesce(${corrected}, ${predicted}) = coalesce(${result} ->> 'measuredAs', ${predicted}), 1)))`
}

/**
 * A garment is in doubt from here on. By the default attributes, 20.1 % of 672 photographs are that training has not
 * seen (the splits `senders` and `validation`). Fit it again with a new network.
 */
const minDoubt = 260

/**
 * Returns an SQL expression for the expected share of wrong values among the garment's reviewed attributes, in
 * thousandths. Values of High confidence count as right. Below `minDoubt` it is 0. Every statement that stores a
 * result, a correction or the tenant's choice of attributes contains it, because all three can change at the same time.
 */
export function doubtOf(tenantId: string, garment: Doubted): SQL<number> {
  const chosen = sql`coalesce(
    (SELECT review_attributes FROM ${tenantState} WHERE tenant_id = ${tenantId}), ${defaultAttributes})`
  const probability = probabilityOf(sql`chosen.value`, garment)
  return sql`(
    SELECT iif(share >= ${minDoubt}, share, 0)
    FROM (
      SELECT CAST(round(
        1000 * total(iif(${isInDoubt(sql`chosen.value`, garment)}, 1 - ${probability}, 0)) / max(count(${probability}), 1)
      ) AS INTEGER) AS share
      FROM json_each(${chosen}) AS chosen))`
}
