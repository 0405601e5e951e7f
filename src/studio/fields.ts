import { z } from '@hono/zod-openapi'
import { maxValueLength } from '../http/validation/text-limits.ts'

/** From a close-up to a large hall. Anything else is a misplaced decimal point. */
const [minScale, maxScale] = [0.0001, 10]

/** Of one tenant. */
export const maxStudios = 100

export const studioSchema = z.object({
  // The attribute `Studio` of a garment names its studio.
  name: z.string().trim().min(1).max(maxValueLength),
  cm_per_pixel: z.coerce
    .number('must be a number such as 0.05')
    .min(minScale, `must be at least ${minScale}`)
    .max(maxScale, `must be at most ${maxScale}`),
})

export type Studio = z.infer<typeof studioSchema>
