import { type Ranked, rank } from '../rank.ts'
import { itemOf, type ItemType } from '../taxonomy/item-types.ts'

/** Spread of a ratio between garments of one fit. */
const ratioSpread = 0.09

/**
 * Fit from proportions of the flat garment, each value weighted by how near the ratio is to the value's usual one.
 * @param lengths by name of measurement, in any one unit
 */
export function rankFit(itemType: ItemType, lengths: Readonly<Record<string, number>>): Ranked {
  const { fit, build } = itemOf(itemType)
  if (fit === undefined) return []
  const ratio = (a: string, b: string) =>
    lengths[a] !== undefined && lengths[b] !== undefined && lengths[b] > 0 ? lengths[a] / lengths[b] : undefined
  if (itemType === 'Dress') return rankDressFit(ratio('Hem', 'Chest'), ratio('Waist', 'Chest'))
  if (itemType === 'Shorts') return rankByRatio(fit, ratio('Leg Opening', 'Hip'), [0.48, 0.57, 0.68])
  if (build === 'legs') return rankByRatio(fit, ratio('Leg Opening', 'Hip'), [0.25, 0.31, 0.385, 0.34, 0.5])
  if (build === 'skirt') return rankByRatio(fit, ratio('Hem', 'Hip'), [0.88, 1.03, 1.35])
  return rankByRatio(fit, ratio('Chest', 'Body Length'), [0.66, 0.74, 0.83, 0.95])
}

function rankByRatio(values: readonly string[], ratio: number | undefined, usual: readonly number[]): Ranked {
  return rank(
    values.map((value, index) => {
      const deviations = ratio === undefined ? 0 : (ratio - (usual[index] ?? ratio)) / ratioSpread
      const prior = value === 'Regular' || value === 'Straight' ? 1.5 : 1
      return [value, Math.exp(-0.5 * Math.min(9, deviations * deviations)) * prior]
    }),
  )
}

/** By how far the hem flares against the chest, and how far the waist is taken in. */
function rankDressFit(hemToChest = 1.2, waistToChest = 0.9): Ranked {
  const near = (value: number, usual: number, spread: number) => Math.exp(-(((value - usual) / spread) ** 2))
  return rank([
    ['Bodycon', near(hemToChest, 0.95, 0.15) * 0.8],
    ['Shift', near(waistToChest, 1, 0.08) * near(hemToChest, 1.1, 0.2)],
    ['A-Line', near(hemToChest, 1.4, 0.3)],
    ['Fit & Flare', near(hemToChest, 1.75, 0.35) * (waistToChest < 0.88 ? 1 : 0.5)],
  ])
}
