import type { ScaleSource } from '../../vision/scene.ts'
import { correctedLines, type LinePoints, type View } from '../../vision/view.ts'
import { isItemType, itemOf, type ItemType } from '../../vision/taxonomy/item-types.ts'
import {
  allowedMeasurements,
  detailedBy,
  isAllowed,
  isLabelOnly,
  lineName,
  lineNamesOf,
  measurementKey,
  rankedNames,
} from './allowed-values.ts'
import { type Corrections, drawnLines } from './correction.ts'
import { describeGarment, suppliedValue } from '../../vision/attributes/build-tag.ts'
import { attributes, isRanked } from '../../vision/attributes/attribute-catalogue.ts'

interface CorrectedMeasurements {
  /** Ordered like the points of measure of the item type. */
  readonly measurements: Record<string, number>
  /** Maps measurement names to lines, in pixels of the upright original. Typed lengths have no line. */
  readonly lines: Record<string, LinePoints>
  readonly corrected: string[]
}

/** Omits measurements that the item type lacks. The length of a drawn line follows from the picture's scale. */
function correctMeasurements(
  { measurements: predicted, view }: MachineResult,
  corrections: Corrections,
  itemType: string,
): CorrectedMeasurements {
  const lengths = new Map<string, number | undefined>(Object.entries(predicted))
  const places = new Map<string, LinePoints | undefined>(Object.entries(view?.lines ?? {}))
  const corrected: string[] = []
  const change = (key: string, cm: number | undefined, points: LinePoints | undefined) => {
    lengths.set(key, cm)
    places.set(lineName(key), points)
    corrected.push(key)
  }
  for (const [key, { value }] of Object.entries(corrections.measurements))
    if (value !== predicted[key]) change(key, value, undefined)
  const drawn = correctedLines(drawnLines(corrections), lineNamesOf(itemType), view ?? {})
  for (const [name, line] of Object.entries(drawn)) change(measurementKey(name), line?.cm, line?.points)

  // An unknown item type keeps all measurements.
  const keys = isItemType(itemType) ? allowedMeasurements(itemType) : [...lengths.keys()]
  const measured = keys.flatMap((key) => {
    const [cm, points] = [lengths.get(key), places.get(lineName(key))]
    return cm === undefined ? [] : [{ key, cm, points }]
  })
  return {
    measurements: Object.fromEntries(measured.map(({ key, cm }) => [key, cm])),
    lines: Object.fromEntries(
      measured.flatMap(({ key, points }) => (points === undefined ? [] : [[lineName(key), points]])),
    ),
    corrected: corrected.filter((key) => keys.includes(key)),
  }
}

type Tag = Record<string, string | string[]>

export interface MachineResult {
  readonly tag: Readonly<Tag>
  readonly measurements: Readonly<Record<string, number>>
  readonly view?: View | undefined
  /** The type that a person chose and the other values belong to. Absent if they belong to the predicted type. */
  readonly measuredAs?: string | undefined
  readonly scale?: ScaleSource | null | undefined
}

/** Removes lengths that were estimated from the usual sizes of another item type. */
const withoutEstimate = (machine: MachineResult): MachineResult => ({
  ...machine,
  measurements: {},
  view: machine.view && { size: machine.view.size, lines: {} },
})

export const itemTypeOf = ({ tag, measuredAs }: Pick<MachineResult, 'tag' | 'measuredAs'>) =>
  measuredAs ?? tag['Item Type']

/** `corrected` lists the keys whose value differs from the prediction. */
export interface CorrectedResult extends CorrectedMeasurements {
  readonly tag: Tag
}

export function correctedItemType({ tag }: Pick<MachineResult, 'tag'>, corrections: Corrections): string {
  const itemType = corrections.tag['Item Type']?.value ?? tag['Item Type']
  return typeof itemType === 'string' ? itemType : ''
}

/** Values that a person gave or confirmed are High, without alternatives. Omits values that the item type lacks. */
export function applyCorrections(
  machine: MachineResult,
  corrections: Corrections,
  attribute: Readonly<Record<string, string>>,
): CorrectedResult {
  const itemType = correctedItemType(machine, corrections)
  const isNewType = itemType !== itemTypeOf(machine) && isItemType(itemType)
  const isCorrected = (isNewType || itemType !== machine.tag['Item Type']) && isItemType(itemType)
  const tag = isNewType ? tagForType(machine.tag, itemType, attribute) : { ...machine.tag }
  const corrected: string[] = []
  const ranked = rankedNames()

  const isChanged = (name = '') =>
    corrections.tag[name] !== undefined && corrections.tag[name].value !== machine.tag[name]
  for (const { name } of attributes) if (isChanged(detailedBy(name))) delete tag[name]
  for (const [name, { value }] of Object.entries(corrections.tag)) {
    if (isCorrected && !isAllowed(name, value, itemType)) continue
    if (isChanged(name)) corrected.push(name)
    if (isLabelOnly(name)) continue
    tag[name] = value
    if (ranked.includes(name)) {
      tag[`${name} Alternatives`] = []
      tag[`${name} Confidence`] = 'High'
    } else delete tag[`${name} Confidence`]
  }
  const isOtherScale = isNewType && machine.scale === 'estimate'
  const measured = correctMeasurements(isOtherScale ? withoutEstimate(machine) : machine, corrections, itemType)
  return { tag, ...measured, corrected: [...corrected, ...measured.corrected] }
}

function tagForType(predicted: Readonly<Tag>, itemType: ItemType, attribute: Readonly<Record<string, string>>): Tag {
  const tag = { ...predicted }
  for (const entry of attributes) {
    const { name } = entry
    if (!isRanked(entry)) {
      if (entry.source.itemType === undefined || suppliedValue(attribute, name) !== undefined) continue
      const value = entry.source.itemType(itemOf(itemType))
      if (value === undefined) delete tag[name]
      else tag[name] = value
    } else if (typeof entry.values === 'function') {
      const isApplicable = (value: unknown) => isAllowed(name, value, itemType)
      const alternatives = tag[`${name} Alternatives`]
      if (!isApplicable(tag[name]))
        for (const key of [name, `${name} Alternatives`, `${name} Confidence`]) delete tag[key]
      else if (Array.isArray(alternatives)) tag[`${name} Alternatives`] = alternatives.filter(isApplicable)
    }
  }
  return tag
}

/** Describes a corrected tag. Null without the type and colour that every description needs. */
export function describeCorrected(tag: Readonly<Record<string, string | string[]>>): string | null {
  const itemType = tag['Item Type']
  return typeof itemType === 'string' && isItemType(itemType) && typeof tag['Colour'] === 'string'
    ? describeGarment(itemType, tag)
    : null
}
