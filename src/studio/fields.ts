import { z } from '@hono/zod-openapi'

/** As long as the value of an attribute: it is the garment's attribute `Studio` that names the studio. */
const maxNameLength = 512

/** From a macro shot to a hall; whatever lies outside is a slip of the decimal point. */
const [minScale, maxScale] = [0.0001, 10]

export const studioSchema = z.object({
  name: z.string().trim().min(1, 'must not be empty').max(maxNameLength, `must be at most ${maxNameLength} characters`),
  cm_per_pixel: z.coerce
    .number('must be a number such as 0.05')
    .min(minScale, `must be at least ${minScale}`)
    .max(maxScale, `must be at most ${maxScale}`),
})

export type Studio = z.infer<typeof studioSchema>
