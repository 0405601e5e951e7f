import { z } from '@hono/zod-openapi'
import { correctionMeasurements, correctionProperties } from '../garment/tag-schema.ts'

/** More than the keys that a garment has, and as many as its attributes. */
const maxKeys = 50

const keysOf = <T extends z.ZodType>(value: T) =>
  z
    .record(z.string().max(64, 'must be a key of at most 64 characters'), value)
    .refine((all) => Object.keys(all).length <= maxKeys, `must have at most ${maxKeys} keys`)

export const correctionRequest = z
  .object({
    tag: keysOf(z.string('must be a string or null').nullable())
      .openapi({ additionalProperties: false, properties: correctionProperties() })
      .default({}),
    measurements: keysOf(z.number('must be a number of centimetres or null').nullable())
      .openapi({ additionalProperties: false, properties: correctionMeasurements() })
      .default({}),
    attribute: keysOf(z.string('must be a string or null').nullable())
      .openapi({ description: 'What you know of the garment. Merged with what it has; null removes a key.' })
      .default({}),
  })
  .refine(
    (all) => Object.values(all).some((keys) => Object.keys(keys).length > 0),
    'must name at least one key in tag, measurements or attribute',
  )
