import { z } from '@hono/zod-openapi'
import { correctionProperties } from '../garment/tag-schema.ts'

/** More than the keys that a garment has. */
const maxKeys = 40

const keysOf = <T extends z.ZodType>(value: T) =>
  z
    .record(z.string().max(64, 'must be a key of at most 64 characters'), value)
    .refine((all) => Object.keys(all).length <= maxKeys, `must have at most ${maxKeys} keys`)

export const correctionRequest = z
  .object({
    tag: keysOf(z.string('must be a string or null').nullable())
      .openapi({ properties: correctionProperties() })
      .default({}),
    measurements: keysOf(z.number('must be a number of centimetres or null').nullable()).default({}),
  })
  .refine(
    ({ tag, measurements }) => Object.keys(tag).length + Object.keys(measurements).length > 0,
    'must name at least one key in tag or measurements',
  )
