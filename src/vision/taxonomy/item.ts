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

/** Construction of a garment, which decides what is measured. Boots, strips and sets are not measured. */
export type Build = 'top' | 'one-piece' | 'legs' | 'skirt' | 'bag' | 'hat' | 'shoe' | 'boot' | 'strip' | 'set'

/** Mean and standard deviation of a flat size M, in cm. */
export type Size = readonly [mean: number, deviation: number]

export interface Item {
  readonly category: 'Clothing' | 'Shoes' | 'Accessories'
  readonly build: Build
  /** Set if the type implies the gender. */
  readonly gender?: Gender
  readonly closure: readonly string[]
  readonly fabric: readonly string[]
  /** Possible fits from tight to loose. Absent if the type has no fit. */
  readonly fit?: readonly string[]
  /** In the order of results. */
  readonly measurements: readonly string[]
  /** Typical sizes. Without typical sizes, only the printed card or a studio gives measurements. */
  readonly sizes: Readonly<Partial<Record<Gender, Readonly<Record<string, Size>>>>>
  /** The sleeve to which the typical `Sleeve Length` applies. Absent if it applies to any sleeve. */
  readonly usualSleeve?: Sleeve
  readonly plural?: boolean
}

export const words = (text: string): readonly string[] => text.split(', ')

export const topFits = ['Slim', 'Regular', 'Relaxed', 'Oversized'] as const

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
