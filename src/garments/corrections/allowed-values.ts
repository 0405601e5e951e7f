import { isItemType, itemOf, itemTypes } from '../../vision/taxonomy/item-types.ts'
import { labelOnlyKeys } from '../../labels/understanding/understand-label.ts'
import { type AllowedValues, attributes, isRanked } from '../../vision/attributes/attribute-catalogue.ts'

/** Shortest length, because measurements are rounded to half centimetres. */
export const minCm = 0.5
export const maxCm = 500

export const measurementKey = (line: string) => `${line} (cm)`

export const lineName = (key: string) => key.replace(/ \(cm\)$/, '')

export const lineNamesOf = (itemType: unknown): readonly string[] =>
  typeof itemType === 'string' && isItemType(itemType) ? itemOf(itemType).measurements : []

export const isPossibleLength = (cm: number) => cm >= minCm && cm <= maxCm

export const notOfType = (names: readonly string[], itemType: string) =>
  names.length === 0
    ? `does not apply to the item type ${itemType}`
    : `must be one of ${names.join(', ')} for the item type ${itemType}`

export const rankedNames = () => attributes.filter(isRanked).map(({ name }) => name)

export const correctableNames = () => [
  ...rankedNames(),
  ...attributes.filter((entry) => !isRanked(entry)).map(({ name }) => name),
]

export const reviewedNames = () =>
  attributes.filter((entry) => isRanked(entry) && entry.isReviewed).map(({ name }) => name)

const findEntry = (name: string) => attributes.find((entry) => entry.name === name)

export const isLabelOnly = (name: string) => labelOnlyKeys.some((key) => key === name)

export const dependsOnItemType = (name: string) => typeof findEntry(name)?.values === 'function'

/** Returns the attribute that this one details, such as the colour for its hex code. */
export function detailedBy(name: string): string | undefined {
  const entry = findEntry(name)
  return entry === undefined || isRanked(entry) ? undefined : entry.detailOf
}

/** Returns undefined if the attribute cannot be corrected. An unknown item type allows no values. */
export function allowedValues(name: string, itemType: string): AllowedValues | undefined {
  if (isLabelOnly(name)) return 'text'
  const values = findEntry(name)?.values
  if (typeof values !== 'function') return values
  return isItemType(itemType) ? values(itemOf(itemType)) : []
}

/** Attributes without a list of values allow any value. */
export function isAllowed(name: string, value: unknown, itemType: string): boolean {
  const allowed = allowedValues(name, itemType)
  return !Array.isArray(allowed) || allowed.includes(value)
}

export const allowedMeasurements = (itemType: string): string[] => lineNamesOf(itemType).map(measurementKey)

export const measurementNames = [...new Set(itemTypes.flatMap(allowedMeasurements))]

export const isMeasurement = (name: string): boolean => measurementNames.includes(name)
