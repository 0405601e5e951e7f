import { z } from 'zod'
import { confidences } from '../../vision/rank.ts'
import type { LinePoints } from '../../vision/view.ts'

const pixel = z.int().min(0)
const end = z.tuple([pixel, pixel])

/** Ends of a line as stored, `[[x, y], [x, y]]`, in pixels of the upright original. */
export const endsSchema = z
  .tuple([end, end])
  .transform(([[fromX, fromY], [toX, toY]]): LinePoints => [fromX, fromY, toX, toY])

export const toEnds = ([fromX, fromY, toX, toY]: LinePoints): z.input<typeof endsSchema> => [
  [fromX, fromY],
  [toX, toY],
]

export const correctorSchema = z.object({
  kind: z.enum(['member', 'api-key']),
  id: z.string(),
  /** The member's name at that time, so that pages need not read the account. Empty for an API key. */
  name: z.string(),
})

export type Corrector = z.infer<typeof correctorSchema>

export interface ChangeAuthorship {
  readonly by: Corrector
  readonly at: number
  readonly importId?: string | undefined
}

/** A correct value beside the predicted one. Equal values are a confirmation. */
const correctionOf = <T extends z.ZodType>(value: T) =>
  z.object({
    value,
    machine: value.nullable(),
    confidence: z.enum(confidences).nullable(),
    at: z.int(),
    by: correctorSchema,
    /** False if the correction does not count for the tagger's accuracy. */
    counted: z.literal(false).optional(),
    importId: z.string().optional(),
    former: value.optional(),
  })

/** A line that a person has drawn. Its length follows from the picture's scale. */
const lineCorrectionSchema = z.object({
  /** Null if the person removed the line. */
  ends: endsSchema.nullable(),
  at: z.int(),
  by: correctorSchema,
})

const correctionsSchema = z.object({
  tag: z.record(z.string(), correctionOf(z.string())),
  measurements: z.record(z.string(), correctionOf(z.number())),
  /** Keyed by measurement name without the unit. A corrected length has no line here. */
  lines: z.record(z.string(), lineCorrectionSchema).default({}),
  /** Label values of Low confidence that a person rejected, by their keys. */
  rejected: z.record(z.string(), z.string()).default({}),
})

export type Corrections = z.infer<typeof correctionsSchema>

const none: Corrections = { tag: {}, measurements: {}, lines: {}, rejected: {} }

export function parseCorrections(stored: string | null): Corrections {
  return stored === null ? none : correctionsSchema.parse(JSON.parse(stored))
}

export function formatCorrections({ tag, measurements, lines, rejected }: Corrections): string | null {
  const isEmpty = (part: object) => Object.keys(part).length === 0
  if ([tag, measurements, lines, rejected].every(isEmpty)) return null
  const stored = Object.entries(lines).map(([name, line]) => [name, { ...line, ends: line.ends && toEnds(line.ends) }])
  return JSON.stringify({
    tag,
    measurements,
    ...(!isEmpty(lines) && { lines: Object.fromEntries(stored) }),
    ...(!isEmpty(rejected) && { rejected }),
  })
}

/** Maps names to lines that people have moved. Null marks a line that they removed. */
export const drawnLines = ({ lines }: Corrections): Record<string, LinePoints | null> =>
  Object.fromEntries(Object.entries(lines).map(([name, { ends }]) => [name, ends]))

export function confidenceIn(tag: Readonly<Record<string, unknown>>, name: string) {
  return confidences.find((confidence) => confidence === tag[`${name} Confidence`]) ?? null
}
