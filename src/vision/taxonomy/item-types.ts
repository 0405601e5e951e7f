/**
 * The single source of what a tag may say: item types, and for each the attributes that apply, their values with how
 * likely each is before the picture is looked at, and the sizes to expect. Every tagger reads its vocabulary here.
 */
export type Gender = "Men's" | "Women's"

/** How a garment is built, which decides its points of measure. */
export type Build = 'top' | 'legs' | 'skirt' | 'bag' | 'shoe'

/** Mean and standard deviation of a medium's flat size, in cm. */
export type Size = readonly [mean: number, deviation: number]

/** Value to prior probability; the keys are the attribute's vocabulary for this item. */
export type Prior = Readonly<Record<string, number>>

export interface Item {
  readonly category: 'Clothing' | 'Shoes' | 'Accessories'
  readonly build: Build
  /** Where the kind of garment alone tells. */
  readonly gender?: Gender
  readonly closure: Prior
  readonly fabric: Prior
  /** Absent where fit makes no sense. */
  readonly fit?: readonly string[]
  /** In the order in which they are given out. */
  readonly measurements: readonly string[]
  readonly sizes: Readonly<Partial<Record<Gender, Readonly<Record<string, Size>>>>>
  /** Said with `a` or bare in the plural: `a shirt`, `trousers`. */
  readonly plural?: boolean
}

const TOP_FITS = ['Slim', 'Regular', 'Relaxed', 'Oversized'] as const
const LEG_FITS = ['Skinny', 'Slim', 'Straight', 'Tapered', 'Wide Leg'] as const
const SKIRT_FITS = ['Pencil', 'Straight', 'A-Line'] as const
const DRESS_FITS = ['Bodycon', 'Shift', 'A-Line', 'Fit & Flare'] as const

const SLEEVED = ['Chest', 'Body Length', 'Shoulder', 'Sleeve Length', 'Hem', 'Cuff']
const LEGGED = ['Waist', 'Hip', 'Front Rise', 'Inseam', 'Outseam', 'Thigh', 'Leg Opening']

const sizesOfTop = (chest: Size, length: Size, shoulder?: Size, sleeve?: Size) => ({
  Chest: chest,
  'Body Length': length,
  ...(shoulder === undefined ? {} : { Shoulder: shoulder }),
  ...(sleeve === undefined ? {} : { 'Sleeve Length': sleeve }),
})

const sizesOfLegs = (waist: Size, hip: Size, rise: Size, inseam: Size, outseam: Size) => ({
  Waist: waist,
  Hip: hip,
  'Front Rise': rise,
  Inseam: inseam,
  Outseam: outseam,
})

