import { describeGarment } from '../../vision/attributes/describe-garment.ts'
import { isItemType } from '../../vision/taxonomy/item-types.ts'

/** The description of a corrected tag. Null if the tag lacks what every description needs. */
export function describeCorrected(tag: Readonly<Record<string, string | string[]>>): string | null {
  const itemType = tag['Item Type']
  return typeof itemType === 'string' && isItemType(itemType) && typeof tag['Colour'] === 'string'
    ? describeGarment(itemType, tag)
    : null
}
