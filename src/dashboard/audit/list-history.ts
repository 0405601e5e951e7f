import { parseChanges } from '../../correction/rules/attribute-changes.ts'
import { parseCorrections, type Corrector } from '../../correction/rules/correction.ts'
import { attributeSchema } from '../../garment/fields.ts'
import type { GarmentRow } from '../../garment/to-garment-response.ts'

/** What a correction can be of. */
export const correctedParts = ['tag', 'measurements', 'lines'] as const

/** A value that somebody corrected, confirmed or changed, or a line of the picture. */
export interface HistoryEntry {
  readonly part: (typeof correctedParts)[number] | 'attribute'
  readonly name: string
  /** The predicted value, or the former one of an attribute; null where there was none. */
  readonly before: string | number | null
  /** Null for an attribute that was removed, and for a line, which has a place instead or was removed. */
  readonly value: string | number | null
  readonly isTakenOut?: boolean
  /** True if it cannot be undone, because the attribute was changed again since or its former value is unknown. */
  readonly isFinal?: boolean
  readonly at: number
  readonly by: Corrector
}

/** Changes that people and API keys made to a garment, newest first. */
export function listHistory({
  corrections,
  attribute,
  attributeChanges,
}: Pick<GarmentRow, 'corrections' | 'attribute' | 'attributeChanges'>): HistoryEntry[] {
  const { tag, measurements, lines } = parseCorrections(corrections)
  return [
    ...listAttributeChanges(attribute, attributeChanges),
    ...Object.entries(tag).map(([name, { machine, ...said }]) => ({
      part: 'tag' as const,
      name,
      before: machine,
      ...said,
    })),
    ...Object.entries(measurements).map(([name, { machine, ...said }]) => ({
      part: 'measurements' as const,
      name,
      before: machine,
      ...said,
    })),
    ...Object.entries(lines).map(([name, { points, at, by }]) => ({
      part: 'lines' as const,
      name,
      before: null,
      value: null,
      isTakenOut: points === null,
      at,
      by,
    })),
  ].sort((a, b) => b.at - a.at)
}

/** Stands for a value that was too long. */
const notKept = '…'

/**
 * Newest first. A change stores the values before it. The values after it are those before the next change, or the
 * garment's present ones.
 */
function listAttributeChanges(attribute: string, stored: string | null): HistoryEntry[] {
  const after = new Map<string, string | null>(Object.entries(attributeSchema.parse(JSON.parse(attribute))))
  const seen = new Set<string>()
  return parseChanges(stored)
    .toReversed()
    .flatMap(({ at, by, before, omitted = [] }) =>
      [...Object.entries(before), ...omitted.map((name) => [name, notKept] as const)].map(([name, former]) => {
        const isFinal = seen.has(name) || former === notKept
        const entry = { name, before: former, value: after.get(name) ?? null, isFinal, at, by }
        after.set(name, former)
        seen.add(name)
        return { part: 'attribute' as const, ...entry }
      }),
    )
}
