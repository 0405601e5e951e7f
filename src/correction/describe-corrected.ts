import { describeGarment } from '../vision/attributes/describe-garment.ts'
import type { Ranked } from '../vision/rank.ts'
import { isItemType } from '../vision/taxonomy/item-types.ts'
import { confidenceIn } from './correction.ts'

const described = ['Colour', 'Pattern', 'Fit', 'Closure', 'Fabric Type'] as const

/** Within the bounds of each level, so that the description says what it would say of the machine's own values. */
const probabilities = { High: 0.9, Medium: 0.7, Low: 0.3 } as const

/** The description of a corrected tag. Null where the tag lacks what every description says. */
export function describeCorrected(tag: Readonly<Record<string, string | readonly string[]>>): string | null {
  const text = (name: string) => {
    const value = tag[name]
    return typeof value === 'string' ? value : undefined
  }
  const ranked = (name: string): Ranked => {
    const value = text(name)
    return value === undefined ? [] : [{ value, probability: probabilities[confidenceIn(tag, name) ?? 'Low'] }]
  }
  const itemType = text('Item Type')
  if (itemType === undefined || text('Colour') === undefined || !isItemType(itemType)) return null
  return describeGarment({
    itemType,
    ranked: Object.fromEntries(described.map((name) => [name, ranked(name)])),
    gender: text('Gender'),
    brand: text('Brand'),
  })
}
