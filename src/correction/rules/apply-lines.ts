import { type LinePoints, lineLength, type View } from '../../vision/lines/view.ts'
import type { CorrectedResult } from './apply-corrections.ts'
import type { Corrections } from './correction.ts'
import { lineName, lineNamesOf, measurementKey } from './measurement.ts'

/**
 * The result with the corrected lines: a moved or added line has the length that follows from the picture's scale, and
 * a removed one has none. Lines that do not apply to the item type, or whose length is unknown, are ignored.
 */
export function applyLines(
  { tag, measurements, corrected }: CorrectedResult,
  lines: Corrections['lines'],
  view: View | undefined,
): CorrectedResult {
  if (Object.keys(lines).length === 0) return { tag, measurements, corrected }
  const names = lineNamesOf(tag['Item Type'])
  const changed = new Map(
    Object.entries(lines).flatMap(([name, { points }]): [string, number | undefined][] => {
      const cm = points === null ? undefined : measuredLength(view, points)
      return names.includes(name) && (points === null || cm !== undefined) ? [[measurementKey(name), cm]] : []
    }),
  )
  const entries = names.map(measurementKey).flatMap((key) => {
    const cm = changed.has(key) ? changed.get(key) : measurements[key]
    return cm === undefined ? [] : [[key, cm] as const]
  })
  return { tag, measurements: Object.fromEntries(entries), corrected: [...corrected, ...changed.keys()] }
}

/**
 * Where each line lies after correction, in pixels of the upright original, by name in the order of the measurements.
 */
export function placedLines(
  measurements: Readonly<Record<string, number>>,
  lines: Corrections['lines'],
  view: View,
): Record<string, LinePoints> {
  return Object.fromEntries(
    Object.keys(measurements).flatMap((key) => {
      const name = lineName(key)
      const points = lines[name]?.points ?? view.lines[name]
      return points === undefined ? [] : [[name, points] as const]
    }),
  )
}

/** Undefined where the picture has no scale, or where its plane has no such length. */
export function measuredLength(view: View | undefined, points: LinePoints): number | undefined {
  const cm = view?.scale === undefined ? Number.NaN : lineLength(view.scale, points)
  return cm > 0 ? cm : undefined
}
