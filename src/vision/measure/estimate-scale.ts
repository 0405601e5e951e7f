import type { NoteCode } from '../scene.ts'
import type { Child } from '../tagging.ts'
import { itemOf, type ItemType } from '../taxonomy/item-types.ts'
import type { Gender, Item, Size, Sleeve } from '../taxonomy/item.ts'

export interface Sizing {
  readonly gender: Gender | undefined
  readonly child: Child | undefined
}

/** Lengths that vary with fashion (crop, maxi, three-quarter) say little about the scale. */
const varyingLengths = new Set(['Body Length', 'Length', 'Sleeve Length', 'Inseam', 'Outseam', 'Height'])
const varyingLengthWeight = 0.35

/**
 * Estimates centimetres per pixel as the mean of ln(cm / pixels) over typical sizes, weighted by (mean / deviation)².
 * `lengths` are in pixels. Children's sizes are adult sizes scaled by body height. Returns undefined without sizes.
 */
export function estimateScale(
  itemType: ItemType,
  sleeve: Sleeve | undefined,
  sizing: Sizing,
  lengths: Readonly<Record<string, number>>,
): number | undefined {
  const item = itemOf(itemType)
  const sizes = sizesOf(item, sizing.gender)
  const share = sizing.child === undefined ? 1 : sizing.child.height / heightOf(item, sizing.gender)
  const isOtherSleeve = item.usualSleeve !== undefined && sleeve !== item.usualSleeve
  let sum = 0
  let weights = 0
  for (const [name, [mean, deviation]] of Object.entries(sizes)) {
    const pixels = lengths[name]
    if (pixels === undefined || pixels < 2) continue
    if (name === 'Sleeve Length' && isOtherSleeve) continue
    const weight = (mean / deviation) ** 2 * (varyingLengths.has(name) ? varyingLengthWeight : 1)
    sum += weight * Math.log((mean * share) / pixels)
    weights += weight
  }
  return weights === 0 ? undefined : Math.exp(sum / weights)
}

/** Body heights in cm to which the adult sizes apply (EN 13402-3). */
const heights = { "Men's": 176, "Women's": 168 }

function heightOf({ sizes }: Item, gender: Gender | undefined): number {
  if (sizes["Men's"] === undefined || sizes["Women's"] === undefined)
    return sizes["Men's"] === undefined ? heights["Women's"] : heights["Men's"]
  return gender === undefined ? (heights["Men's"] + heights["Women's"]) / 2 : heights[gender]
}

export function estimateNote(itemType: ItemType, { gender, child }: Sizing): NoteCode {
  if (child !== undefined) return child.isSized ? 'estimate_child' : 'estimate_any_child'
  const { sizes } = itemOf(itemType)
  const isEither = gender === undefined && sizes["Men's"] !== undefined && sizes["Women's"] !== undefined
  return isEither ? 'estimate_either' : 'estimate'
}

/** For an unknown gender, means lie between both genders and deviations cover both. */
function sizesOf({ sizes }: Item, gender: Gender | undefined): Readonly<Record<string, Size>> {
  const men = sizes["Men's"]
  const women = sizes["Women's"]
  if (men === undefined || women === undefined) return men ?? women ?? {}
  if (gender !== undefined) return gender === "Men's" ? men : women
  return Object.fromEntries(
    Object.entries(men).flatMap(([name, [mean, deviation]]) => {
      const other = women[name]
      return other === undefined
        ? []
        : [[name, [(mean + other[0]) / 2, Math.max(deviation, other[1]) + Math.abs(mean - other[0]) / 2] as const]]
    }),
  )
}
