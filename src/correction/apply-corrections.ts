import { isItemType, itemOf, type ItemType } from '../vision/taxonomy/item-types.ts'
import { allowedMeasurements, isAllowed, namesByItem, rankedNames } from './allowed-values.ts'
import type { Corrections } from './correction.ts'

type Tag = Record<string, string | string[]>
type Measurements = Record<string, number>

export interface MachineResult {
  readonly tag: Readonly<Tag>
  readonly measurements: Readonly<Measurements>
}

export interface CorrectedResult {
  readonly tag: Tag
  readonly measurements: Measurements
  /** The keys whose value a person changed. A confirmed key is not among them. */
  readonly corrected: string[]
}

/** The item type after correction. */
export function correctedItemType({ tag }: Pick<MachineResult, 'tag'>, corrections: Corrections): string {
  const itemType = corrections.tag['Item Type']?.value ?? tag['Item Type']
  return typeof itemType === 'string' ? itemType : ''
}

/**
 * The machine's result with what people said in place of it: a value that a person gave or confirmed has the confidence
 * High and no alternatives. Where the item type is corrected, whatever does not apply to the new type is left out.
 * `attribute` is what the client said at the upload.
 */
export function applyCorrections(
  machine: MachineResult,
  corrections: Corrections,
  attribute: Readonly<Record<string, string>>,
): CorrectedResult {
  const itemType = correctedItemType(machine, corrections)
  const isNewType = itemType !== machine.tag['Item Type'] && isItemType(itemType)
  const tag = isNewType ? tagForType(machine.tag, itemType, attribute) : { ...machine.tag }
  const measurements = { ...machine.measurements }
  const corrected: string[] = []

  for (const [name, { value, machine: said }] of Object.entries(corrections.tag)) {
    if (isNewType && !isAllowed(name, value, itemType)) continue
    tag[name] = value
    if (rankedNames.includes(name)) {
      tag[`${name} Alternatives`] = []
      tag[`${name} Confidence`] = 'High'
    }
    if (value !== said) corrected.push(name)
  }
  for (const [name, { value, machine: said }] of Object.entries(corrections.measurements)) {
    measurements[name] = value
    if (value !== said) corrected.push(name)
  }
  if (!isNewType) return { tag, measurements, corrected }
  const names = allowedMeasurements(itemType).filter((name) => measurements[name] !== undefined)
  return {
    tag,
    measurements: Object.fromEntries(names.map((name) => [name, measurements[name] ?? 0])),
    corrected: corrected.filter((name) => name in tag || names.includes(name)),
  }
}

/** The machine's tag without what does not apply to another item type. */
function tagForType(
  machine: Readonly<Tag>,
  itemType: ItemType,
  attribute: Readonly<Record<string, string>>,
): Record<string, string | string[]> {
  const tag = { ...machine }
  for (const name of namesByItem) {
    const alternatives = tag[`${name} Alternatives`]
    if (!isAllowed(name, tag[name], itemType)) {
      for (const key of [name, `${name} Alternatives`, `${name} Confidence`]) delete tag[key]
    } else if (Array.isArray(alternatives)) {
      tag[`${name} Alternatives`] = alternatives.filter((value) => isAllowed(name, value, itemType))
    }
  }
  // Category and Gender follow the item type unless the client said them.
  const { category, gender } = itemOf(itemType)
  if (attribute['Category'] === undefined) tag['Category'] = category
  if (attribute['Gender'] === undefined) {
    if (gender === undefined) delete tag['Gender']
    else tag['Gender'] = gender
  }
  return tag
}
