import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { dependsOnItemType, rankedNames, reviewedNames } from '../corrections/allowed-values.ts'
import { tenantState } from '../../platform/db/schema.ts'

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
  readonly tag: SQL | string
  readonly corrections: SQL | string | null
  readonly details: SQL | string
}

export const storedColumns: Doubted = { tag: sql`tag`, corrections: sql`corrections`, details: sql`details` }

/**
 * The condition that the value of an attribute is in doubt: it was predicted without high confidence, for the item type
 * that the garment has now, and nobody has confirmed or corrected it.
 */
export const isInDoubt = (name: SQL | string, { tag, corrections, details }: Doubted) => sql`(
  ${tag} ->> (${name} || ' Confidence') IN ('Low', 'Medium') AND ${corrections} -> '$.tag' -> ${name} IS NULL
  AND (${name} NOT IN (SELECT value FROM json_each(${typeDependent})) OR coalesce(
    coalesce(${corrections} ->> '$.tag."Item Type".value', ${tag} ->> '$."Item Type"') =
    coalesce(${details} ->> '$.measuredAs', ${tag} ->> '$."Item Type"'), 1)))`

/**
 * How many of a tenant's reviewed attributes are expected to be wrong, in levels: 3 from 0.5 on, 2 from 0.25 on, 1 for
 * less, 0 for none. It is an expression of the statement that stores a result, a correction or the tenant's choice,
 * because each of these may change while another is being made.
 */
export function doubtOf(tenantId: string, garment: Doubted): SQL<number> {
  const { tag, details } = garment
  const chosen = sql`coalesce(
    (SELECT review_attributes FROM ${tenantState} WHERE tenant_id = ${tenantId}), ${defaultAttributes})`
  const thousandths = sql`coalesce(1000 - round(1000 * (${details} -> '$.probabilities' -> value ->> 0)),
    iif(${tag} ->> (value || ' Confidence') = 'Low', 500, 250))`
  return sql`(
    SELECT CASE WHEN points >= 500 THEN 3 WHEN points >= 250 THEN 2 WHEN points > 0 THEN 1 ELSE 0 END
    FROM (SELECT total(${thousandths}) AS points FROM json_each(${chosen}) WHERE ${isInDoubt(sql`value`, garment)}))`
}
