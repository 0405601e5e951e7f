import {
  allowedMeasurements,
  correctableNames,
  dependsOnItemType,
  detailedBy,
  isAllowed,
} from '../../garments/corrections/allowed-values.ts'
import { itemTypeOf, type MachineResult } from '../../garments/corrections/apply-corrections.ts'
import type { CorrectionPatch } from '../../garments/corrections/check-corrections.ts'
import type { Corrections } from '../../garments/corrections/correction.ts'
import { labelOnlyKeys } from '../../labels/understanding/understand-label.ts'
import { type FormValues, readDecimal } from '../form.ts'
import { Notice } from '../parts/elements.tsx'

export const tagField = (name: string) => `tag.${name}`
export const measurementField = (name: string) => `measurements.${name}`

export const correctionFields = (itemType: string) => [
  ...correctableNames().map(tagField),
  ...allowedMeasurements(itemType).map(measurementField),
]

/** Returns the corrections so far as form values. An empty field means that nobody has checked the value. */
export function formValues({ tag, measurements }: Corrections): FormValues {
  return Object.fromEntries([
    ...Object.entries(tag).map(([name, { value }]) => [tagField(name), value]),
    ...Object.entries(measurements).map(([name, { value }]) => [measurementField(name), String(value)]),
  ])
}

/** Returns the item type chosen in the form, or else the predicted one. It decides which fields the form has. */
export function formItemType(values: FormValues, machine: MachineResult): string {
  const predicted = machine.tag['Item Type']
  return values[tagField('Item Type')] || (typeof predicted === 'string' ? predicted : '')
}

/**
 * Returns the fields that differ from the corrections so far. `confirmsRest` confirms the predicted values of empty
 * fields. Without it, the changes do not count for the accuracy.
 */
export function readCorrection(
  values: FormValues,
  current: Corrections,
  machine: MachineResult,
  confirmsRest: boolean,
): CorrectionPatch {
  const itemType = formItemType(values, machine)
  const isPredictedType = itemType === itemTypeOf(machine)
  /** A predicted value may be impossible for another item type. */
  const isConfirmable = (name: string, value: unknown): value is string =>
    typeof value === 'string' && (isPredictedType || !dependsOnItemType(name) || isAllowed(name, value, itemType))
  /** True if the attribute describes another attribute in more detail, and that one is changed now. */
  const isOfChanged = (name: string, basis = detailedBy(name)) =>
    basis !== undefined && (values[tagField(basis)]?.trim() || machine.tag[basis]) !== machine.tag[basis]
  const tag: Record<string, string | null> = {}
  for (const name of [...correctableNames(), ...labelOnlyKeys]) {
    const predicted = machine.tag[name]
    const typed = values[tagField(name)]?.trim()
    if (typed === undefined) continue
    const isConfirmed = typed === '' && confirmsRest && !isOfChanged(name) && isConfirmable(name, predicted)
    const value = isConfirmed ? predicted : typed
    if (value !== (current.tag[name]?.value ?? '')) tag[name] = value || null
  }
  const measurements: Record<string, number | null> = {}
  for (const name of allowedMeasurements(itemType)) {
    const predicted = machine.measurements[name]
    const typed = values[measurementField(name)]?.trim()
    if (typed === undefined) continue
    const value = typed === '' ? (confirmsRest ? predicted : undefined) : readDecimal(typed)
    if (value !== current.measurements[name]?.value) measurements[name] = value ?? null
  }
  return { tag, measurements, uncounted: confirmsRest ? undefined : Object.keys(tag) }
}

export interface OtherChange {
  readonly name: string
  /** Empty if a correction was removed. */
  readonly value: string
}

/** Serializes the values with which a form was opened, for one hidden field. */
export const formatBase = (values: FormValues): string => new URLSearchParams({ ...values }).toString()

/**
 * Compares the values with which a form was opened (`base`) with the current ones. Fields that the person left alone
 * take the current value, so that saving undoes nobody's work. Fields that they changed keep their input.
 */
export function mergeStale(base: string, current: FormValues, typed: FormValues) {
  const opened: FormValues = Object.fromEntries(new URLSearchParams(base))
  const names = new Set([...Object.keys(opened), ...Object.keys(current)])
  const changes: OtherChange[] = [...names]
    .filter((name) => (opened[name] ?? '') !== (current[name] ?? ''))
    .map((name) => ({ name, value: current[name] ?? '' }))
  const untouched = changes.filter(({ name }) => (typed[name] ?? '').trim() === (opened[name] ?? ''))
  return { changes, values: { ...typed, ...Object.fromEntries(untouched.map(({ name, value }) => [name, value])) } }
}

export const OtherChanges = ({ changes }: { changes: readonly OtherChange[] }) => (
  <Notice tone="bad" title="Somebody else has changed this garment since you opened this form.">
    <p>Your changes are not saved yet. Fields that you did not change now have their values:</p>
    <ul>
      {changes.map(({ name, value }) => (
        <li>
          {name.slice(name.indexOf('.') + 1)}: {value === '' ? 'empty' : value}
        </li>
      ))}
    </ul>
    <p>Check your values, then save again.</p>
  </Notice>
)
