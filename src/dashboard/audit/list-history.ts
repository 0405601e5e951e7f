import { parseCorrections, type Corrector } from '../../correction/rules/correction.ts'

/** A value that somebody corrected or confirmed. */
export interface HistoryEntry {
  readonly part: 'tag' | 'measurements'
  readonly name: string
  /** The predicted value; null where there was none. */
  readonly before: string | number | null
  readonly value: string | number
  readonly at: number
  readonly by: Corrector
}

/** What people and keys said about a garment, the newest first. `stored` is the garment's column. */
export function listHistory(stored: string | null): HistoryEntry[] {
  const { tag, measurements } = parseCorrections(stored)
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
  ].sort((a, b) => b.at - a.at)
}
