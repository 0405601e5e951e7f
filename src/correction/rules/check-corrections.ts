import { fieldSentences } from '../../http/validation/field-sentences.ts'
import { catalogue } from '../../vision/attributes/catalogue.ts'
import type { AllowedValues, Catalogue } from '../../vision/attributes/catalogue-entry.ts'
import { isItemType } from '../../vision/taxonomy/item-types.ts'
import { allowedMeasurements, allowedValues, dependsOnItemType, isMeasurement } from './allowed-values.ts'
import { correctedItemType, itemTypeOf, type MachineResult } from './apply-corrections.ts'
import { lineProblems, type LinesPatch } from './check-lines.ts'
import type { Corrections } from './correction.ts'

/** By key, the correct value; null removes an earlier correction. */
export interface CorrectionPatch {
  readonly tag: Readonly<Record<string, string | null>>
  readonly measurements: Readonly<Record<string, number | null>>
  readonly lines?: LinesPatch | undefined
  /** The lines that return to their predicted place, or that are removed. */
  readonly undoneLines?: readonly string[] | undefined
  /**
   * Attributes that were changed without being reviewed. Their right values are never confirmed, so counting them would
   * make the tagger look always wrong.
   */
  readonly uncounted?: readonly string[] | undefined
}

const maxTextLength = 512
export const maxCm = 500

/**
 * A sentence for each key that does not exist or does not apply to the item type after the patch, and for each value
 * that the key cannot have. A predicted value may always be confirmed, even if it is a text of the client's that is not
 * one of our values.
 */
export function correctionProblems(
  machine: MachineResult,
  current: Corrections,
  patch: CorrectionPatch,
  entries: Catalogue = catalogue,
): string[] {
  const itemType = itemTypeAfter(machine, current, patch)
  const isPredictedType = itemType === itemTypeOf(machine)
  const isConfirmed = (name: string, value: string) =>
    value === machine.tag[name] && (isPredictedType || !dependsOnItemType(name, entries))
  const tagProblem = (name: string, value: string | null) => {
    const allowed = allowedValues(name, itemType, entries)
    if (allowed === undefined) return 'is not an attribute that can be corrected'
    return value === null || isConfirmed(name, value) ? null : valueProblem(allowed, value, itemType)
  }
  const ofTag = Object.entries(patch.tag).map(([name, value]) => withKey(`tag.${name}`, tagProblem(name, value)))
  const ofMeasurements = Object.entries(patch.measurements).map(([name, value]) =>
    withKey(`measurements.${name}`, measurementProblem(name, value, itemType)),
  )
  const measured = Object.keys(patch.measurements)
  const ofLines = lineProblems(machine.view, itemType, patch.lines ?? {}, { measured, maxCm })
  return [...ofTag, ...ofMeasurements, ...ofLines].filter((problem) => problem !== null)
}

/** An invalid item type is ignored here, so that the other keys are not reported because of it. */
function itemTypeAfter(machine: MachineResult, current: Corrections, { tag }: CorrectionPatch): string {
  const patched = Object.hasOwn(tag, 'Item Type') ? tag['Item Type'] : undefined
  if (typeof patched === 'string' && isItemType(patched)) return patched
  return correctedItemType(machine, patched === null ? { ...current, tag: {} } : current)
}

const withKey = (key: string, problem: string | null) => (problem === null ? null : `${key}: ${problem}`)

function valueProblem(allowed: AllowedValues, value: string, itemType: string): string | null {
  if (allowed === 'text') return textProblem(value)
  if (allowed === 'hex') return /^#[0-9a-f]{6}$/i.test(value) ? null : 'must be a colour such as #1f294c'
  if (allowed.length === 0) return `does not apply to the item type ${itemType}`
  return allowed.includes(value) ? null : `must be one of ${allowed.join(', ')}`
}

function textProblem(value: string): string | null {
  if (value.trim() === '') return 'must not be empty'
  if (value.length > maxTextLength) return `must be at most ${maxTextLength} characters`
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f-\u009f]/.test(value)) return fieldSentences.control_characters()
  return value.isWellFormed() ? null : 'must be well-formed Unicode'
}

function measurementProblem(name: string, value: number | null, itemType: string): string | null {
  if (!isMeasurement(name)) return 'is not a measurement'
  if (value === null) return null
  const names = allowedMeasurements(itemType)
  if (!names.includes(name))
    return names.length === 0
      ? `does not apply to the item type ${itemType}`
      : `must be one of ${names.join(', ')} for the item type ${itemType}`
  // Measurements are rounded to half centimetres.
  return value >= 0.5 && value <= maxCm ? null : `must be 0.5 to ${maxCm} cm`
}
