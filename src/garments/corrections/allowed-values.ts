import { isItemType, itemOf, itemTypes } from '../../vision/taxonomy/item-types.ts'
import { labelOnlyKeys } from '../../labels/understanding/understand-label.ts'
import { type AllowedValues, attributes, isRanked } from '../../vision/attributes/attribute-catalogue.ts'

/** The shortest length: measurements are rounded to half centimetres. */
export const minCm = 0.5
export const maxCm = 500

/** The key of the measurement that a line has. */
export const measurementKey = (line: string) => `${line} (cm)`

/** The name of the line that a measurement's key belongs to. */
export const lineName = (key: string) => key.replace(/ \(cm\)$/, '')

/** The names of the lines that an item type can have. */
export const lineNamesOf = (itemType: unknown): readonly string[] =>
  typeof itemType === 'string' && isItemType(itemType) ? itemOf(itemType).measurements : []

export const isPossibleLength = (cm: number) => cm >= minCm && cm <= maxCm

/** Why an item type has no such name, where it has these. */
export const notOfType = (names: readonly string[], itemType: string) =>
  names.length === 0
    ? `does not apply to the item type ${itemType}`
    : `must be one of ${names.join(', ')} for the item type ${itemType}`

/** The attributes that come with a confidence and alternatives. */
export const rankedNames = () => attributes.filter(isRanked).map(({ name }) => name)

/** The attributes that a person may correct, in the order in which they are shown. */
export const correctableNames = () => [
  ...rankedNames(),
  ...attributes.filter((entry) => !isRanked(entry)).map(({ name }) => name),
]

/** The attributes whose doubtful values are reviewed. */
export const reviewedNames = () =>
  attributes.filter((entry) => isRanked(entry) && entry.isReviewed).map(({ name }) => name)

const findEntry = (name: string) => attributes.find((entry) => entry.name === name)

/** Whether only labels have this value, which is then not part of the tag. */
export const isLabelOnly = (name: string) => labelOnlyKeys.some((key) => key === name)

/** Whether the values of an attribute depend on the item type. */
export const dependsOnItemType = (name: string) => typeof findEntry(name)?.values === 'function'

/** The attribute whose value this one details, if any. */
export function detailedBy(name: string): string | undefined {
  const entry = findEntry(name)
  return entry === undefined || isRanked(entry) ? undefined : entry.detailOf
}

/** Undefined for an attribute that nobody can correct. An item type that the taxonomy does not know allows nothing. */
export function allowedValues(name: string, itemType: string): AllowedValues | undefined {
  if (isLabelOnly(name)) return 'text'
  const values = findEntry(name)?.values
  if (typeof values !== 'function') return values
  return isItemType(itemType) ? values(itemOf(itemType)) : []
}

/** Whether an attribute of an item type can have the value, as far as its values are listed. */
export function isAllowed(name: string, value: unknown, itemType: string): boolean {
  const allowed = allowedValues(name, itemType)
  return !Array.isArray(allowed) || allowed.includes(value)
}

/** The keys of the measurements that an item type can have. */
export const allowedMeasurements = (itemType: string): string[] => lineNamesOf(itemType).map(measurementKey)

/** The keys of all measurements. */
export const measurementNames = [...new Set(itemTypes.flatMap(allowedMeasurements))]

/** Whether some item type has this measurement. */
export const isMeasurement = (name: string): boolean => measurementNames.includes(name)
