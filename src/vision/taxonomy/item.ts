export const patterns = [
  'Plain',
  'Striped',
  'Checked',
  'Dotted',
  'Floral',
  'Animal',
  'Camouflage',
  'Colour Block',
  'Graphic',
  'Knit',
  'Printed',
] as const

const sleeves = ['None', 'Short', 'Three-Quarter', 'Long'] as const

export type Sleeve = (typeof sleeves)[number]

const hasNeck = ({ build }: Item) => build === 'top' || build === 'one-piece' || build === 'set'

export const sleevesOf = (item: Item): readonly Sleeve[] => (hasNeck(item) ? sleeves : [])

const necklines = [
  'Crew',
  'Scoop',
  'V-Neck',
  'High',
  'Collar',
  'Lapel',
  'Hood',
  'Square',
  'Off-Shoulder',
  'Strap',
  'Other',
] as const

export const necklinesOf = (item: Item): readonly string[] => (hasNeck(item) ? necklines : [])

export type Gender = "Men's" | "Women's"

/**
 * How a garment is built, which decides its points of measure; boots, strips of cloth or leather and sets have
 * none.
 */
export type Build = 'top' | 'one-piece' | 'legs' | 'skirt' | 'bag' | 'hat' | 'shoe' | 'boot' | 'strip' | 'set'

/** Mean and standard deviation of a medium's flat size, in cm. */
export type Size = readonly [mean: number, deviation: number]

export interface Item {
  readonly category: 'Clothing' | 'Shoes' | 'Accessories'
  readonly build: Build
  /** Set where the item type alone decides it. */
  readonly gender?: Gender
  readonly closure: readonly string[]
  readonly fabric: readonly string[]
  /** From tight to loose; absent where fit makes no sense. */
  readonly fit?: readonly string[]
  /** In the order in which they are returned. */
  readonly measurements: readonly string[]
  /** Where empty, nothing is measured unless the printed card or a studio gives the scale. */
  readonly sizes: Readonly<Partial<Record<Gender, Readonly<Record<string, Size>>>>>
  /** The sleeve that the size of `Sleeve Length` is of; absent where it is of any. */
  readonly usualSleeve?: Sleeve
  /** True where the name is a plural: `trousers`, but `a shirt`. */
  readonly plural?: boolean
}

/** `Jersey, Rib Knit` as a list. */
export const words = (text: string): readonly string[] => text.split(', ')

export const topFits = ['Slim', 'Regular', 'Relaxed', 'Oversized'] as const

/** What tops with sleeves have in common, and those without. */
export const sleevedTop = {
  category: 'Clothing',
  build: 'top',
  fit: topFits,
  measurements: ['Chest', 'Body Length', 'Shoulder', 'Sleeve Length', 'Hem', 'Cuff'],
  usualSleeve: 'Long',
} as const
export const sleevelessTop = {
  ...sleevedTop,
  measurements: ['Chest', 'Body Length', 'Hem'],
  usualSleeve: 'None',
} as const

export function sizesOfTop(chest: Size, length: Size, shoulder?: Size, sleeve?: Size) {
  return {
    Chest: chest,
    'Body Length': length,
    ...(shoulder === undefined ? {} : { Shoulder: shoulder }),
    ...(sleeve === undefined ? {} : { 'Sleeve Length': sleeve }),
  }
}
