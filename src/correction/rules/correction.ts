import { z } from 'zod'

const confidences = ['High', 'Medium', 'Low'] as const

/** Who corrected a value: a session of the dashboard or an API key. */
const correctorSchema = z.object({ kind: z.enum(['session', 'api-key']), id: z.string() })

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
    /** False where it says nothing about how often the tagger is right. */
    counted: z.literal(false).optional(),
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
