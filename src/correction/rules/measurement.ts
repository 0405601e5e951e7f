import { isItemType, itemOf } from '../../vision/taxonomy/item-types.ts'

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
