import { describeGarment } from '../../vision/attributes/describe-garment.ts'
import { isItemType } from '../../vision/taxonomy/item-types.ts'

/** The description of a corrected tag. Null if what every description needs is missing. */
export function describeCorrected(
  tag: Readonly<Record<string, string | string[]>>,
  itemType: unknown = tag['Item Type'],
): string | null {
  return typeof itemType === 'string' && isItemType(itemType) && typeof tag['Colour'] === 'string'
    ? describeGarment(itemType, tag)
    : null
}
