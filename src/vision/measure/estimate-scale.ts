import type { NoteCode } from '../scene.ts'
import type { Child } from '../tagging.ts'
import { itemOf, type ItemType } from '../taxonomy/item-types.ts'
import type { Gender, Item, Size, Sleeve } from '../taxonomy/item.ts'

/** Which usual sizes a garment has. */
export interface Sizing {
  /** Undefined where it is unknown, and for children. */
  readonly gender: Gender | undefined
  readonly child: Child | undefined
}

/** Lengths that vary with fashion (crop, maxi, three-quarter) say little about scale. */
const varyingLengths = new Set(['Body Length', 'Length', 'Sleeve Length', 'Inseam', 'Outseam', 'Height'])
const varyingLengthWeight = 0.35

/**
 * Centimetres per pixel from usual sizes: the mean of ln(cm / pixel) over the measured lengths, each weighted by how
 * little it varies between garments, (mean / deviation)². Its spread is 4 to 6 %, about half a clothing size.
 * `undefined` where no usual size is known of any measured length.
 * Sizes of children are those of adults, scaled by body height. The length of an unusual sleeve says nothing of scale.
 * @param lengths by name of measurement, in pixels
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

/** Body heights that the usual sizes of adults are for, in cm (EN 13402-3). */
const heights = { "Men's": 176, "Women's": 168 }

function heightOf({ sizes }: Item, gender: Gender | undefined): number {
  if (sizes["Men's"] === undefined || sizes["Women's"] === undefined)
    return sizes["Men's"] === undefined ? heights["Women's"] : heights["Men's"]
  return gender === undefined ? (heights["Men's"] + heights["Women's"]) / 2 : heights[gender]
}

/** The note about an estimate. It states about two standard deviations of sizes around the usual one. */
export function estimateNote(itemType: ItemType, { gender, child }: Sizing): NoteCode {
  if (child !== undefined) return child.isSized ? 'estimate_child' : 'estimate_any_child'
  const { sizes } = itemOf(itemType)
  const isEither = gender === undefined && sizes["Men's"] !== undefined && sizes["Women's"] !== undefined
  return isEither ? 'estimate_either' : 'estimate'
}

/** Sizes of the gender; where it is unknown, midway between both, with a spread that covers them. */
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
