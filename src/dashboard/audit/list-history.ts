import { parseCorrections, type Corrector } from '../../correction/rules/correction.ts'

export const historyParts = ['tag', 'measurements', 'lines'] as const

/** A value that somebody corrected or confirmed, or a line of the picture. */
export interface HistoryEntry {
  readonly part: (typeof historyParts)[number]
  readonly name: string
  /** The predicted value; null where there was none. */
  readonly before: string | number | null
  /** Null for a line, which has a place instead, or was taken out. */
  readonly value: string | number | null
  readonly isTakenOut?: boolean
  readonly at: number
  readonly by: Corrector
}

/** What people and keys said about a garment, the newest first. `stored` is the garment's column. */
export function listHistory(stored: string | null): HistoryEntry[] {
  const { tag, measurements, lines } = parseCorrections(stored)
  return [
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
