import { z } from '@hono/zod-openapi'
import { catalogue } from '../../vision/attributes/catalogue.ts'
import { measurementNames } from '../../correction/rules/allowed-values.ts'
import { confidences } from '../../vision/rank.ts'
import { type Catalogue, type CatalogueEntry, allValues, isRanked } from '../../vision/attributes/catalogue-entry.ts'

/** Any keys and values, because a stored tag keeps those of the version that wrote it. */
const tagSchema = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

/** A tag. The description of the API lists its known keys with their values. */
export const tagSchemaOf = (entries: Catalogue = catalogue) =>
  tagSchema.openapi({
    // Not the type of the values: generators of clients refuse known keys that can be absent beside it.
    additionalProperties: true,
    properties: Object.fromEntries(
      entries.flatMap((entry) => {
        const { name, meaning } = entry
        const description = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`
        const value = [name, { type: 'string' as const, ...enumOf(entry), description }] as const
        if (!isRanked(entry)) return [value]
        return [
          value,
          [
            `${name} Alternatives`,
            { type: 'array' as const, maxItems: 3, items: { type: 'string' as const } },
          ] as const,
          [`${name} Confidence`, { type: 'string' as const, enum: [...confidences] }] as const,
        ]
      }),
    ),
  })

const number = { type: 'number' as const }

/** Centimetres by name. The description of the API lists the names of all item types. */
export const measurementsSchema = z.record(z.string(), z.number()).openapi({
  additionalProperties: true,
  properties: Object.fromEntries(measurementNames.map((name) => [name, number])),
})

/** The measurements that can be corrected, for the description of the API. */
export const correctionMeasurements = () =>
  Object.fromEntries(measurementNames.map((name) => [name, { type: ['number', 'null'] as ('number' | 'null')[] }]))

/** The keys that can be corrected, for the description of the API. Null takes a correction back. */
export const correctionProperties = (entries: Catalogue = catalogue) =>
  Object.fromEntries(
    entries.map((entry) => {
      const { enum: values } = enumOf(entry)
      return [
        entry.name,
        { type: ['string', 'null'] as ('string' | 'null')[], ...(values && { enum: [...values, null] }) },
      ]
    }),
  )

/** Undefined if the client may supply any text. */
function enumOf(entry: CatalogueEntry): { enum?: string[] } {
  const values = allValues(entry)
  const isFree = typeof values === 'string' || (!isRanked(entry) && entry.source.client === true)
  return isFree ? {} : { enum: [...values] }
}
