import { lineLength, roundCm, type LinePoints, type View } from '../../vision/view.ts'
import {
  allowedMeasurements,
  allowedValues,
  dependsOnItemType,
  isMeasurement,
  isPossibleLength,
  lineNamesOf,
  maxCm,
  measurementKey,
  minCm,
  notOfType,
} from './allowed-values.ts'
import { fieldSentences, maxValueLength, withoutControlCharacters } from '../../platform/http/validation.ts'
import type { AllowedValues } from '../../vision/attributes/attribute-catalogue.ts'
import { isItemType } from '../../vision/taxonomy/item-types.ts'
import { correctedItemType, itemTypeOf, type MachineResult } from './apply-corrections.ts'
import { type ChangeAuthorship, confidenceIn, type Corrections } from './correction.ts'

type End = readonly [x: number, y: number]

export type LinesPatch = Readonly<Record<string, { readonly from: End; readonly to: End } | null>>

const toPoints = ({ from, to }: NonNullable<LinesPatch[string]>): LinePoints => [
  Math.round(from[0]),
  Math.round(from[1]),
  Math.round(to[0]),
  Math.round(to[1]),
]

/** Finds lines that the item type lacks, that lie outside the picture, or that have no scale. */
function lineProblems(
  view: View | undefined,
  itemType: string,
  patch: LinesPatch,
  measured: readonly string[],
): string[] {
  const names = lineNamesOf(itemType)
  const problemOf = (name: string, line: LinesPatch[string]) => {
    if (!names.includes(name)) return notOfType(names, itemType)
    if (measured.includes(measurementKey(name))) return `must not be given together with its measurement`
    return line === null ? null : placeProblem(view, line)
  }
  return Object.entries(patch).flatMap(([name, line]) => {
    const problem = problemOf(name, line)
    return problem === null ? [] : [`lines.${name}: ${problem}`]
  })
}

function placeProblem(view: View | undefined, line: NonNullable<LinesPatch[string]>): string | null {
  if (view === undefined)
    return 'cannot be placed, because this garment has no stored places; give its length in measurements'
  const { size, scale } = view
  const isOutside = [line.from, line.to].some(
    ([x, y]) => Math.round(x) < 0 || Math.round(y) < 0 || Math.round(x) >= size[0] || Math.round(y) >= size[1],
  )
  if (isOutside) return `must lie within the picture, which is ${size[0]} x ${size[1]} pixels`
  if (scale === undefined)
    return 'has no length, because nothing tells the scale of the picture; give it in measurements'
  const cm = lineLength(scale, toPoints(line))
  return isPossibleLength(cm) ? null : `must be ${minCm} to ${maxCm} cm long`
}

/** Maps each key to its correct value. Null removes an earlier correction. */
export interface CorrectionPatch {
  readonly tag: Readonly<Record<string, string | null>>
  readonly measurements: Readonly<Record<string, number | null>>
  readonly lines?: LinesPatch | undefined
  readonly undoneLines?: readonly string[] | undefined
  /** Attributes changed without a review, which do not count for the tagger's accuracy. */
  readonly uncounted?: readonly string[] | undefined
  /** Label values that the person rejected, by their keys. */
  readonly rejected?: Readonly<Record<string, string>> | undefined
}

/** Predicted values are always valid, including client text outside our lists. */
export function correctionProblems(machine: MachineResult, current: Corrections, patch: CorrectionPatch): string[] {
  const itemType = itemTypeAfter(machine, current, patch)
  const isPredictedType = itemType === itemTypeOf(machine)
  const isConfirmed = (name: string, value: string) =>
    value === machine.tag[name] && (isPredictedType || !dependsOnItemType(name))
  const tagProblem = (name: string, value: string | null) => {
    const allowed = allowedValues(name, itemType)
    if (allowed === undefined) return 'is not an attribute that can be corrected'
    return value === null || isConfirmed(name, value) ? null : valueProblem(allowed, value, itemType)
  }
  const tagProblems = Object.entries(patch.tag).map(([name, value]) => withKey(`tag.${name}`, tagProblem(name, value)))
  const measurementProblems = Object.entries(patch.measurements).map(([name, value]) =>
    withKey(`measurements.${name}`, measurementProblem(name, value, itemType)),
  )
  const measured = Object.keys(patch.measurements)
  const lineProblemsFound = lineProblems(machine.view, itemType, patch.lines ?? {}, measured)
  return [...tagProblems, ...measurementProblems, ...lineProblemsFound].filter((problem) => problem !== null)
}

/** Ignores an invalid item type, so that only the type itself is reported. */
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
  if (value.trim() === '') return fieldSentences.empty()
  if (value.length > maxValueLength) return fieldSentences.too_long({ max: maxValueLength })
  if (!withoutControlCharacters.test(value)) return fieldSentences.control_characters()
  return value.isWellFormed() ? null : fieldSentences.not_unicode()
}

function measurementProblem(name: string, value: number | null, itemType: string): string | null {
  if (!isMeasurement(name)) {
    const meant = measurementKey(name)
    return isMeasurement(meant) ? `is not a measurement; did you mean ${meant}?` : 'is not a measurement'
  }
  if (value === null) return null
  const names = allowedMeasurements(itemType)
  if (!names.includes(name)) return notOfType(names, itemType)
  return isPossibleLength(value) ? null : `must be ${minCm} to ${maxCm} cm`
}

/** Merges a valid patch into the corrections. A value equal to the prediction is stored as a confirmation. */
export function mergeCorrections(
  machine: MachineResult,
  current: Corrections,
  patch: CorrectionPatch,
  { by, at, importId }: ChangeAuthorship,
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
        ...(importId !== undefined && { importId, former: former?.value }),
      }
    }
  }
  const measurements = { ...current.measurements }
  for (const [name, value] of Object.entries(patch.measurements)) {
    if (value === null) delete measurements[name]
    else {
      const predicted = machine.measurements[name] ?? null
      const imported = importId !== undefined && { importId, former: current.measurements[name]?.value }
      const rounded = roundCm(value)
      measurements[name] = { value: rounded, machine: predicted, confidence: null, at, by, ...imported }
    }
  }
  const lines = mergeLines(current.lines, patch, machine.view, { by, at })
  for (const name of Object.keys(patch.lines ?? {})) delete measurements[measurementKey(name)]
  return { tag, measurements, lines, rejected: { ...current.rejected, ...patch.rejected } }
}

/** A new line replaces a measurement, and a new measurement a line. A line at its predicted place is not stored. */
function mergeLines(
  current: Corrections['lines'],
  { measurements, lines: given = {}, undoneLines = [] }: CorrectionPatch,
  view: View | undefined,
  authorship: ChangeAuthorship,
): Corrections['lines'] {
  const unmeasured = Object.entries(current).filter(([name]) => !Object.hasOwn(measurements, measurementKey(name)))
  const merged = new Map(unmeasured)
  for (const name of undoneLines) merged.delete(name)
  for (const [name, line] of Object.entries(given)) {
    const predicted = view?.lines[name]
    const points = line === null ? null : toPoints(line)
    const isPredicted = points === null ? predicted === undefined : String(points) === String(predicted)
    if (isPredicted) merged.delete(name)
    else merged.set(name, { ends: points, ...authorship })
  }
  return Object.fromEntries(merged)
}
