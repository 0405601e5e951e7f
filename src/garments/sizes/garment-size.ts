import { readWearer, type Wearer } from '../../vision/attributes/wearer.ts'
import { isItemType, itemOf, type ItemType } from '../../vision/taxonomy/item-types.ts'
import { parseSize } from './parse-size.ts'
import type { ParsedSize, SizeContext, SizeKind } from './size-rules.ts'
import type { SizeWearer } from './size-words.ts'

const sizeWearers: Readonly<Partial<Record<Wearer, SizeWearer>>> = {
  men: 'men',
  women: 'women',
  boys: 'kids',
  girls: 'kids',
  children: 'kids',
  babies: 'baby',
}

function sizeKind(itemType: ItemType): SizeKind {
  if (itemType === 'Hat' || itemType === 'Bag' || itemType === 'Belt') {
    const kinds = { Hat: 'hat', Bag: 'bag', Belt: 'belt' } as const
    return kinds[itemType]
  }
  const { category, build } = itemOf(itemType)
  if (category === 'Shoes') return 'shoes'
  return build === 'legs' ? 'trousers' : 'clothing'
}

/** Returns what the garment's type and wearer, in any wording, say about the meaning of its size. */
function sizeContext(itemType: string, gender: string): SizeContext {
  const wearer = readWearer(gender)
  return {
    wearer: wearer && sizeWearers[wearer],
    kind: isItemType(itemType) ? sizeKind(itemType) : undefined,
  }
}

/** Parses a garment's size text. Null if there is none, or if the text is no size. */
export const garmentSize = (text: string, itemType: string, gender: string): ParsedSize | null =>
  text === '' ? null : parseSize(text, sizeContext(itemType, gender))
