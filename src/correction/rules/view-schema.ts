import { z } from 'zod'
import type { View } from '../../vision/lines/view.ts'

const pixel = z.int().min(0)

export const linePointsSchema = z.tuple([pixel, pixel, pixel, pixel])

/** The stored geometry of a measured picture. */
export const viewSchema: z.ZodType<View> = z.object({
  size: z.tuple([z.int().positive(), z.int().positive()]),
  scale: z.union([z.number().positive(), z.array(z.number()).length(8)]).optional(),
  lines: z.record(z.string(), linePointsSchema),
})
