import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { garments } from '../platform/db/schema.ts'
import { levelBits, levelCount, maxBits, maxLevels, type PictureHash } from '../vision/picture-hash.ts'
import { attributeSchema, maxUuidLength } from './garment-fields.ts'
import { shownNumber } from './list/garment-number.ts'
import { listingNames, readListingValue } from './listing-values.ts'

/** Maximum number of a tenant's newest garments that a picture is compared with. */
export const comparedGarments = 1000

const shifts = JSON.stringify(Array.from({ length: levelCount }, (_, place) => place * levelBits))

/** Computes the bits that differ. SQLite has no XOR operator. */
const differing = (a: SQL, b: SQL) => sql`((${a} | ${b}) - (${a} & ${b}))`

/** Returns the condition that at most `maxBits` bits are set. Counts them in pairs, then in fours, then in bytes. */
function hasFewBits(bits: SQL): SQL {
  const pairs = sql`(${bits} - ((${bits} >> 1) & 0x5555555555555555))`
  const fours = sql`((${pairs} & 0x3333333333333333) + ((${pairs} >> 2) & 0x3333333333333333))`
  // A number modulo 255 is the sum of its bytes, as a decimal number modulo 9 is the sum of its digits.
  return sql`((${fours} + (${fours} >> 4)) & 0x0f0f0f0f0f0f0f0f) % 255 <= ${sql.raw(String(maxBits))}`
}

const level = (colours: SQL) => sql`((${colours} >> place.value) & ${sql.raw(String(2 ** levelBits - 1))})`

const haveSameColours = (a: SQL, b: SQL) => sql`NOT EXISTS (
  SELECT 1 FROM json_each(${sql.raw(`'${shifts}'`)}) AS place
  WHERE abs(${level(a)} - ${level(b)}) > ${sql.raw(String(maxLevels))})`

const integer = (decimal: string) => sql`CAST(${decimal} AS INTEGER)`

export const hashColumns = ({ bits, colours }: PictureHash) => ({
  pictureHash: integer(bits),
  pictureColours: integer(colours),
})

/** Selects the newest other garment with the same picture. Reads only the index until the bits match. */
export const findSame = (tenantId: string, uuid: string, { bits, colours }: PictureHash) => sql<string | null>`(
  SELECT other.uuid
  FROM (
    SELECT rowid AS garment, uuid, ${differing(sql`picture_hash`, integer(bits))} AS bits
    FROM ${garments} INDEXED BY garments_ended
    WHERE tenant_id = ${tenantId} AND ended_at IS NOT NULL
    ORDER BY created_at DESC, uuid DESC LIMIT ${sql.raw(String(comparedGarments))}
  ) AS recent CROSS JOIN ${garments} AS other ON other.rowid = recent.garment
  WHERE ${hasFewBits(sql`recent.bits`)} AND recent.uuid <> ${uuid}
    AND ${haveSameColours(sql`other.picture_colours`, integer(colours))}
  LIMIT 1)`

/**
 * Selects the garment with the same picture, as JSON of its uuid, number and attributes. Null if there is none, or if
 * it was removed or has another picture now. Does not compare colours again, which would read 12 rows.
 */
export const selectSame = sql<string | null>`iif(${garments}.same_as IS NULL, NULL, (
  SELECT json_object('uuid', other.uuid, 'number', other.number, 'attribute', json(other.attribute))
  FROM ${garments} AS other
  WHERE other.tenant_id = ${garments}.tenant_id AND other.uuid = ${garments}.same_as
    AND ${hasFewBits(differing(sql`other.picture_hash`, sql`${garments}.picture_hash`))}))`

const sameSchema = z.object({ uuid: z.string().max(maxUuidLength), number: z.int(), attribute: attributeSchema })

interface SameGarment {
  readonly uuid: string
  readonly title: string
  /** The title, or else the number. */
  readonly name: string
}

export function parseSame(stored: string | null): SameGarment | null {
  if (stored === null) return null
  const { attribute, ...garment } = sameSchema.parse(JSON.parse(stored))
  const title = readListingValue(attribute, listingNames.title)
  return { uuid: garment.uuid, title, name: title || shownNumber(garment) }
}

export function sameNoteOf({ same: stored }: { readonly same: string | null }): string | undefined {
  const same = parseSame(stored)
  return same === null ? undefined : sameNote(same)
}

const sameNote = ({ uuid, title }: SameGarment) =>
  `The image is the same as that of the garment "${uuid}"${title === '' ? '' : ` (${title})`}, or nearly the same.`
