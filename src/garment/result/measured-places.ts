import { z } from '@hono/zod-openapi'
import type { Corrections } from '../../correction/rules/correction.ts'
import { type LinePoints, sourceOfDrawn, type View } from '../../vision/lines/view.ts'
import type { ScaleSource } from '../../vision/scene.ts'

const place = z
  .tuple([z.int(), z.int()])
  .openapi({ type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 })

export const placesSchema = z.object({
  image_size: z
    .object({ width: z.int(), height: z.int() })
    .optional()
    .openapi({ description: 'Of the upright original, in pixels; absent until complete.' }),
  lines: z
    .record(z.string(), z.object({ from: place, to: place }))
    .optional()
    .openapi({
      description:
        'Where each measurement lies, by its name without the unit: both ends, in pixels of the upright original from its ' +
        'upper left corner; none of a measurement that a person typed. Absent until complete.',
    }),
})

/** Where measurements lie in the picture; nothing of a garment that was tagged before places were stored. */
export function toPlaces(
  view: View | undefined,
  lines: Readonly<Record<string, LinePoints>>,
): z.infer<typeof placesSchema> {
  if (view === undefined) return {}
  const [width, height] = view.size
  return {
    image_size: { width, height },
    lines: Object.fromEntries(
      Object.entries(lines).map(([name, [x, y, toX, toY]]) => [name, { from: [x, y], to: [toX, toY] }]),
    ),
  }
}

/** The source of the scale of lines that only people have drawn, if the tagger measured nothing. */
export function scaleOfDrawn(view: View | undefined, lines: Corrections['lines']): ScaleSource | null {
  if (view?.scale === undefined || !Object.values(lines).some(({ points }) => points !== null)) return null
  return sourceOfDrawn(view.scale)
}
