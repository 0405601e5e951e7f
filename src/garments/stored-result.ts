import { z } from '@hono/zod-openapi'
import { attributes as entries, isRanked } from '../vision/attributes/attribute-catalogue.ts'
import { type Ranked, toEntries } from '../vision/rank.ts'
import { scaleSources, shownValues } from '../vision/scene.ts'
import type { TaggedPicture } from '../vision/tag-picture.ts'
import type { View } from '../vision/view.ts'
import { lineName, measurementKey } from './corrections/allowed-values.ts'
import { endsSchema, toEnds } from './corrections/correction.ts'
import { type StoredLabel, storedLabelSchema } from './label.ts'

/** A result as stored in the garment's row. Derived values, such as confidences, are not stored. */
const storedSchema = z.object({
  tagger: z.string(),
  shown: z.enum(shownValues),
  scale: z.enum(scaleSources).nullable(),
  notes: z.array(z.string()),
  /** Size of the upright measured picture in pixels. */
  width: z.int().positive(),
  height: z.int().positive(),
  cmPerPixel: z.number().positive().optional(),
  /** First eight numbers of the matrix that maps pixels to centimetres on the printed card. The ninth is 1. */
  cardTransform: z.array(z.number()).length(8).optional(),
  /** Maps each attribute to the probabilities of its values, best first. */
  attributes: z.record(z.string(), z.record(z.string(), z.number())),
  /** Values without a probability. */
  values: z.record(z.string(), z.string()),
  /** Maps measurement names without the unit to the length and both ends, in pixels. */
  lines: z.record(z.string(), z.object({ cm: z.number().optional(), ends: endsSchema.optional() })),
  /** The item type that a person chose and the other values belong to. Absent if they belong to the predicted type. */
  measuredAs: z.string().optional(),
  label: storedLabelSchema.optional(),
})

const suppliedNames = entries
  .filter((entry) => !isRanked(entry) && entry.source.client === true)
  .map(({ name }) => name)

/** Formats a result for storage, without attributes that the client supplied. */
export function formatResult(
  { tag, measurements, details }: Pick<TaggedPicture, 'tag' | 'measurements' | 'details'>,
  label?: StoredLabel,
) {
  const { tagger, shown, scale, notes, probabilities, measuredAs, view } = details
  const attributes: Record<string, Record<string, number>> = {}
  const values: Record<string, string> = {}
  const isConfidence = (name: string) => Object.keys(probabilities).some((each) => name === `${each} Confidence`)
  for (const [name, value] of Object.entries(tag)) {
    const shares = probabilities[name]
    if (shares !== undefined) {
      const ranked: Record<string, number> = {}
      for (const [i, each] of [value, tag[`${name} Alternatives`] ?? []].flat().entries())
        ranked[each] ??= shares[i] ?? 0
      attributes[name] = ranked
    } else if (typeof value === 'string' && !suppliedNames.includes(name) && !isConfidence(name)) values[name] = value
  }
  const names = new Set([...Object.keys(measurements).map(lineName), ...Object.keys(view.lines)])
  const lines = [...names].map((name) => {
    const points = view.lines[name]
    return [name, { cm: measurements[measurementKey(name)], ends: points && toEnds(points) }]
  })
  const [width, height] = view.size
  const stored = {
    tagger,
    shown,
    scale,
    notes: [...notes],
    width,
    height,
    ...(typeof view.scale === 'number' ? { cmPerPixel: view.scale } : view.scale && { cardTransform: [...view.scale] }),
    attributes,
    values,
    lines: Object.fromEntries(lines),
    measuredAs,
    label,
  }
  return JSON.stringify(stored)
}

export function parseResult(json: string) {
  const { width, height, cmPerPixel, cardTransform, attributes, values, lines, ...stored } = storedSchema.parse(
    JSON.parse(json),
  )
  const tag: Record<string, string | string[]> = { ...values }
  const ranked: Record<string, Ranked> = {}
  for (const [name, shares] of Object.entries(attributes)) {
    ranked[name] = Object.entries(shares).map(([value, probability]) => ({ value, probability }))
    Object.assign(tag, toEntries(name, ranked[name]))
  }
  const scale = cmPerPixel ?? cardTransform
  const view: View = {
    size: [width, height],
    ...(scale !== undefined && { scale }),
    lines: Object.fromEntries(Object.entries(lines).flatMap(([name, { ends }]) => (ends ? [[name, ends]] : []))),
  }
  return {
    ...stored,
    tag,
    ranked,
    measurements: Object.fromEntries(
      Object.entries(lines).flatMap(([name, { cm }]) => (cm === undefined ? [] : [[measurementKey(name), cm]])),
    ),
    view,
  }
}

export type StoredResult = ReturnType<typeof parseResult>
