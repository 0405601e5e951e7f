import type { Wearer } from '../../vision/attributes/wearer.ts'

/**
 * Lowest and highest body chest girth in cm for each letter, as in EN 13402-3. Each letter begins where the one before
 * ends.
 */
const letters = ['XXS', 'XS', 'S', 'M', 'L', 'XL', '2XL', '3XL']
const girths = {
  men: [70, 78, 86, 94, 102, 110, 118, 129, 141],
  women: [66, 74, 82, 90, 98, 107, 119, 131, 143],
} as const

/** Ease of a fit: the garment's chest minus the body's, in centimetres, from tight to comfortable. */
const eases: Readonly<Record<string, readonly [least: number, most: number]>> = {
  Slim: [0, 8],
  Bodycon: [0, 8],
  Regular: [4, 12],
  Relaxed: [10, 18],
  Oversized: [18, 28],
}

/** Extra width for the clothes under a coat or jacket. */
const outerEase = 6
const outerTypes = ['Coat', 'Jacket']

export interface FittedGarment {
  /** Width across the chest of the garment laid flat. */
  readonly chestCm: number
  readonly itemType: string
  /** Empty if unknown. */
  readonly fit: string
  readonly wearer: Wearer | undefined
}

/** Returns the first and last letter size that a garment fits. Undefined for children and unknown wearers. */
export function fittingLetters({ chestCm, itemType, fit, wearer }: FittedGarment): readonly string[] | undefined {
  const table = wearer === 'women' ? girths.women : wearer === 'men' || wearer === 'unisex' ? girths.men : undefined
  if (table === undefined) return undefined
  const [least, most] = eases[fit] ?? [4, 12]
  const outer = outerTypes.includes(itemType) ? outerEase : 0
  const [from, to] = [2 * chestCm - most - outer, 2 * chestCm - least - outer]
  const fitting = letters.filter((_, i) => (table[i] ?? Infinity) < to && (table[i + 1] ?? 0) > from)
  const [first, last] = [fitting[0], fitting.at(-1)]
  if (first === undefined || last === undefined) return undefined
  return first === last ? [first] : [first, last]
}
