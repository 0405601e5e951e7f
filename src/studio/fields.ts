import { z } from '@hono/zod-openapi'

/** The same as for the value of an attribute, because the attribute `Studio` of a garment names its studio. */
const maxNameLength = 512

/** From a close-up to a large hall. Anything else is a misplaced decimal point. */
const [minScale, maxScale] = [0.0001, 10]

export const studioSchema = z.object({
  name: z.string().trim().min(1).max(maxNameLength),
  cm_per_pixel: z.coerce
    .number('must be a number such as 0.05')
    .min(minScale, `must be at least ${minScale}`)
    .max(maxScale, `must be at most ${maxScale}`),
})

export type Studio = z.infer<typeof studioSchema>
