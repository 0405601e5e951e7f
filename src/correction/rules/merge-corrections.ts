import type { MachineResult } from './apply-corrections.ts'
import { confidenceIn, type Corrections, type Corrector } from './correction.ts'
import type { CorrectionPatch } from './check-corrections.ts'

/**
 * The corrections after a patch whose values were checked. A value equal to the predicted one is stored as a
 * confirmation.
 */
export function mergeCorrections(
  machine: MachineResult,
  current: Corrections,
  patch: CorrectionPatch,
  { by, at }: { readonly by: Corrector; readonly at: number },
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
  return { tag, measurements }
}
