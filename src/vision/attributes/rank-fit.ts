import type { ItemType } from '../taxonomy/item-types.ts'
import { itemOf } from '../taxonomy/item-types.ts'
import { type Ranked, rank } from '../rank.ts'

/**
 * Fit from proportions of the flat garment. Ease cannot be seen without a body, so no single ratio is certain: every
 * value of the item keeps a share, and the ratio moves weight between neighbours in their order from tight to loose.
 * @param lengths name to any one unit
 */
export function rankFit(itemType: ItemType, lengths: Readonly<Record<string, number>>): Ranked {
  const { fit, build } = itemOf(itemType)
  if (fit === undefined) return []
  const ratio = (a: string, b: string) =>
    lengths[a] !== undefined && lengths[b] !== undefined && lengths[b] > 0 ? lengths[a] / lengths[b] : undefined
  if (itemType === 'Dress') return dressFit(ratio('Hem', 'Chest'), ratio('Waist', 'Chest'))
  if (itemType === 'Shorts') return along(fit, ratio('Leg Opening', 'Hip'), [0.48, 0.57, 0.68])
  if (build === 'legs') return along(fit, ratio('Leg Opening', 'Hip'), [0.25, 0.31, 0.385, 0.34, 0.5])
  if (build === 'skirt') return along(fit, ratio('Hem', 'Hip'), [0.88, 1.03, 1.35])
  return along(fit, ratio('Chest', 'Body Length'), [0.66, 0.74, 0.83, 0.95])
}

/** Weight by nearness of the ratio to each value's usual one. */
function along(values: readonly string[], ratio: number | undefined, usual: readonly number[]): Ranked {
  const spread = 0.09
  const weights = values.map((value, index) => {
    const away = ratio === undefined ? 0 : (ratio - (usual[index] ?? ratio)) / spread
    return [
      value,
      Math.exp(-0.5 * Math.min(9, away * away)) * (value === 'Regular' || value === 'Straight' ? 1.5 : 1),
    ] as const
  })
  return rank(Object.fromEntries(weights))
}

function dressFit(flare: number | undefined, waist: number | undefined): Ranked {
  const swing = flare ?? 1.2
  const taken = waist ?? 0.9
  return rank({
    Bodycon: Math.exp(-(((swing - 0.95) / 0.15) ** 2)) * 0.8,
    Shift: Math.exp(-(((taken - 1) / 0.08) ** 2)) * Math.exp(-(((swing - 1.1) / 0.2) ** 2)),
    'A-Line': Math.exp(-(((swing - 1.4) / 0.3) ** 2)),
    'Fit & Flare': Math.exp(-(((swing - 1.75) / 0.35) ** 2)) * (taken < 0.88 ? 1 : 0.5),
  })
}
