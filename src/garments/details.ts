import { z } from '@hono/zod-openapi'
import type { Corrections } from './corrections/correction.ts'
import { measuredSentences, noteSentences, type ScaleSource, scaleSources, shownValues } from '../vision/scene.ts'
import type { StoredResult } from './stored-result.ts'
import { type LinePoints, sourceOfDrawn, type View } from '../vision/view.ts'

export const detailsSchema = z.object({
  probabilities: z.record(z.string(), z.record(z.string(), z.number())).nullable().openapi({
    description: 'For each attribute, the probabilities (0 to 1) of the predicted value and its alternatives.',
  }),
  shown: z.enum(shownValues).nullable().openapi({ description: 'How the picture shows the garment.' }),
  scale: z.enum(scaleSources).nullable().openapi({
    description:
      'Source of the centimetres: the printed card, the studio, or an estimate from usual sizes. Null without measurements.',
  }),
  notes: z.array(z.string()).openapi({
    description: 'Sentences about the pictures. The last one may name a garment that has the same picture.',
  }),
  tagger: z
    .string()
    .openapi({ description: 'Version of the networks and rules that produced the result. Empty until complete.' }),
})

export type DetailsResponse = Readonly<z.infer<typeof detailsSchema>>

export const noDetails: DetailsResponse = { probabilities: null, shown: null, scale: null, notes: [], tagger: '' }

export function toDetailsResponse(
  { shown, scale, notes, ranked, tagger }: StoredResult,
  isMeasured: boolean,
): DetailsResponse {
  return {
    probabilities: Object.fromEntries(
      Object.entries(ranked).map(([name, shares]) => [
        name,
        Object.fromEntries(shares.map(({ value, probability }) => [value, probability])),
      ]),
    ),
    shown,
    scale,
    notes: notes.flatMap((code) =>
      isNote(code) ? [(isMeasured && measuredSentences[code]) || noteSentences[code]] : [],
    ),
    tagger,
  }
}

const isNote = (code: string): code is keyof typeof noteSentences => Object.hasOwn(noteSentences, code)

const place = z
  .tuple([z.int(), z.int()])
  .openapi({ type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 })

export const placesSchema = z.object({
  image_size: z
    .object({ width: z.int(), height: z.int() })
    .optional()
    .openapi({ description: 'Size of the upright original in pixels. Absent until complete.' }),
  lines: z
    .record(z.string(), z.object({ from: place, to: place }))
    .optional()
    .openapi({
      description:
        'Both ends of each measurement, by its name without the unit. They are in pixels of the upright original, from its ' +
        'upper left corner. Measurements that a person typed have no line. Absent until complete.',
    }),
})

/** Converts the measured lines to the form of the API. Returns an empty object for a garment without a view. */
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

/** Returns the source of the scale of lines that people have drawn, if the tagger measured nothing. */
export function scaleOfDrawn(view: View | undefined, lines: Corrections['lines']): ScaleSource | null {
  if (view?.scale === undefined || !Object.values(lines).some(({ ends }) => ends !== null)) return null
  return sourceOfDrawn(view.scale)
}
