import { type Ranked, rank } from './rank.ts'
import type { Shape } from './shape/read-shape.ts'

/** Item type from the silhouette and what shows along the centre line. */
export function guessItemType(shape: Shape): Ranked {
  const { silhouette, armpits, crotch } = shape
  const width = silhouette.right - silhouette.left
  if (crotch !== undefined) {
    return crotch.legShare > 0.58
      ? rank({ Trousers: 0.55, Jeans: 0.4, Shorts: 0.05 })
      : rank({ Shorts: 0.9, Trousers: 0.1 })
  }
  if (shape.hasHandle) return rank({ Bag: 0.9, Skirt: 0.1 })
  if (armpits === undefined) {
    const flat = shape.topDip < 0.08
    if (flat) return rank({ Skirt: 0.8, Bag: 0.15, 'Tank Top': 0.05 })
    return silhouette.height / width > 1.75
      ? rank({ Dress: 0.8, 'Tank Top': 0.2 })
      : rank({ 'Tank Top': 0.75, Dress: 0.25 })
  }
  const long = shape.lengthToChest > 1.68
  if (!shape.longSleeves)
    return long ? rank({ Dress: 0.8, 'T-Shirt': 0.2 }) : rank({ 'T-Shirt': 0.65, 'Polo Shirt': 0.35 })
  return long
    ? rank({ Coat: 0.6, Dress: 0.4 })
    : rank({ Shirt: 0.3, Sweatshirt: 0.25, Jumper: 0.25, Jacket: 0.1, Hoodie: 0.05, Cardigan: 0.05 })
}
