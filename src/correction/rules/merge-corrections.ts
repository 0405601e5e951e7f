import type { View } from '../../vision/lines/view.ts'
import { toPoints } from './check-lines.ts'
import type { MachineResult } from './apply-corrections.ts'
import { confidenceIn, type Authorship, type Corrections } from './correction.ts'
import { measurementKey } from './measurement.ts'
import type { CorrectionPatch } from './check-corrections.ts'

/**
 * The corrections after a patch whose values were checked. A value equal to the predicted one is stored as a
 * confirmation.
 */
export function mergeCorrections(
  machine: MachineResult,
  current: Corrections,
  patch: CorrectionPatch,
  { by, at }: Authorship,
): Corrections {
  const tag = { ...current.tag }
  for (const [name, value] of Object.entries(patch.tag)) {
    if (value === null) delete tag[name]
    else {
      const predicted = machine.tag[name]
      const confidence = confidenceIn(machine.tag, name)
      const former = current.tag[name]
      const isCounted = patch.uncounted?.includes(name) !== true || (former !== undefined && former.counted !== false)
      tag[name] = {
        value: value.trim(),
        machine: typeof predicted === 'string' ? predicted : null,
        confidence,
        at,
        by,
        ...(isCounted ? {} : { counted: false }),
      }
    }
  }
  const measurements = { ...current.measurements }
  for (const [name, value] of Object.entries(patch.measurements)) {
    if (value === null) delete measurements[name]
    else {
      const predicted = machine.measurements[name] ?? null
      measurements[name] = { value: Math.round(value * 2) / 2, machine: predicted, confidence: null, at, by }
    }
  }
  const lines = mergeLines(current.lines, patch, machine.view, { by, at })
  for (const name of Object.keys(patch.lines ?? {})) delete measurements[measurementKey(name)]
  return { tag, measurements, lines }
}

/**
 * The later of a line and a measurement counts. A line that is back at its predicted place is no longer a correction.
 */
function mergeLines(
  current: Corrections['lines'],
  { measurements, lines: given = {}, undoneLines = [] }: CorrectionPatch,
  view: View | undefined,
  made: Authorship,
): Corrections['lines'] {
  const kept = Object.entries(current).filter(([name]) => !Object.hasOwn(measurements, measurementKey(name)))
  const merged = new Map(kept)
  for (const name of undoneLines) merged.delete(name)
  for (const [name, line] of Object.entries(given)) {
    const predicted = view?.lines[name]
    const points = line === null ? null : toPoints(line)
    const isPredicted = points === null ? predicted === undefined : String(points) === String(predicted)
    if (isPredicted) merged.delete(name)
    else merged.set(name, { points: points === null ? null : [...points], ...made })
  }
  return Object.fromEntries(merged)
}