export const ITEMS = {
  'T-Shirt': {
    category: 'Clothing',
    build: 'top',
    closure: { Pullover: 0.98, Button: 0.02 },
    fabric: { Jersey: 0.9, 'Rib Knit': 0.06, Linen: 0.04 },
    fit: TOP_FITS,
    measurements: SLEEVED,
    sizes: {
      "Men's": sizesOfTop([52, 3], [72, 3], [45, 2.5], [21, 2]),
      "Women's": sizesOfTop([46, 4], [63, 4], [39, 3], [16, 3]),
    },
  },
  'Polo Shirt': {
    category: 'Clothing',
    build: 'top',
    closure: { Button: 0.97, Zip: 0.03 },
    fabric: { Piqué: 0.75, Jersey: 0.25 },
    fit: TOP_FITS,
    measurements: SLEEVED,
    sizes: {
      "Men's": sizesOfTop([52, 3], [71, 3], [44, 2.5], [22, 2]),
      "Women's": sizesOfTop([46, 4], [62, 4], [37, 3], [16, 3]),
    },
  },
  Shirt: {
    category: 'Clothing',
    build: 'top',
    closure: { Button: 0.97, Snap: 0.03 },
    fabric: { Poplin: 0.5, Woven: 0.2, Linen: 0.15, Flannel: 0.08, Denim: 0.07 },
    fit: TOP_FITS,
    measurements: SLEEVED,
    sizes: {
      "Men's": sizesOfTop([54, 3], [76, 3], [46, 2], [64, 2]),
      "Women's": sizesOfTop([49, 4], [66, 5], [39, 2.5], [59, 3]),
    },
  },
  Blouse: {
    category: 'Clothing',
    build: 'top',
    gender: "Women's",
    closure: { Button: 0.7, Pullover: 0.3 },
    fabric: { Woven: 0.4, Chiffon: 0.25, Satin: 0.2, Silk: 0.15 },
    fit: TOP_FITS,
    measurements: SLEEVED,
    sizes: { "Women's": sizesOfTop([49, 4], [66, 5], [39, 2.5], [59, 3]) },
  },
  'Tank Top': {
    category: 'Clothing',
    build: 'top',
    closure: { Pullover: 0.99, Button: 0.01 },
    fabric: { Jersey: 0.8, 'Rib Knit': 0.2 },
    fit: TOP_FITS,
    measurements: ['Chest', 'Body Length', 'Hem'],
    sizes: { "Men's": sizesOfTop([49, 3], [70, 3]), "Women's": sizesOfTop([43, 4], [62, 4]) },
  },
  Sweatshirt: {
    category: 'Clothing',
    build: 'top',
    closure: { Pullover: 0.95, Zip: 0.05 },
    fabric: { 'Sweatshirt Fleece': 0.85, Jersey: 0.15 },
    fit: TOP_FITS,
    measurements: SLEEVED,
    sizes: {
      "Men's": sizesOfTop([56, 4], [69, 3], [50, 4], [62, 3]),
      "Women's": sizesOfTop([53, 5], [63, 5], [46, 5], [59, 4]),
    },
  },
  Hoodie: {
    category: 'Clothing',
    build: 'top',
    closure: { Pullover: 0.65, Zip: 0.35 },
    fabric: { 'Sweatshirt Fleece': 0.88, Jersey: 0.12 },
    fit: TOP_FITS,
    measurements: SLEEVED,
    sizes: {
      "Men's": sizesOfTop([56, 4], [69, 3], [50, 4], [62, 3]),
      "Women's": sizesOfTop([53, 5], [63, 5], [46, 5], [59, 4]),
    },
  },
  Jumper: {
    category: 'Clothing',
    build: 'top',
    closure: { Pullover: 0.96, Zip: 0.04 },
    fabric: { Knit: 0.75, 'Cable Knit': 0.1, 'Rib Knit': 0.1, Wool: 0.05 },
    fit: TOP_FITS,
    measurements: SLEEVED,
    sizes: {
      "Men's": sizesOfTop([54, 3], [68, 3], [46, 3], [64, 3]),
      "Women's": sizesOfTop([49, 4], [60, 4], [40, 3], [59, 3]),
    },
  },
  Cardigan: {
    category: 'Clothing',
    build: 'top',
    closure: { Button: 0.88, 'Open Front': 0.08, Zip: 0.04 },
    fabric: { Knit: 0.8, 'Rib Knit': 0.12, 'Cable Knit': 0.08 },
    fit: TOP_FITS,
    measurements: SLEEVED,
    sizes: {
      "Men's": sizesOfTop([54, 3], [68, 4], [46, 3], [64, 3]),
      "Women's": sizesOfTop([49, 4], [65, 8], [39, 3], [59, 3]),
    },
  },
  Jacket: {
    category: 'Clothing',
    build: 'top',
    closure: { Zip: 0.65, Button: 0.3, Snap: 0.05 },
    fabric: { Woven: 0.35, 'Technical / Nylon': 0.25, Denim: 0.15, Leather: 0.25 },
    fit: TOP_FITS,
    measurements: SLEEVED,
    sizes: {
      "Men's": sizesOfTop([57, 3], [69, 4], [47, 2.5], [64, 3]),
      "Women's": sizesOfTop([51, 4], [60, 4], [41, 3], [60, 3]),
    },
  },
  Coat: {
    category: 'Clothing',
    build: 'top',
    closure: { Button: 0.8, Zip: 0.12, Toggle: 0.04, Tie: 0.04 },
    fabric: { Wool: 0.6, Twill: 0.25, 'Technical / Nylon': 0.15 },
    fit: TOP_FITS,
    measurements: SLEEVED,
    sizes: {
      "Men's": sizesOfTop([58, 3], [95, 12], [47, 2.5], [65, 3]),
      "Women's": sizesOfTop([52, 4], [98, 14], [41, 3], [61, 3]),
    },
  },
  Dress: {
    category: 'Clothing',
    build: 'top',
    gender: "Women's",
    closure: { Pullover: 0.5, Zip: 0.38, Button: 0.12 },
    fabric: { Jersey: 0.4, Woven: 0.4, Chiffon: 0.1, Satin: 0.1 },
    fit: DRESS_FITS,
    measurements: ['Chest', 'Waist', 'Body Length', 'Shoulder', 'Sleeve Length', 'Hem'],
    sizes: { "Women's": { Chest: [46, 4], Waist: [38, 4], Shoulder: [37, 4], 'Sleeve Length': [40, 22] } },
  },
  Trousers: {
    category: 'Clothing',
    build: 'legs',
    closure: { 'Button & Zip': 0.8, Drawstring: 0.1, Elasticated: 0.1 },
    fabric: { Twill: 0.55, Woven: 0.25, Wool: 0.1, Jersey: 0.1 },
    fit: LEG_FITS,
    measurements: LEGGED,
    sizes: {
      "Men's": sizesOfLegs([42.5, 2], [51, 3], [28, 2], [79, 4], [104, 4]),
      "Women's": sizesOfLegs([38, 3], [48, 3], [27, 3], [76, 4], [101, 4]),
    },
    plural: true,
  },
  Jeans: {
    category: 'Clothing',
    build: 'legs',
    closure: { 'Button & Zip': 0.97, Button: 0.03 },
    fabric: { Denim: 0.99, Twill: 0.01 },
    fit: LEG_FITS,
    measurements: LEGGED,
    sizes: {
      "Men's": sizesOfLegs([42.5, 2], [51, 3], [28, 2], [79, 4], [104, 4]),
      "Women's": sizesOfLegs([38, 3], [48, 3], [27, 3], [76, 4], [101, 4]),
    },
    plural: true,
  },
  Shorts: {
    category: 'Clothing',
    build: 'legs',
    closure: { 'Button & Zip': 0.7, Drawstring: 0.2, Elasticated: 0.1 },
    fabric: { Twill: 0.5, Woven: 0.2, Jersey: 0.2, Denim: 0.1 },
    fit: ['Slim', 'Regular', 'Relaxed'],
    measurements: LEGGED,
    sizes: {
      "Men's": { Waist: [42.5, 2.5], Hip: [51, 3], 'Front Rise': [28, 2], Inseam: [20, 4] },
      "Women's": { Waist: [38, 3], Hip: [47, 3], 'Front Rise': [28, 2], Inseam: [9, 4] },
    },
    plural: true,
  },
  Skirt: {
    category: 'Clothing',
    build: 'skirt',
    gender: "Women's",
    closure: { Zip: 0.7, Elasticated: 0.2, Button: 0.1 },
    fabric: { Woven: 0.55, Jersey: 0.25, Denim: 0.1, Satin: 0.1 },
    fit: SKIRT_FITS,
    measurements: ['Waist', 'Hip', 'Length', 'Hem'],
    sizes: { "Women's": { Waist: [36, 3], Hip: [50, 4] } },
  },
  Bag: {
    category: 'Accessories',
    build: 'bag',
    closure: { Open: 0.4, Zip: 0.3, Snap: 0.2, Buckle: 0.1 },
    fabric: { Leather: 0.5, Canvas: 0.35, 'Technical / Nylon': 0.15 },
    measurements: ['Width', 'Height'],
    sizes: { "Women's": { Width: [37, 5], Height: [31, 6] }, "Men's": { Width: [38, 6], Height: [31, 6] } },
  },
  Trainers: {
    category: 'Shoes',
    build: 'shoe',
    closure: { 'Lace-Up': 0.9, Velcro: 0.05, 'Slip-On': 0.05 },
    fabric: { Leather: 0.4, Mesh: 0.35, Canvas: 0.25 },
    measurements: ['Length'],
    sizes: { "Men's": { Length: [30, 1.5] }, "Women's": { Length: [27, 1.5] } },
    plural: true,
  },
  Boots: {
    category: 'Shoes',
    build: 'shoe',
    closure: { 'Lace-Up': 0.5, Zip: 0.3, 'Slip-On': 0.2 },
    fabric: { Leather: 0.75, Suede: 0.25 },
    measurements: ['Length'],
    sizes: { "Men's": { Length: [31, 1.5] }, "Women's": { Length: [27, 1.5] } },
    plural: true,
  },
  Sandals: {
    category: 'Shoes',
    build: 'shoe',
    closure: { Buckle: 0.55, 'Slip-On': 0.45 },
    fabric: { Leather: 0.7, Canvas: 0.3 },
    measurements: ['Length'],
    sizes: { "Men's": { Length: [29, 1.5] }, "Women's": { Length: [25.5, 1.5] } },
    plural: true,
  },
} as const satisfies Readonly<Record<string, Item>>

export type ItemType = keyof typeof ITEMS

export const ITEM_TYPES = Object.keys(ITEMS) as ItemType[]

export const PATTERNS = ['Plain', 'Striped', 'Checked', 'Dotted', 'Printed'] as const

export type Pattern = (typeof PATTERNS)[number]

export function itemOf(itemType: ItemType): Item {
  return ITEMS[itemType]
}
