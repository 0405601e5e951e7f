import { z } from 'zod'
import type { Labelled } from './fit-weights.ts'

const shares = z.record(z.string(), z.number())

/** What is needed of an exported garment. */
const garmentSchema = z.object({
  tag: z.record(z.string(), z.unknown()).nullable(),
  corrected: z.array(z.string()).default([]),
  confirmed: z.array(z.string()).default([]),
  second_opinion: z
    .object({ attributes: z.record(z.string(), z.object({ network: shares, opinion: shares })) })
    .optional(),
})

/** By attribute, the probabilities of both for garments whose value a person corrected or confirmed. */
export function readLabels(garments: unknown): Map<string, Labelled[]> {
  const labels = new Map<string, Labelled[]>()
  for (const { tag, corrected, confirmed, second_opinion: asked } of z.array(garmentSchema).parse(garments))
    for (const [name, both] of Object.entries(asked?.attributes ?? {})) {
      const truth = tag?.[name]
      if (typeof truth !== 'string' || !(corrected.includes(name) || confirmed.includes(name))) continue
      labels.set(name, [...(labels.get(name) ?? []), toLabelled(both, truth)])
    }
  return labels
}

interface Both {
  readonly network: Readonly<Record<string, number>>
  readonly opinion: Readonly<Record<string, number>>
}

/** Only the likeliest values are stored; all others together are one more option. */
export function toLabelled({ network, opinion }: Both, truth: string): Labelled {
  const values = Object.keys(network)
  const withRest = (of: Readonly<Record<string, number>>) => {
    const known = values.map((value) => of[value] ?? 0)
    return [...known, Math.max(0, 1 - known.reduce((sum, each) => sum + each, 0))]
  }
  const found = values.indexOf(truth)
  return { network: withRest(network), opinion: withRest(opinion), truth: found === -1 ? values.length : found }
}
