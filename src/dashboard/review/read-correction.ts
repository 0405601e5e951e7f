import { allowedMeasurements, correctableNames, isAllowed, namesByItem } from '../../correction/allowed-values.ts'
import type { MachineResult } from '../../correction/apply-corrections.ts'
import type { CorrectionPatch } from '../../correction/check-corrections.ts'
import type { Corrections } from '../../correction/correction.ts'
import type { FormValues } from '../form.ts'

/** The names of the fields, which are those of the API's problems. */
export const tagField = (name: string) => `tag.${name}`
export const measurementField = (name: string) => `measurements.${name}`

export const correctionFields = (itemType: string) => [
  ...correctableNames.map(tagField),
  ...allowedMeasurements(itemType).map(measurementField),
]

/** The form's values: what people said so far. An empty field was not checked by anyone. */
export function formValues({ tag, measurements }: Corrections): FormValues {
  return Object.fromEntries([
    ...Object.entries(tag).map(([name, { value }]) => [tagField(name), value]),
    ...Object.entries(measurements).map(([name, { value }]) => [measurementField(name), String(value)]),
  ])
}

/** The item type that the fields of the form are for: the chosen one, else the machine's. */
export function formItemType(values: FormValues, machine: MachineResult): string {
  const said = machine.tag['Item Type']
  return values[tagField('Item Type')] || (typeof said === 'string' ? said : '')
}

/**
 * The fields of a form that differ from the corrections so far. `confirmsRest` confirms what the machine said in every
 * field that was left empty.
 */
export function readCorrection(
  values: FormValues,
  current: Corrections,
  machine: MachineResult,
  confirmsRest: boolean,
): CorrectionPatch {
  const itemType = formItemType(values, machine)
  const isMachineType = itemType === machine.tag['Item Type']
  /** What the machine said may make no sense on another item type. */
  const isConfirmable = (name: string, said: unknown): said is string =>
    typeof said === 'string' && (isMachineType || !namesByItem.includes(name) || isAllowed(name, said, itemType))
  const tag: Record<string, string | null> = {}
  for (const name of correctableNames) {
    const said = machine.tag[name]
    const given = values[tagField(name)]?.trim()
    // A field that was not shown says nothing.
    if (given === undefined) continue
    const value = given === '' && confirmsRest && isConfirmable(name, said) ? said : given
    if (value !== (current.tag[name]?.value ?? '')) tag[name] = value || null
  }
  const measurements: Record<string, number | null> = {}
  for (const name of allowedMeasurements(itemType)) {
    const said = machine.measurements[name]
    // Many locales write decimals with a comma.
    const given = values[measurementField(name)]?.trim().replace(',', '.')
    if (given === undefined) continue
    const value = given === '' ? (confirmsRest ? said : undefined) : Number(given)
    if (value !== current.measurements[name]?.value) measurements[name] = value ?? null
  }
  return { tag, measurements }
}
