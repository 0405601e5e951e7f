import { z } from '@hono/zod-openapi'
import { fieldSentences } from '../http/validation/field-sentences.ts'
import { maxKeyLength } from '../http/validation/text-limits.ts'
import { correctionMeasurements, correctionProperties } from '../garment/result/tag-schema.ts'

/** More than the keys that a garment has, and as many as its attributes. */
const maxKeys = 50

const keysOf = <T extends z.ZodType>(value: T) =>
  z
    .record(z.string().max(maxKeyLength, fieldSentences.key_too_long({ max: maxKeyLength })), value)
    .refine((all) => Object.keys(all).length <= maxKeys, fieldSentences.too_many_keys({ max: maxKeys }))

const end = z
  .tuple([z.number(), z.number()])
  .openapi({ type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 })

const lineSchema = z.union(
  [
    z.object({ from: end, to: end }),
    z
      .tuple([end, end])
      .transform(([from, to]) => ({ from, to }))
      .openapi({ type: 'array', items: { type: 'array', items: { type: 'number' } }, minItems: 2, maxItems: 2 }),
  ],
  'must be [[x, y], [x, y]] or {from: [x, y], to: [x, y]} in pixels, or null',
)

export const correctionRequest = z
  .object({
    tag: keysOf(z.string('must be a string or null').nullable())
      .openapi({ additionalProperties: false, properties: correctionProperties() })
      .default({}),
    measurements: keysOf(z.number('must be a number of centimetres or null').nullable())
      .openapi({ additionalProperties: false, properties: correctionMeasurements() })
      .default({}),
    lines: keysOf(lineSchema.nullable())
      .openapi({
        description:
          'By name of measurement, without the unit: both ends of a line in pixels of the upright original, from its upper left ' +
          'corner, as `from` and `to` or as a list. The length follows. Null takes a line out with its measurement.',
      })
      .default({}),
    attribute: keysOf(z.string('must be a string or null').nullable())
      .openapi({ description: 'What you know of the garment. Merged with what it has; null removes a key.' })
      .default({}),
    listing: keysOf(z.string('must be a string or null').nullable())
      .openapi({
        description:
          'Your own values of a listing: title, text, price, currency, size, condition, stock, sku and any other. Kept in ' +
          '`attribute` (`price` as `Price`, `text` as `Description`), and before it where both name the same; null removes one.',
      })
      .default({}),
  })
  .refine(
    (all) => Object.values(all).some((keys) => Object.keys(keys).length > 0),
    'must name at least one key in tag, measurements, lines, attribute or listing',
  )
