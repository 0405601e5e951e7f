import { z } from 'zod'

const confidences = ['High', 'Medium', 'Low'] as const

/** Who corrected a value: a member or an API key; a session of the dashboard, as it was stored before accounts had members. */
const correctorSchema = z.object({
  kind: z.enum(['member', 'session', 'api-key']),
  id: z.string(),
  /** A member's at that time, so that a page need not look it up in the accounts. */
  name: z.string().optional(),
})

export type Corrector = z.infer<typeof correctorSchema>

/** The correct value beside the predicted one; equal values are a confirmation. */
const correctionOf = <T extends z.ZodType>(value: T) =>
  z.object({
    value,
    /** The predicted value; null where there was none. */
    machine: value.nullable(),
    /** Of the predicted value; null where it had none. */
    confidence: z.enum(confidences).nullable(),
    /** Milliseconds since the epoch. */
    at: z.int(),
    by: correctorSchema,
  })

const correctionsSchema = z.object({
  tag: z.record(z.string(), correctionOf(z.string())),
  measurements: z.record(z.string(), correctionOf(z.number())),
})

/** By the keys of the tag and of the measurements. */
export type Corrections = z.infer<typeof correctionsSchema>

const none: Corrections = { tag: {}, measurements: {} }

/** `stored` is the garment's column, null where nothing was corrected. */
export function parseCorrections(stored: string | null): Corrections {
  return stored === null ? none : correctionsSchema.parse(JSON.parse(stored))
}

export function formatCorrections({ tag, measurements }: Corrections): string | null {
  const all = [...Object.values(tag), ...Object.values(measurements)]
  // For the index of corrected garments: a confirmation changes nothing.
  const changed = all.some(({ value, machine }) => value !== machine)
  return all.length === 0 ? null : JSON.stringify({ tag, measurements, changed })
}

export function confidenceIn(tag: Readonly<Record<string, unknown>>, name: string) {
  return confidences.find((confidence) => confidence === tag[`${name} Confidence`]) ?? null
}
